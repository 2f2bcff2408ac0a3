"""The judge believes receipts, heard words and the recording, and says what he saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from messages import evidence as e
from supervisors.rehearsal.judge import Proof, judge, needs_transcript, occurrences
from supervisors.rehearsal.moments import Moments
from tests.supervisors.rehearsal.play import ANN, BOB, PLAY, STAY, consent, moment, moments, scenario

PROOF = Proof(
    moments=moments(), transcript=("Hello everybody.", "Lighthouses are towers that sand out light.")
)


def verdict(folder: Path, expectation: str, proof: Proof = PROOF) -> tuple[bool, str]:
    (only,) = judge(scenario(folder, f"{PLAY}[[expect]]\n{expectation}\n"), proof)
    return only.held, only.sentence


@pytest.mark.parametrize(
    ("expectation", "held"),
    [
        ('receipt = "joined"', True),
        ('receipt = "degraded"', False),
        ('receipt = "degraded"\ncount = 0', True),
        ('receipt = "playback"\nwhere = { phase = "started" }\ncount = 2', True),
        ('receipt = "playback"\nwhere = { phase = "started" }\ncount = 1', False),
        ('receipt = "playback"\nmin = 4', True),
        ('receipt = "playback"\nmax = 3', False),
        ('receipt = "degraded"\nmax = 3', True),
        ('receipt = "interrupted"\nwhere = { wordEndToCutMs = 410, partial = true }', True),
        ('receipt = "interrupted"\nwhere = { word_end_to_cut_ms = 410.0 }', True),
        ('receipt = "interrupted"\nwhere = { personId = "Bob" }', False),
        ('receipt = "interrupted"\nwhere = { personId = "Ann" }', True),
        ('heard = "tell me about lighthouses"', True),
        ('heard = "tell me about lighthouses"\nby = "Ann"', True),
        ('heard = "tell me about lighthouses"\nby = "Bob"', False),
        ('heard = "tell me about lighthouses"\nby = "Bob"\ncount = 0', True),
        ('spoken = "towers that send out light"', True),
        ('spoken = "warned ships"', False),
        ('spoken = "warned ships"\ncount = 0', True),
        ('spoken = "hello everybody"\ncount = 1', True),
        ('never_decoded = "Bob"', True),
        ('never_decoded = "Ann"', False),
        ('within = 0.1\nfrom = { receipt = "interrupted" }\nto = { receipt = "playback" }', True),
        ('within = 0.01\nfrom = { receipt = "interrupted" }\nto = { receipt = "playback" }', False),
        ('within = 5\nfrom = { receipt = "degraded" }\nto = { receipt = "playback" }', False),
        ('within = 5\nfrom = { receipt = "left" }\nto = { receipt = "playback" }', False),
        ('within = 9\nfrom = { receipt = "left" }\nto = { receipt = "playback", nth = 1 }', False),
        (
            'within = 6\nfrom = { receipt = "playback", nth = 1 }\nto = { receipt = "playback", nth = 3 }',
            True,
        ),
        ('exit = "left"', True),
        ('exit = "left"\nreason = "self_decided"', True),
        ('exit = "left"\nreason = "kicked"', False),
    ],
)
def test_an_expectation_holds_or_does_not(tmp_path: Path, expectation: str, held: bool) -> None:
    assert verdict(tmp_path, expectation)[0] is held


@pytest.mark.parametrize(
    ("expectation", "sentence"),
    [
        ('receipt = "degraded"', "degraded: at least once; it was never"),
        ('receipt = "playback"\nmin = 1\nmax = 3', "playback: 1 to 3 times; it was 4 times"),
        (
            'heard = "stop it"\nby = "Bob"',
            "heard “stop it” by Bob: at least once; it was never; heard were: nothing",
        ),
        ('never_decoded = "Bob"', "not a packet of Bob was decoded; 0 were decoded and 205 dropped unread"),
        ('exit = "left"\nreason = "kicked"', "he has left (kicked); the reason was self_decided"),
    ],
)
def test_a_verdict_says_what_was_expected_and_what_came(
    tmp_path: Path, expectation: str, sentence: str
) -> None:
    assert verdict(tmp_path, expectation)[1] == sentence


def test_a_failed_spoken_shows_what_the_recording_says(tmp_path: Path) -> None:
    assert "“Hello everybody.” / “Lighthouses" in verdict(tmp_path, 'spoken = "warned ships"')[1]


@pytest.mark.parametrize(
    ("counts", "held"),
    [((), False), ((consent(BOB, "counted", 0, 0),), False), ((consent(BOB, "counted", 1, 9),), False)],
)
def test_silence_or_a_single_decoded_packet_does_not_prove_privacy(
    tmp_path: Path, counts: tuple[e.Consent, ...], held: bool
) -> None:
    seen: Moments = tuple(moment(1.0, count) for count in counts)
    assert verdict(tmp_path, 'never_decoded = "Bob"', Proof(moments=seen, transcript=()))[0] is held


def test_two_farewells_are_no_exit(tmp_path: Path) -> None:
    left = e.Left(stay_id=STAY, reason="kicked", duration_ms=1)
    proof = Proof(moments=(moment(1.0, left), moment(2.0, left)), transcript=())
    assert verdict(tmp_path, 'exit = "left"', proof) == (False, "he has left; he left 2 times")


def test_words_are_counted_as_often_as_they_stand_there() -> None:
    assert occurrences("stop it now and stop it again", "stop it") == 2
    assert occurrences("the time is five", "stop it") == 0


def test_only_spoken_words_need_a_transcript(tmp_path: Path) -> None:
    assert not needs_transcript(scenario(tmp_path))
    assert needs_transcript(scenario(tmp_path, PLAY + '[[expect]]\nspoken = "hello"\n'))


def test_a_verdict_knows_the_line_of_its_expectation(tmp_path: Path) -> None:
    (only,) = judge(scenario(tmp_path, PLAY + '[[expect]]\nheard = "tell me"\nby = "Ann"\n'), PROOF)
    assert (only.line, only.held) == (17, True)
    assert ANN == "ann"
