"""Nobody makes a hot path much dearer unnoticed: its CPU stands beside that of the libraries alone.

Both take turns in short runs, and the cheapest run of each counts: whoever else uses the machine makes runs
dearer, and none cheaper. Most bounds let double what the product adds to its libraries.
"""

from __future__ import annotations

import binascii
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, ParamSpec

import pytest

from actors.audio.opus import OpusDecoder
from messages.audio import FRAME_SECONDS
from messages.ids import SegmentId
from tests.actors.capture.fake import LOUD, QUIET
from tests.benchmarks.bare import BareHopping, BareReceiving, BareSending
from tests.benchmarks.hearing import Hearing
from tests.benchmarks.hot_paths import Hopping, Receiving, Sending
from tests.benchmarks.pacing.speech import frames
from tests.benchmarks.receive.people import spoken

P = ParamSpec("P")
Pairs = Iterable[tuple[float, float]]
"""CPU seconds of ours and of theirs, run by run."""
RUNS: Final = 8
FRAMES, HOPS = 100, 200

pytestmark = pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer would be measured too")


@pytest.fixture
def one_core() -> Iterator[None]:
    """Threads that begin now share a core: else where they happen to run decides what a hop costs."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("threads cannot be kept on one core here")
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


def cpu(act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """Seconds of CPU of this thread."""
    began = time.thread_time()
    act(*args, **kwargs)
    return time.thread_time() - began


def ratio(pairs: Pairs) -> float:
    """How many times theirs is ours."""
    ours, theirs = zip(*pairs, strict=True)
    return float(min(ours) / min(theirs))


def received() -> Pairs:
    with Receiving() as path, BareReceiving(path) as bare:
        for _ in range(RUNS):
            packets = path.packets(FRAMES)
            sealed = bare.cut(packets)
            yield cpu(path.hear, packets) / FRAMES, cpu(bare.open, sealed) / len(sealed)
            assert sum(len(letter.frames) for letter in path.letters()) == FRAMES


def sent() -> Pairs:
    pcm = frames(FRAMES * FRAME_SECONDS)
    with Sending() as path, BareSending(path) as bare:
        for number in range(RUNS):
            headers = bare.headers(FRAMES)
            yield cpu(path.say, str(number), pcm), cpu(bare.say, pcm, headers)
            assert len(path.arrived()) == 2 * FRAMES


def hopped() -> Pairs:
    bare = BareHopping()
    with Hopping() as path:
        for _ in range(RUNS):
            yield path.play(HOPS), bare.play(HOPS)


def appended() -> Pairs:
    path = Hearing()

    def append() -> None:
        for _ in range(FRAMES):
            path.port.append(SegmentId("ear.1"), LOUD)

    def to_text() -> None:
        for _ in range(FRAMES // 4):
            binascii.b2a_base64(4 * LOUD, newline=False).decode("ascii")

    for _ in range(RUNS):
        before = path.line.frames
        yield cpu(append), cpu(to_text)
        assert path.line.frames == before + FRAMES // 4


def heard(pcm: bytes) -> Pairs:
    path, decoder = Hearing(), OpusDecoder()
    for _ in range(RUNS):
        yield cpu(path.hear, (pcm,) * FRAMES), cpu(lambda: [*map(decoder.decode, spoken()[:FRAMES])])
        path.forget()
    decoder.close()


def test_a_packet_that_comes_in_costs_little_more_than_its_libraries() -> None:
    assert ratio(received()) < 1.7


def test_a_frame_that_goes_out_costs_little_more_than_its_libraries() -> None:
    assert ratio(sent()) < 1.3


@pytest.mark.usefixtures("one_core")
def test_a_letter_between_actors_costs_little_more_than_a_queue_between_threads() -> None:
    assert ratio(hopped()) < 1.4


def test_sound_on_its_way_to_a_provider_costs_little_more_than_its_spelling() -> None:
    assert ratio(appended()) < 2.3


@pytest.mark.parametrize(("pcm", "bound"), [(LOUD, 0.85), (QUIET, 0.45)], ids=["voice", "silence"])
def test_a_frame_costs_an_ear_less_than_it_cost_to_decode(pcm: bytes, bound: float) -> None:
    assert ratio(heard(pcm)) < bound
