"""A record that holds is said to hold, and one that does not says where."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from actors.evidence.foreign import Foreign, parse_any
from actors.evidence.local_purge import purge
from actors.evidence.reader import BadLine, read_any, receipt_files
from actors.evidence.verify import MOST_PROBLEMS, Findings, verify
from actors.evidence.wire import MAX_NUMBER, Entry, to_line
from messages.evidence import Consent, Joined, Left, Receipt
from messages.ids import PersonId, RoomId, StayId
from tests.actors.evidence.test_wire import NOON, with_fact

HOUR_MS = 3_600_000


def joined(stay: str) -> Joined:
    return Joined(stay_id=StayId(stay), room_id=RoomId("r"), humans=1, bots=0, encryption="dave")


def left(stay: str, duration_ms: int = 1000) -> Left:
    return Left(stay_id=StayId(stay), reason="slash", duration_ms=duration_ms)


def line_of(receipt: Receipt, second: float = 0) -> str:
    at = NOON + timedelta(seconds=second)
    line = to_line(receipt, entry_id=f"e{second}", occurred_at=at, origin="discord")
    assert isinstance(line, str)
    return line


def entries(*receipts: Receipt) -> list[Entry | Foreign | BadLine]:
    """One receipt a second."""
    parsed = [parse_any(line_of(receipt, second)) for second, receipt in enumerate(receipts)]
    return [one for one in parsed if isinstance(one, Entry)]


def wrong(findings: Findings) -> list[tuple[str, str]]:
    return [(one.where, one.what) for one in findings.problems]


def test_who_comes_and_goes_once_holds() -> None:
    findings = verify(entries(joined("a"), joined("b"), left("a"), left("b")))
    assert (findings.holds, findings.receipts, findings.over) == (True, 4, 2)
    assert findings.kinds == {"joined": 2, "left": 2}


@pytest.mark.parametrize(
    ("receipts", "what"),
    [
        ((joined("a"), joined("a"), left("a")), "has more than one joined"),
        ((joined("a"), left("a"), joined("a")), "has more than one joined"),
        ((joined("a"), left("a"), left("a")), "has more than one left"),
        ((joined("b"), left("b"), left("a")), "has a left and no joined"),
    ],
)
def test_for_each_coming_there_is_one_going(receipts: tuple[Receipt, ...], what: str) -> None:
    assert ("stay a", what) in wrong(verify(entries(*receipts)))


def test_a_stay_that_is_not_over_is_a_problem_unless_a_house_is_at_work() -> None:
    findings = verify(entries(joined("a")))
    assert [where for where, _ in wrong(findings)] == ["stay a"]
    assert verify(entries(joined("a")), at_work=True).holds


def test_a_stay_that_began_before_all_that_is_kept_is_none() -> None:
    assert verify(entries(joined("b"), left("b"), left("a", HOUR_MS))).holds
    assert verify(entries(left("a", 0))).holds


def test_time_goes_one_way() -> None:
    first, second = entries(joined("a"), left("a"))
    findings = verify([second, first], at_work=True)
    assert (
        "receipt e0",
        "is 1.000 s earlier than the one before it: the clock was put back, or lines were moved",
    ) in wrong(findings)


def test_a_clock_that_is_set_back_once_is_one_problem() -> None:
    one, two, three, four = entries(joined("a"), left("a"), joined("b"), left("b"))
    assert [where for where, _ in wrong(verify([three, four, one, two]))] == ["receipt e0"]


def test_each_record_has_a_time_and_a_beginning_of_its_own() -> None:
    one, two, three, four = entries(joined("a"), left("a"), joined("b"), left("b"))
    assert verify([three, four], [one, two]).holds
    assert not verify([three, four, one, two]).holds
    early, late = entries(joined("a"), left("a")), entries(joined("b"), left("b"), left("c", 1_500))
    assert verify(early, late[1:]).holds is verify(late[1:]).holds is True
    assert not verify(early, [one]).holds


def test_a_stay_of_a_thousand_centuries_is_a_stay() -> None:
    first, second = entries(joined("b"), left("a", MAX_NUMBER))
    assert verify([first, second], at_work=True).holds


def test_lines_that_are_none_are_problems_and_torn_ones_are_counted() -> None:
    torn, bad = (
        BadLine(path=Path("f"), number=number, reason="line: no JSON", torn=number == 1) for number in (1, 2)
    )
    findings = verify([torn, bad])
    assert findings.torn == 1
    assert wrong(findings) == [("f:2", "line: no JSON")]


def test_foreign_receipts_are_counted_and_those_that_sign_as_ours_have_to_fit() -> None:
    stranger, ours = parse_any(with_fact(reason="bored", origin="")), parse_any(with_fact(reason="bored"))
    assert isinstance(stranger, Foreign)
    assert isinstance(ours, Foreign)
    assert verify([stranger]).holds
    assert wrong(verify([ours])) == [
        ("receipt e1", "discord.voice.left: reason: none of the words that may stand there")
    ]
    assert verify([stranger, ours]).foreign == 2


def test_problems_are_bounded_and_counted() -> None:
    bad = BadLine(path=Path("f"), number=1, reason="x", torn=False)
    findings = verify([bad] * (MOST_PROBLEMS + 5))
    assert (len(findings.problems), findings.many) == (MOST_PROBLEMS, MOST_PROBLEMS + 5)


def test_a_purge_changes_nothing_of_what_holds(tmp_path: Path) -> None:
    heard = Consent(stay_id=StayId("a"), person_id=PersonId("p"), phase="granted")
    receipts: tuple[Receipt, ...] = (joined("a"), heard, left("a"))
    lines = [line_of(one, second) for second, one in enumerate(receipts)]
    (tmp_path / "receipts-2026-01-01.jsonl").write_text("\n".join(lines) + "\n")
    before = verify(read_any(receipt_files(tmp_path)))
    assert purge(tmp_path, "p", receipts=True).receipts == 1
    after = verify(read_any(receipt_files(tmp_path)))
    assert after == before
    assert after.holds
