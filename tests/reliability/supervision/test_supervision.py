"""The instrument itself: everybody crashed once, and findings that are told as what they are."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from actors.stay.leaving import BROKEN_NOTICE
from messages.evidence import BridgeDegraded, Degraded, Left
from messages.ids import StayId
from tests.reliability.supervision.__main__ import app
from tests.reliability.supervision.measure import Crash, _repeated
from tests.reliability.supervision.play import named, play
from tests.reliability.supervision.sound import Sentence
from tests.reliability.supervision.tables import WHOLE, Row, broken, percentile, table
from tests.reliability.supervision.tree import ACTORS, Actor

STAY = StayId("s1")
GOOD = Crash(
    opened=0.01,
    served=0.02,
    heard=WHOLE,
    repeated=False,
    broke_off=0.0,
    pause=0.02,
    silence=None,
    posted=frozenset(),
    notices=(),
    remembers=True,
    receipts=(Degraded(stay_id=STAY, phase="restarted", reason="crashed", part="realtime"),),
)
HALF = replace(GOOD, heard=frozenset({0}), posted=WHOLE - {0})
ENDED = replace(
    HALF,
    notices=(BROKEN_NOTICE,),
    receipts=(
        BridgeDegraded(part="body", reason="crashed"),
        Left(stay_id=STAY, reason="crashed", duration_ms=1),
    ),
)


def actor(name: str) -> Actor:
    return named([name])[0]


def not_kept(name: str, crash: Crash) -> list[str]:
    return list(broken(Row(actor=actor(name), usual=0.01, crashes=(crash,))))


@pytest.mark.filterwarnings("ignore:'audioop' is deprecated:DeprecationWarning")
def test_everybody_crashes_once_and_every_promise_is_kept() -> None:
    crashed: list[str] = []
    found = play(ACTORS, 1, whole=False, step=crashed.append)
    assert found.notes == ()
    assert found.held
    assert crashed == [one.name for one in ACTORS]
    assert [row[0] for row in found.tables[0].rows] == crashed


@pytest.mark.parametrize(("name", "crash"), [("realtime", GOOD), ("tts", HALF), ("body", ENDED)])
def test_a_promise_that_was_kept_is_no_finding(name: str, crash: Crash) -> None:
    assert not_kept(name, crash) == []


@pytest.mark.parametrize(
    ("name", "crash"),
    [
        ("realtime", replace(GOOD, served=None)),
        ("realtime", replace(GOOD, served=5.1)),
        ("realtime", replace(GOOD, opened=None)),
        ("realtime", replace(GOOD, repeated=True)),
        ("realtime", replace(GOOD, pause=1.5)),
        ("realtime", replace(GOOD, heard=frozenset({0}))),
        ("realtime", replace(GOOD, receipts=())),
        ("realtime", replace(GOOD, receipts=(*GOOD.receipts, *ENDED.receipts[1:]))),
        ("tts", replace(HALF, posted=frozenset({1}))),
        ("tts", replace(HALF, broke_off=2.0)),
        ("ears", GOOD),
        ("body", replace(ENDED, notices=())),
        ("body", replace(ENDED, notices=(BROKEN_NOTICE, BROKEN_NOTICE))),
        ("body", replace(ENDED, receipts=ENDED.receipts[:1])),
        ("body", replace(ENDED, receipts=(*ENDED.receipts, *ENDED.receipts[1:]))),
    ],
)
def test_a_promise_that_was_not_kept_is_a_finding(name: str, crash: Crash) -> None:
    assert not_kept(name, crash)


def test_a_row_tells_what_was_heard_what_is_lost_and_what_says_so() -> None:
    rows = [
        Row(actor=actor("realtime"), usual=0.01, crashes=(GOOD, replace(GOOD, served=0.5))),
        Row(actor=actor("tts"), usual=None, crashes=(replace(HALF, silence=0.04),)),
        Row(actor=actor("body"), usual=0.3, crashes=(ENDED,)),
    ]
    realtime, tts, body = table(rows).rows
    assert realtime[2:8] == (
        "10 ms",
        "10 ms",
        "20 ms",
        "500 ms",
        "10 ms",
        "the answer, whole; longest pause 20 ms",
    )
    assert tts[6:8] == ("-", "it breaks off within 20 ms, nothing is repeated; 40 ms until the next answer")
    assert tts[8] == "nothing: what was not heard is written in the chat"
    forgot = table([Row(actor=actor("realtime"), usual=0.01, crashes=(replace(GOOD, remembers=False),))])
    assert (realtime[8], forgot.rows[0][8].partition(":")[0]) == ("nothing", "what was said before the crash")
    assert body[9] == "`bridge.degraded` body crashed, `left` crashed"


def test_a_pause_in_a_sentence_is_no_repetition_and_a_sentence_said_twice_is_one() -> None:
    def said(*sentences: tuple[int, int]) -> bool:
        return _repeated(
            [Sentence(number=one, began=0.0, ended=1.0, packets=packets) for one, packets in sentences]
        )

    assert not said((1, 15), (2, 8), (2, 7), (3, 16))
    assert said((1, 15), (2, 15), (2, 15))
    assert said((1, 15), (2, 15), (1, 4))


def test_a_percentile_is_a_value_that_was_found() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 0.99) == 3.0
    assert percentile([], 0.5) is None


def test_nobody_of_that_name_is_said_in_words() -> None:
    told = CliRunner().invoke(app, ["--only", "butler"])
    assert told.exit_code == 2
    assert "there is no 'butler'" in told.output
