"""The world of the stories with ears, mind and mouth far away: real ports, and staged lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.port import TranscriberPort
from actors.capture.settings import CaptureSettings
from actors.gateway.port import GatewayPort
from actors.net.service import Service
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.port import RealtimePort
from actors.realtime.script import Script
from actors.realtime.settings import RealtimeSettings
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.port import TtsPort
from actors.tts.settings import TtsSettings
from actors.voice.port import VoicePort
from supervisors.settings import Settings
from tests.actors.net.staged import StagedDial, StagedLoop
from tests.loopback.openai.mind import Think
from tests.stories.far import Book, Ear, Mind, Voice
from tests.stories.world import World

OPENAI = Service(base_url="https://api.example.com/v1", key="the-key")
ELEVENLABS = Service(base_url="https://api.example.com", key="the-other-key")
HOUR = 3_600.0


class Cloudy(World):
    """A World; `lasts` is how long each conversation lasts, if not an hour."""

    def __init__(
        self,
        seed: int,
        *,
        think: Think,
        model: str = "eleven_flash_v2_5",
        lasts: Sequence[float] = (),
        people: Sequence[str] = ("anna", "ben"),
        captain_delay: float = 1.0,
    ) -> None:
        self.minds: list[Mind] = []
        self.ears: list[Ear] = []
        self.voices: list[Voice] = []
        self._think, self._model, self._lasts = think, model, lasts
        super().__init__(seed, people=people, captain_delay=captain_delay)

    def open(
        self,
        script: Script,
        settings: Settings,
        gateway: Callable[[], GatewayPort],
        voice: Callable[[], VoicePort],
    ) -> None:
        """Let there be an I/O thread, and then the house."""
        self.loop, self.book = StagedLoop(self.stage), Book(self.clock.now, self._wall)
        self._listeners = Listeners(25)
        super().open(script, settings, gateway, voice)

    def _wall(self) -> float:
        return self.clock.wall().timestamp()

    def _mind(self, script: Script) -> RealtimePort:
        dial, settings = StagedDial(self.stage, self._new_mind), RealtimeSettings(max_output_tokens=4_000)
        return LiveConversation(self.loop, dial, OPENAI, settings, wall=self._wall)

    def _transcriber(self) -> TranscriberPort:
        dial, settings = StagedDial(self.stage, self._new_ear), CaptureSettings()
        return LiveTranscriber(self.loop, dial, OPENAI, settings, self._listeners, ("Clankie",))

    def _synthesizer(self) -> TtsPort:
        dial, settings = StagedDial(self.stage, self._new_voice), TtsSettings(model=self._model)
        return ElevenLabsVoice(self.loop, dial, ELEVENLABS, settings)

    def _new_mind(self) -> Mind:
        number = len(self.minds)
        lasts = self._lasts[number] if number < len(self._lasts) else HOUR
        self.minds.append(Mind(self.book, self._think, lasts))
        return self.minds[-1]

    def _new_ear(self) -> Ear:
        self.ears.append(Ear(self.book))
        return self.ears[-1]

    def _new_voice(self) -> Voice:
        self.voices.append(Voice(self.book))
        return self.voices[-1]
