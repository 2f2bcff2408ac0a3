"""Whose ears, mind and mouth he has: what the configuration names, on this machine or far away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from actors.captain.local_ledger import LocalLedger
from actors.capture.live.listeners import Listeners
from actors.evidence.local import LocalSink
from actors.net.loop import IoLoop
from actors.net.service import Service, is_loopback
from supervisors.preflight import chosen_providers
from supervisors.secrets import Keys
from supervisors.settings import Settings
from supervisors.speech import LocalSpeech
from supervisors.wiring import Ports

if TYPE_CHECKING:
    from actors.captain.port import MindPort, ToolboxPort
    from actors.captain.script import CaptainScript
    from actors.capture.port import TranscriberPort, VoiceActivityPort
    from actors.clock import SystemClock
    from actors.console.port import ConsolePort
    from actors.gateway.port import GatewayPort
    from actors.meter.port import MeterPort
    from actors.net.line import Dial
    from actors.realtime.port import RealtimePort
    from actors.realtime.script import Script
    from actors.tts.port import TtsPort
    from actors.voice.port import VoicePort

_NAMES = {"openai": "OpenAI", "elevenlabs": "ElevenLabs"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """The hands on the world that are neither ear, mind nor mouth: who he is, how he sounds, who may look."""

    gateway: Callable[[], GatewayPort]
    voice: Callable[[], VoicePort]
    meter: Callable[[], MeterPort]
    console: Callable[[], ConsolePort]
    own_room: bool = False
    """Whether people sit on the page of the house."""


class Providers:
    """Makes the ports of ears, minds and mouth; in a rehearsal the scripts think before the rules do.

    Each is imported when it is first made: a house opens sooner without those that it has no use for.
    """

    def __init__(
        self,
        settings: Settings,
        speech: LocalSpeech,
        loop: IoLoop,
        keys: Keys,
        script: Script | None = None,
        captain_script: CaptainScript | None = None,
    ) -> None:
        self._settings, self._speech, self._loop = settings, speech, loop
        self._script, self._captain_script = script, captain_script
        self._listeners = Listeners(settings.stay.most_heard * settings.gateway.max_stays)
        self._openai = Service(base_url=settings.openai.base_url, key=keys.openai or "")
        self._elevenlabs = Service(base_url=settings.elevenlabs.base_url, key=keys.elevenlabs or "")
        self._chat = Service(base_url=settings.realtime.base_url or "", key=keys.chat or "")
        own = settings.captain.base_url
        self._responses = self._openai if own is None else Service(base_url=own, key=keys.captain or "")
        self._tokens = keys.mcp

    @staticmethod
    def warm(settings: Settings) -> None:
        """Import what takes long to import before the house opens, for then nobody may wait for it."""
        over_http = settings.realtime.provider == "chat" or settings.captain.provider == "openai"
        if over_http or settings.tts.provider == "openai":
            from actors.net.sdk import warm

            warm()

    def ports(self, outside: Outside, clock: SystemClock) -> Ports:
        """Every port of a house."""
        evidence, captain = self._settings.evidence, self._settings.captain
        return Ports(
            gateway=outside.gateway,
            voice=outside.voice,
            activity=self.activity,
            transcriber=self.transcriber,
            realtime=self.mind,
            tts=self.synthesizer,
            captain_mind=lambda: self.slow_mind(clock, own_room=outside.own_room),
            toolbox=self.toolbox,
            ledger=lambda: LocalLedger(
                captain.directory.expanduser(),
                keep_days=captain.keep_days,
                now=lambda: clock.wall().timestamp(),
            ),
            evidence=lambda: LocalSink(evidence),
            meter=outside.meter,
            console=outside.console,
        )

    def activity(self) -> VoiceActivityPort:
        """Who notices that one person speaks."""
        from actors.capture.local import LocalActivity

        return LocalActivity(self._speech.hearing)

    def transcriber(self) -> TranscriberPort:
        """Who writes down one person's words."""
        if self._settings.capture.provider == "local":
            from actors.capture.local import LocalTranscriber

            return LocalTranscriber(self._speech.hearing)

        from actors.capture.live.transcriber import LiveTranscriber

        floor = self._settings.floor
        names = (floor.name, *floor.aliases)
        return LiveTranscriber(
            self._loop, self._dial, self._openai, self._settings.capture, self._listeners, names
        )

    def mind(self) -> RealtimePort:
        """Who thinks."""
        realtime = self._settings.realtime
        match realtime.provider:
            case "rules":
                from actors.realtime.local import LocalBrain

                return LocalBrain(self._script)
            case "openai":
                from actors.realtime.live.conversation import LiveConversation

                return LiveConversation(self._loop, self._dial, self._openai, realtime)
            case "chat":
                from actors.realtime.live.chat import ChatMind

                return ChatMind(self._loop, self._chat, realtime)

    def slow_mind(self, clock: SystemClock, *, own_room: bool = False) -> MindPort:
        """Who looks things up and has them done."""
        captain = self._settings.captain
        match captain.provider:
            case "local":
                from actors.captain.local import LocalMind

                floor = self._settings.floor
                return LocalMind(
                    clock,
                    names=(floor.name, *floor.aliases, *floor.weak_aliases),
                    delay_seconds=captain.delay_seconds,
                    notes_file=captain.notes_file,
                    script=self._captain_script,
                    own_room=own_room,
                )
            case "openai":
                from actors.captain.live.responses import ResponsesMind

                return ResponsesMind(self._loop, self._responses, captain)

    def toolbox(self) -> ToolboxPort:
        """Whose tools he may use beside his own."""
        from actors.captain.live_toolbox.toolbox import EmptyToolbox, McpToolbox

        captain = self._settings.captain
        if not captain.mcp:
            return EmptyToolbox()
        return McpToolbox(self._loop, captain.mcp, self._tokens, tool_seconds=captain.tool_seconds)

    def synthesizer(self) -> TtsPort:
        """Whose voice it is."""
        tts = self._settings.tts
        match tts.provider:
            case "local":
                from actors.tts.local import LocalSynthesizer

                return LocalSynthesizer(tts, self._speech.voice)
            case "elevenlabs":
                from actors.tts.live.elevenlabs import ElevenLabsVoice

                return ElevenLabsVoice(self._loop, self._dial, self._elevenlabs, tts)
            case "openai":
                from actors.tts.live.openai import OpenAiVoice

                return OpenAiVoice(self._loop, self._openai, tts)

    @cached_property
    def _dial(self) -> Dial:
        # Who asks no provider needs no websockets.
        from actors.net.guarded import GuardedDial

        return GuardedDial(self._loop)


def companies(settings: Settings) -> tuple[str, ...]:
    """Who gets sound of the room, or text of what is said in it; nobody if all is done on this machine."""
    captain, chosen = settings.captain, chosen_providers(settings)
    named = [name for provider, name in _NAMES.items() if provider in chosen.values()]
    elsewhere = [server.url for server in captain.mcp.values()]
    if settings.realtime.provider == "chat":
        elsewhere.append(settings.realtime.base_url or "")
    if captain.base_url is not None:
        elsewhere.append(captain.base_url)
    hosts = (urlsplit(address).hostname or "" for address in elsewhere)
    return (*named, *dict.fromkeys(host for host in hosts if host and not is_loopback(host)))
