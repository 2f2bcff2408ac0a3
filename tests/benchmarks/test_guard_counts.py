"""What can be counted is the same on any machine: letters, system calls, memory and imports have bounds."""

from __future__ import annotations

import gc
import itertools
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pytest

from actors.playback.decisions import TellVoice
from actors.voice.media import pipe
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.group import SILENCE
from actors.voice.media.rtp import TICKS, Packet, parse
from actors.voice.media.udp import MOST_AT_ONCE
from messages.audio import FRAME_BYTES, FRAME_SECONDS
from messages.ids import UtteranceId
from messages.voice import SoundCut
from tests.actors.capture.fake import LOUD, QUIET
from tests.actors.playback.test_core import END, QUEUE, STARTED, Mouth, sent, sound
from tests.benchmarks.hearing import PAUSE, WORD, Hearing
from tests.benchmarks.hot_paths import Receiving, Sending, Turning
from tests.benchmarks.receive.ears import KEY
from tests.source import ROOT

FRAMES: Final = 1_000
SOME_SOUND: Final = bytes(range(1, 241)) * (FRAME_BYTES // 240)
U: Final = UtteranceId("u")


@pytest.fixture
def receiving() -> Iterator[Receiving]:
    with Receiving() as path:
        yield path


@pytest.fixture
def sending() -> Iterator[Sending]:
    with Sending() as path:
        yield path


def envelopes(datagrams: Sequence[bytes]) -> list[Packet]:
    found = [parse(datagram) for datagram in datagrams]
    return [packet for packet in found if isinstance(packet, Packet)]


# --- letters and system calls


@pytest.mark.parametrize(("at_once", "most"), [(1, 1.0), (MOST_AT_ONCE, 1 / MOST_AT_ONCE)])
def test_what_was_heard_at_one_look_crosses_the_pipe_with_one_system_call(
    receiving: Receiving, monkeypatch: pytest.MonkeyPatch, at_once: int, most: float
) -> None:
    receiving.letters()
    calls = {"send": 0, "receive": 0}

    def counted(name: str, call: Callable[..., int]) -> Callable[..., int]:
        def counting(*args: Any) -> int:
            calls[name] += 1
            return call(*args)

        return counting

    monkeypatch.setattr(pipe, "_SEND", counted("send", pipe._SEND))
    monkeypatch.setattr(pipe, "_RECEIVE", counted("receive", pipe._RECEIVE))
    for _ in range(25):
        receiving.hear(receiving.packets(at_once))
    letters = receiving.letters()
    assert sum(len(letter.frames) for letter in letters) == 25 * at_once
    assert calls["send"] == len(letters) <= 25 * at_once * most
    assert calls["receive"] <= len(letters) + 2, "one look more finds the pipe empty"


def test_a_sentence_needs_few_letters_to_the_sender_and_back(sending: Sending) -> None:
    mouth, letters = Mouth().hears(QUEUE, sound(400), END, STARTED), 0
    for frames in range(5, 400, 5):
        letters += len(mouth.told(TellVoice))
        mouth.hears(sent(frames))
    assert letters <= 400 / 5
    sending.say(U, [SOME_SOUND] * 400)
    assert len(sending.news) <= 400 / 5 + 1


def test_an_ear_reads_a_knock_for_all_that_came_since_the_last_and_tells_few_letters() -> None:
    path = Hearing()
    path.hear(PAUSE * 20)
    path.forget()
    before = path.letters
    path.hear((QUIET,) * FRAMES)
    assert path.letters - before <= 1.01 * FRAMES
    assert not path.floor.received()
    before = path.letters
    path.hear((QUIET,) * FRAMES, at_once=MOST_AT_ONCE)
    assert path.letters - before <= 1.01 * FRAMES / MOST_AT_ONCE
    path.hear((WORD + PAUSE) * 20)
    told = len(path.floor.received()) + len(path.evidence.received()) + len(path.stay.received())
    assert told <= 12 * 20


def test_the_thread_of_all_sockets_is_woken_for_every_fourth_frame() -> None:
    path = Hearing()
    woken, sent_before = path.loop.woken, path.line.frames
    path.hear((LOUD,) * 100)
    assert path.line.frames - sent_before == 25
    assert path.loop.woken - woken <= 25


def test_a_turn_needs_few_letters_and_a_page_of_receipts(monkeypatch: pytest.MonkeyPatch) -> None:
    with Turning() as path:
        stage, paper = path.world.stage, path.world.paper
        path.ask()
        lines, letters, deliver = len(paper), 0, stage._deliver

        def counting(worker: Any) -> None:
            nonlocal letters
            letters += 1
            deliver(worker)

        monkeypatch.setattr(stage, "_deliver", counting)
        path.ask()
        assert path.world.spoken[-1] == "It is nine. It will be ten in an hour."
        assert letters <= 250
        assert len(paper) - lines <= 9
        assert sum(map(len, paper[lines:])) <= 3_200


# --- his sound on time


@pytest.mark.parametrize("said", [1, 7, 23, 50])
def test_after_the_news_of_a_stop_no_sound_leaves(sending: Sending, said: int) -> None:
    road = Cipher(AES_GCM, KEY)
    sending.mouth.play(U, SOME_SOUND * 60, 50.0)
    for _ in range(said):
        sending.slot()
    assert len(sending.arrived()) == said
    sending.mouth.cut(U, sending.mouth.due or 0.0)
    assert isinstance(sending.news[-1], SoundCut)
    for _ in range(60):
        sending.slot()
    late = sending.arrived()
    assert [road.open(packet, one) for packet, one in zip(envelopes(late), late, strict=True)] == [
        SILENCE
    ] * 5


@pytest.mark.parametrize("seed", range(3))
def test_however_late_he_is_called_in_a_slot_there_is_no_gap_in_the_schedule(
    sending: Sending, seed: int
) -> None:
    chance, mouth = random.Random(seed), sending.mouth
    mouth.play(U, SOME_SOUND * 20, 50.0)
    for slot in range(500):
        assert mouth.due == pytest.approx(50.0 + slot * FRAME_SECONDS)
        now = (mouth.due or 0.0) + chance.uniform(0.0, 0.95 * FRAME_SECONDS)
        assert mouth.turn(now)
        mouth.prepare()
        if slot % 10 == 0:
            mouth.play(U, SOME_SOUND * 10, now)
    packets = envelopes(sending.arrived())
    assert len(packets) == 500
    for before, packet in itertools.pairwise(packets):
        assert packet.sequence == before.sequence + 1 & 0xFFFF
        assert packet.timestamp == before.timestamp + TICKS & 0xFFFFFFFF
    assert mouth.missed == (0, 0)


# --- memory


def blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def most_bytes(act: Callable[[], object]) -> int:
    """The most memory of Python's that this takes beyond what there was, of the leanest of ten times."""
    found: list[int] = []
    tracemalloc.start()
    gc.disable()
    try:
        for _ in range(10):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            act()
            found.append(tracemalloc.get_traced_memory()[1] - before)
    finally:
        gc.enable()
        tracemalloc.stop()
    return min(found)


def test_nothing_is_kept_of_a_thousand_frames_that_came_in(receiving: Receiving) -> None:
    def hear(packets: int) -> None:
        for _ in range(packets // 100):
            receiving.hear(receiving.packets(100))
            assert receiving.letters()

    hear(200)
    before = blocks()
    hear(FRAMES)
    assert blocks() - before < FRAMES / 20


def test_nothing_is_kept_of_a_thousand_frames_that_went_out(sending: Sending) -> None:
    def say(frames: int) -> None:
        for _ in range(frames // 100):
            sending.say(U, [SOME_SOUND] * 100)
            assert sending.arrived()
            sending.news.clear()

    say(200)
    before = blocks()
    say(FRAMES)
    assert blocks() - before < FRAMES / 20


def test_nothing_is_kept_of_a_thousand_frames_that_an_ear_heard() -> None:
    path = Hearing()

    def hear(frames: int) -> None:
        for pcm in (LOUD, QUIET):
            path.hear((pcm,) * (frames // 2))
        path.forget()

    hear(FRAMES)
    before = blocks()
    hear(FRAMES)
    assert blocks() - before < FRAMES / 10


def test_a_frame_is_copied_no_more_often_than_it_must_be(receiving: Receiving, sending: Sending) -> None:
    packets = iter([[packet] for packet in receiving.packets(20)])
    sending.mouth.play(U, SOME_SOUND * 20, 50.0)
    sending.slot()
    assert most_bytes(lambda: receiving.hear(next(packets))) < 4 * FRAME_BYTES
    assert most_bytes(sending.slot) < 1.75 * FRAME_BYTES
    path = Hearing()
    assert most_bytes(lambda: path.hear((LOUD,))) < 4 * FRAME_BYTES


# --- what is loaded


@pytest.mark.parametrize(
    ("module", "most", "allowed"),
    [
        ("supervisors.cli", 200, {"typer", "shellingham", "annotated_doc"}),
        ("actors.voice.media.__main__", 290, {"davey", "websockets"}),
    ],
)
def test_a_program_loads_little_before_it_knows_what_is_wanted(
    module: str, most: int, allowed: set[str]
) -> None:
    code = f"import sys; before = {{*sys.modules}}; import {module}; print(*sys.modules.keys() - before)"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=50, check=True
    )
    loaded = told.stdout.split()
    houses = {"actors", "messages", "supervisors"}
    others = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - houses
    assert others <= allowed
    assert len(loaded) <= most
