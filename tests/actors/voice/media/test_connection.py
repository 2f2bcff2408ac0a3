"""Sound leaves first: what costs milliseconds is done right after a packet, or at once where none leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.voice.live.cradle import begin
from actors.voice.media import connection as module
from actors.voice.media import mail
from actors.voice.media.connection import Connected
from actors.voice.media.listening import Listening
from actors.voice.media.web import Network
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES
from tests.actors.voice.media.hearing import Keys

BEGIN = begin(VoiceSettings(), ca_file=None, proxy=None, opus_library=None)
CALL = mail.Open(connection=1, user=1, guild=2, channel=3)


class Lines:
    """Lines of which one is up; they write down in which order they were used."""

    made: Lines

    def __init__(self, _call: mail.Open, *, work: Callable[[], None], **_rest: object) -> None:
        Lines.made = self
        self.current = self
        self.did: list[str] = []
        self.work_waiting = False
        self.work_waits = work
        self.why: str | None = None
        self.changed = asyncio.Event()

    def letter_comes(self) -> None:
        self.work_waiting = True
        self.work_waits()

    def work(self, _now: float) -> None:
        self._do("work")
        self.work_waiting = False

    def obstacle(self) -> str | None:
        return self.why

    def send(self, _frame: bytes, _slots: int) -> bool:
        self._do("packet")
        return True

    def speaking(self, on: bool) -> None:
        pass

    def close(self) -> None:
        pass

    async def have_done(self, many: int) -> None:
        async with asyncio.timeout(2.0):
            while len(self.did) < many:
                self.changed.clear()
                await self.changed.wait()

    def _do(self, what: str) -> None:
        self.did.append(what)
        self.changed.set()


def sound(frames: int) -> mail.Sound:
    return mail.Sound(connection=1, utterance=1, pcm=b"\x10" * FRAME_BYTES * frames)


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Connected, Lines], object]], None]:
    monkeypatch.setattr(module, "Lines", Lines)

    def play(story: Callable[[Connected, Lines], object]) -> None:
        async def run() -> None:
            connected = Connected(
                CALL,
                BEGIN,
                network=Network(tls=None, proxy=None, webs=set()),  # type: ignore[arg-type]
                listening=Listening(OpusDecoder, lambda _heard: None),
                make_group=lambda _call: Keys(),
                tell=lambda _news: None,
                listened=lambda: None,
            )
            try:
                told = story(connected, Lines.made)
                if asyncio.iscoroutine(told):
                    await told
            finally:
                connected.close()

        asyncio.run(run())

    return play


Scene = Callable[[Callable[[Connected, Lines], object]], None]


def test_work_of_the_group_waits_for_the_next_packet_while_he_speaks(scene: Scene) -> None:
    async def story(connected: Connected, lines: Lines) -> None:
        connected.obey(sound(3))
        await asyncio.sleep(0)
        lines.letter_comes()
        await asyncio.sleep(0)
        assert lines.did == ["packet"]
        await lines.have_done(4)
        assert lines.did == ["packet", "packet", "work", "packet"]

    scene(story)


def test_work_of_the_group_is_done_at_once_while_he_is_silent(scene: Scene) -> None:
    async def story(_connected: Connected, lines: Lines) -> None:
        lines.letter_comes()
        lines.work_waits()
        await asyncio.sleep(0)
        assert lines.did == ["work"]

    scene(story)


def test_work_of_the_group_is_done_at_once_while_his_speech_waits_for_its_keys(scene: Scene) -> None:
    async def story(connected: Connected, lines: Lines) -> None:
        lines.why = "dave_not_ready"
        connected.obey(sound(3))
        lines.letter_comes()
        await asyncio.sleep(0)
        assert lines.did == ["work"]

    scene(story)


def test_a_burst_of_sound_costs_one_frame_before_the_first_packet_leaves(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []
    encode = OpusEncoder.encode

    def counting(self: OpusEncoder, pcm: bytes) -> bytes:
        encoded.append(len(pcm))
        return encode(self, pcm)

    monkeypatch.setattr(OpusEncoder, "encode", counting)

    async def story(connected: Connected, lines: Lines) -> None:
        connected.obey(sound(10))
        assert (lines.did, len(encoded)) == (["packet"], 1)
        await asyncio.sleep(0)
        assert len(encoded) == 2

    scene(story)
