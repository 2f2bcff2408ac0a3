"""The programs of this bench work; how fast is for the table to say."""

from __future__ import annotations

import struct
from pathlib import Path

from actors.voice.pacing import Speaker
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from messages.voice import SoundCut
from tests.benchmarks.kernel import private
from tests.benchmarks.media import stamped
from tests.benchmarks.media.chain import End, chain, measured
from tests.benchmarks.media.cuts import Cut, figures


def test_a_cut_is_measured_by_the_clocks_of_three() -> None:
    found = [
        Cut(decided=1.0, ordered=1.0002, handled=1.0004, told=1.0006),
        Cut(decided=2.0, ordered=2.0002, handled=2.0004, told=2.0006),
        Cut(decided=3.0, ordered=3.0002, handled=3.0004, told=3.0006),
    ]
    values = figures(found, [0.98, 0.99, 1.01, 1.99, 2.99, 3.5])
    told = {name: round(value, 3) for name, value in values.items()}
    assert told == {
        "handled_ms": 0.4,
        "link_ms": 0.2,
        "told_ms": 0.6,
        "silent_ms": 10.0,
        "late": 1.0,
    }


def test_a_stamped_process_writes_down_when_it_is_silent(tmp_path: Path) -> None:
    stamps = tmp_path / "stamps"
    stamps.touch()
    cut = Speaker.cut
    try:
        stamped.stamp(str(stamps))
        speaker = Speaker(Connection(1), VoiceSettings())
        speaker.play(UtteranceId("u"), bytes(960), 1.0)
        (news,) = speaker.cut(UtteranceId("u"), 1.0)
    finally:
        Speaker.cut = cut  # type: ignore[method-assign]
    assert isinstance(news, SoundCut)
    assert struct.unpack("@d", stamps.read_bytes())[0] > 0


def test_frames_come_through_three_actors() -> None:
    end = End()
    with chain(end) as first:
        assert measured(first, end, 20, 0.0) > 0


def test_this_process_weighs_something() -> None:
    assert private() > 1
