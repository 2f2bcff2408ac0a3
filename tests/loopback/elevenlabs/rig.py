"""The voice of ElevenLabs with its server, for tests of what faults leave behind."""

from __future__ import annotations

import json
from typing import Final

from actors.net.cable import Limits
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesizerLost, UnitSpoken, VoiceSpent
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.elevenlabs.session import Session
from tests.loopback.providers import Ground, Parting
from tests.loopback.rig import MUCH_TEXT, PATIENCE, PROSE, Rig

TEXT: Final = "A sentence that is long enough to be interrupted in the middle."


class VoiceRig(Rig):
    """The voice of ElevenLabs in one of its dialects."""

    fine = (SoundMade, UnitSpoken, VoiceSpent)
    model = "eleven_flash_v2_5"

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(limits)
        self.server = ElevenLabs()

    @property
    def ground(self) -> Ground:
        return self.server._place

    @property
    def session(self) -> Session:
        """The server's end, as what it is."""
        assert isinstance(self.socket, Session)
        return self.socket

    def serve(self) -> None:
        self.server.__enter__()
        self.server.manners.chunk_bytes = 960
        settings = TtsSettings(model=self.model)
        self.port = ElevenLabsVoice(self.io, self.dial, self.server.service, settings)
        self.port.open(self.told.tell)

    def stop_serving(self) -> None:
        self.server.__exit__()
        assert self.server.violations == []

    def connect(self) -> None:
        """There is nothing to do before something is said."""

    def say(self) -> None:
        """Every second time it is not known yet that this was all of the utterance."""
        self.server.manners.times_real = 20.0
        self._speak(last=self.number % 2 == 0)

    def reached(self) -> None:
        self.session.wait_for("flush", PATIENCE)

    def sounding(self) -> None:
        while self.told.expect(SoundMade, PATIENCE).utterance != self._utterance:
            pass

    def drop(self) -> None:
        self.port.forget(Connection(self.connection), self._utterance)

    def dawdle(self) -> None:
        self.server.manners.hold_finals = True

    def dropped(self) -> None:
        self.session.wait_for("close_context", PATIENCE)

    def whole(self) -> None:
        self.server.manners.times_real = None
        self._speak()
        while (spoken := self.told.expect(UnitSpoken, PATIENCE)).utterance != self._utterance:
            pass
        assert spoken == UnitSpoken(connection=Connection(self.connection), utterance=self._utterance, unit=0)
        self.reached()
        self.drop()
        self.dropped()

    def pour(self) -> None:
        self._speak(MUCH_TEXT)

    def go_on(self) -> None:
        session = self.session
        context = session.received[-1]["context_id"]
        for _ in range(10):
            session.send_audio(str(context))
        session.send_audio("c-never-heard-of")
        self.told.clear()
        self.server.manners.hold_finals = False
        self.whole()
        self.session.release_finals()
        sounds = [one for one in self.told.received() if isinstance(one, SoundMade)]
        assert {one.utterance for one in sounds} == {self._utterance}

    def refuse(self) -> None:
        self.session.fail("quota_exceeded", PROSE)

    def complaint(self) -> str:
        return json.dumps({"message": PROSE, "error": "quota_exceeded", "code": 1008, "param": None})

    def idle(self) -> None:
        self.session.fall_idle()

    def when_left(self, parting: Parting) -> None:
        """The port takes its leave in a frame of its own, to which this server says nothing by itself."""
        self.server.manners.ignores_close_socket = True
        self._parting = parting

    def leaves(self) -> None:
        """What the server does once it has read that frame."""
        session = self.session
        session.wait_for("close_socket", PATIENCE)
        for frame in self._parting.frames:
            session.send_text(frame)
        if self._parting.abort:
            session.abort()
        elif self._parting.code:
            session.close(self._parting.code, self._parting.reason)

    def lost(self, reason: str) -> SynthesizerLost:
        return SynthesizerLost(connection=Connection(self.connection), reason=reason)

    def held_by_server(self) -> list[str]:
        return [name for one in self.server.sessions if not one.over for name in one.contexts]

    def held_by_port(self) -> list[str]:
        contexts = [mouth._contexts for mouth in self.port._mouths()]
        return [name for one in contexts for name in (*one._live, *(job.utterance for job in one._waiting))]

    def close(self) -> None:
        self.port.close()

    @property
    def _utterance(self) -> UtteranceId:
        return UtteranceId(f"u{self.number}")

    def _speak(self, text: str = TEXT, last: bool = True) -> None:
        self.next_number()
        self.port.speak(Connection(self.connection), self._utterance, 0, text, last)


class DialogueRig(VoiceRig):
    """The same in the dialect of the newer models."""

    model = "eleven_v4_turbo"
