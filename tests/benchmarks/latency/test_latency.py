"""A turn is cut into its stages; and the programs run, which is seen in a few turns of one room."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from actors.audio.opus import OpusDecoder
from tests.benchmarks.latency.bench import BENCHES
from tests.benchmarks.latency.cores import Cores
from tests.benchmarks.latency.moments import Asked, Moment, Moved, Rooms, read, written
from tests.benchmarks.latency.plan import GROWTH, HEAD
from tests.benchmarks.latency.playing import Part, Played, count_turns, play
from tests.benchmarks.latency.program import key, values
from tests.benchmarks.latency.section import NAMES, OVERLOADED
from tests.benchmarks.latency.sounds import (
    CHATTER,
    QUESTION,
    STOP,
    STORY,
    begun,
    peaks_of,
    recorded,
    understood,
)
from tests.benchmarks.latency.stages import STAGES, Kind, Stage, samples
from tests.benchmarks.latency.talking import Table

ROOM, STAY, ANNA = "7", "5tay", "42"
ASKED = Asked(room=ROOM, person=ANNA, sent=(3.0, 3.02, 3.04), stop=(4.0,), over=5.0)
BEGINS = (3.64, 3.65, 3.653, 3.66, 3.67, 3.68)


def noted(at: float, kind: str, detail: str = "") -> Moment:
    return Moment(at=at, path=f"root/body/stays/{STAY}/room", kind=kind, detail=detail)


def evening(*further: Moment) -> Rooms:
    details = {"VoiceEnded": ANNA, "WordsHeard": f"{ANNA} final {QUESTION}", "TurnAsked": "address"}
    turn = [noted(at, kind, details.get(kind, "")) for at, (_, kind, _) in zip(BEGINS, STAGES, strict=True)]
    joined = Moment(at=0.0, path="root/evidence", kind="Joined", detail=f"{STAY} {ROOM}")
    return Rooms([joined, *turn, *further], {ROOM: [3.684, 3.704, 4.1, 4.12]})


def test_a_turn_is_cut_into_stages_that_are_together_the_whole() -> None:
    found = samples(evening(), [ASKED], [])
    stages = [found[stage][0] for stage in Stage]
    assert stages == pytest.approx([600, 10, 3, 7, 10, 10, 4])
    assert found[Kind.TURN] == pytest.approx([sum(stages)])
    assert found[Kind.ADDED] == pytest.approx([34])


def test_what_others_say_meanwhile_is_no_stage_of_the_turn() -> None:
    others = (
        noted(3.1, "VoiceEnded", "43"),
        noted(3.645, "WordsHeard", "43 final"),
        noted(3.651, "TurnAsked", "offer"),
    )
    assert samples(evening(*others), [ASKED], []) == samples(evening(), [ASKED], [])


def test_a_turn_with_a_stage_that_is_missing_is_not_counted() -> None:
    assert Stage.SILENCE not in samples(Rooms([], {ROOM: []}), [ASKED], [])
    assert Stage.SILENCE not in samples(evening(), [replace(ASKED, over=3.66)], [])


def test_words_that_grow_are_held_against_the_packet_that_was_heard_last() -> None:
    other = noted(3.05, "WordsHeard", f"43 so_far Clankie, {1}")
    late = noted(3.06, "WordsHeard", f"{ANNA} so_far Clankie, 9")
    mine = noted(3.045, "WordsHeard", f"{ANNA} so_far Clankie, 2")
    assert samples(evening(other, late, mine), [ASKED], [])[Kind.DELTA] == pytest.approx([25])


def test_a_cut_is_timed_from_its_decision_to_the_last_packet() -> None:
    found = samples(evening(noted(4.11, "CutSpeech")), [ASKED], [])
    assert found[Kind.CUT] == pytest.approx([30])
    assert found[Kind.STOP] == pytest.approx([120])
    assert samples(evening(noted(4.15, "CutSpeech")), [ASKED], [])[Kind.CUT] == pytest.approx([-10])


def test_a_coming_is_timed_to_the_floor_and_on_to_the_turn_that_it_asks_for() -> None:
    told, asked = noted(6.01, "RosterTold", "arrived"), noted(7.01, "TurnAsked", "membership")
    found = samples(evening(told, asked), [], [Moved(room=ROOM, at=6.0)])
    assert found[Kind.ROSTER] == pytest.approx([10])
    assert found[Kind.MEMBERSHIP] == pytest.approx([1_000])
    assert Kind.ROSTER in samples(evening(told), [], [Moved(room=ROOM, at=6.0)])


def test_moments_are_read_as_they_were_written() -> None:
    assert read(written([noted(1.0, "SayText")])) == [noted(1.0, "SayText")]


def test_each_sound_is_understood_as_what_it_is_when_it_has_been_sent() -> None:
    sounds = recorded()
    said = {sounds.question: QUESTION, sounds.story: STORY, sounds.stop: STOP, sounds.chatter: CHATTER}
    for packets, words in said.items():
        decoder = OpusDecoder()
        pcm = b"".join(decoder.decode(packet) for packet in (*[sounds.silence] * 9, *packets))
        decoder.close()
        assert understood(pcm) == words
        if words in {QUESTION, STORY}:
            assert begun(peaks_of(pcm)) == f"Clankie, {len(packets)}"


def test_the_lines_and_tables_read_what_the_programs_tell() -> None:
    told = {
        key(HEAD[0].name, what, which) for what in (*Stage, *Kind) for which in ("n", "p50", "p95", "p99")
    }
    head, growth = BENCHES
    assert {line.ours.key for line in head.lines} <= told
    assert head.section is not None
    assert growth.section is not None
    assert any(
        "| 600 | 3 | 3 |" in line
        for line in head.section(
            {"ours": [dict.fromkeys(told, 3.0) | {key("head", "silence", "p50"): 600.0}]}
        )
    )
    whole = {key(part.name, Kind.TURN, "n"): 5.0 for part in GROWTH}
    assert "| of them, turns of which every stage was seen | 5 | 5 | 5 | 5 | 5 |" in list(
        growth.section({"ours": [whole]})
    )


def test_where_no_core_was_idle_and_he_is_late_that_is_told_and_no_figure() -> None:
    growth, many = BENCHES[1].section, GROWTH[-1].name
    assert growth is not None
    told = {key(part.name, Kind.ADDED, "p50"): 7.0 for part in GROWTH}
    told |= {key(part.name, Kind.ADDED, "p95"): 9.0 for part in GROWTH}
    for idle, added, last in ((0.26, 41.0, "41 (9)"), (0.24, 39.0, "39 (9)"), (0.24, 41.0, OVERLOADED)):
        found = told | {key(many, Kind.TURN, "idle"): idle, key(many, Kind.ADDED, "p50"): added}
        lines = list(growth({"ours": [found]}))
        assert f"| {NAMES[Kind.ADDED]} | 7 (9) | 7 (9) | 7 (9) | 7 (9) | {last} |" in lines


def test_the_share_of_the_cores_that_nobody_used_is_told(tmp_path: Path) -> None:
    stat = tmp_path / "stat"
    stat.write_text("cpu  10 0 10 100 0 0 0 0 7 0\ncpu0 1\n")
    cores = Cores(stat)
    assert cores.idle == 0.0
    stat.write_text("cpu  60 0 30 120 10 0 0 0 99 0\ncpu0 1\n")
    assert cores.idle == 0.3


def test_a_story_that_no_word_stopped_is_counted() -> None:
    table = Table(ROOM, Mock(), [], Mock(arrivals=[]), Mock())
    table.asked = [ASKED, ASKED]
    for cut, unstopped in ((noted(4.11, "CutSpeech"), 0), (noted(5.5, "CutSpeech"), 1)):
        played = Played(part=HEAD[0], tables=[table])
        count_turns([played], evening(cut))
        assert dict(values(played))[key("head", Kind.TURN, "unstopped")] == unstopped


def test_a_room_is_played_from_the_first_packet_to_the_last() -> None:
    (played,) = play([Part(name="short", rooms=1, talkers=1, seconds=45.0, turns=2)])
    told = dict(values(played))
    assert told[key("short", Kind.TURN, "lost")] == 0
    assert {what for what in (*Stage, Kind.TURN, Kind.DELTA) if key("short", what, "n") not in told} == set()
