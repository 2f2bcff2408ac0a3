"""He comes and goes five times, hears, thinks and speaks with lent means, and has left nothing anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Self

import pytest

from actors.audio.opus import OpusEncoder
from actors.clock import SystemClock
from actors.console.local import ClosedConsole
from actors.gateway.local import LocalAccount
from actors.local_room import LocalRoom
from actors.voice.local import LocalVoiceLink
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES, SoundSink
from messages.evidence import Left, ModelResponse, Playback, Transcription, Watch
from messages.gateway import AskedBy, JoinAnswer, Joined, JoinVoice, LeaveAnswered, LeaveVoice
from messages.ids import CaptureId, PersonId, RoomId
from messages.people import Person
from supervisors.house import House
from supervisors.paths import kept_in
from supervisors.providers import Outside, Providers
from supervisors.secrets import Keys
from supervisors.settings import load
from supervisors.speech import LocalSpeech
from tests.actors.meter.fake import FakeBoard
from tests.loopback.discord.evening import Kept
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.mind import Asked, Reply, pieces_of
from tests.loopback.openai.server import OpenAi
from tests.loopback.providers import Ground, Socket
from tests.loopback.rig import PATIENCE, Traces
from tests.probe import Probe
from tests.stories.sound import Activity

ANNA: Final = PersonId("anna")
QUESTION: Final = "Clankie, are you there?"
STAYS: Final = 5
ASKED: Final = ("address", "requested")
VOICED, SILENT = 50, 60


def answers(asked: Asked) -> Reply:
    """Greet, and answer whoever asks."""
    return Reply(pieces=pieces_of("Yes, I am." if asked.trigger == "address" else "Hello."))


def spoken() -> tuple[bytes, ...]:
    """A second of voice, and then an open microphone."""
    encoder = OpusEncoder()
    loud = (b"\x40\x1f" * 24 + b"\xc0\xe0" * 24) * (FRAME_BYTES // 96)
    packets = tuple(encoder.encode(frame) for frame in (loud,) * VOICED + (bytes(FRAME_BYTES),) * SILENT)
    encoder.close()
    return packets


class NotedLink(LocalVoiceLink):
    """Says whose microphone it has opened."""

    def __init__(self, room: LocalRoom, settings: VoiceSettings, opened: Probe[CaptureId]) -> None:
        super().__init__(room, settings)
        self._opened = opened

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        super().microphone(person, capture, sink)
        if sink is not None:
            self._opened.tell(capture)


class Home(Traces):
    """A house whose ear, mind and mouth are lent, with Anna in its room."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self.openai = OpenAi(think=answers, hear=lambda _: QUESTION)
        self.elevenlabs = ElevenLabs()
        self.room, self.record = LocalRoom(RoomId("den")), Kept()
        self.room.arrive(Person(id=ANNA, label="Anna"))
        self.opened: Probe[CaptureId] = Probe()
        self._packets = spoken()

    @property
    def ground(self) -> Ground:
        return self.openai.ground

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.openai)
            stack.enter_context(self.elevenlabs)
            self._house = stack.enter_context(self._made())
            self._house.evidence.tell(Watch(watcher=self.record, may_see_words=False))
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def _made(self) -> House:
        """The house, as supervisors.local makes it, but that its ears read whether somebody speaks."""
        chosen = {"provider": "openai"}
        settings = load(
            None,
            {
                **kept_in(self._folder),
                "openai": {"base_url": self.openai.service.base_url},
                "elevenlabs": {"base_url": self.elevenlabs.service.base_url},
                "capture": chosen,
                "realtime": chosen,
                "tts": {"provider": "elevenlabs"},
            },
        )
        keys = Keys(openai=self.openai.key, elevenlabs=self.elevenlabs.service.key)
        self.io.start()
        clock = SystemClock()
        outside = Outside(
            gateway=lambda: LocalAccount(self.room),
            voice=lambda: NotedLink(self.room, settings.voice, self.opened),
            meter=FakeBoard,
            console=ClosedConsole,
        )
        speech = LocalSpeech(settings)
        ports = Providers(settings, speech, self.io, keys).ports(outside, clock)

        def close() -> None:
            assert self.io.stop(PATIENCE)
            speech.close()

        return House(settings, replace(ports, activity=Activity), clock, close)

    def comes(self) -> None:
        """He comes in and may hear Anna."""
        answered: Probe[JoinAnswer] = Probe()
        self._house.gateway.tell(JoinVoice(room=self.room.id, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(Joined, PATIENCE)
        self.room.consent(ANNA, True)
        self.opened.expect(str, PATIENCE)

    def is_asked(self) -> None:
        """Anna asks him something, and he begins to answer."""
        for packet in self._packets:
            self.room.send(ANNA, packet)
        assert self.record.expect(Transcription).outcome == "words"
        asked = self.record.expect(ModelResponse, lambda one: (one.trigger, one.phase) == ASKED)
        self.record.expect(Playback, lambda one: (one.phase, one.turn_id) == ("started", asked.turn_id))

    def goes(self) -> None:
        """He leaves, and every line ends, on both sides."""
        answered: Probe[LeaveAnswered] = Probe()
        self._house.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(LeaveAnswered, PATIENCE)
        self.record.expect(Left)
        self.rests()
        for server in (self.openai.ground, self.elevenlabs._place):
            server.until(partial(_over, server.sockets))


def _over(sockets: Sequence[Socket]) -> bool:
    return all(socket.over for socket in sockets)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with Home(tmp_path) as home:
        yield home


def test_five_stays_leave_nothing_behind(home: Home) -> None:
    before = home.footprint()
    assert before.tasks == {}
    for _ in range(STAYS):
        home.comes()
        home.is_asked()
        home.goes()
        home.settles(home.footprint, before)
    assert len(home.openai.conversations) == len(home.openai.listeners) == STAYS
    assert len(home.elevenlabs.sessions) == STAYS
    assert home.openai.violations == home.elevenlabs.violations == []
