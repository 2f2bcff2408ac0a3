"""Why he spoke, or did not: each line that was heard, with the turn that came of it, and each other turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from actors.chronicle.why import JudgedLine, Turn
from messages.ids import LineId, TurnId
from supervisors.report.story import Story

_AUDIBLE = frozenset({"spoke", "cut"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line, a turn, or both; `joins`: the turn is told with a later line."""

    at: float
    line: JudgedLine | None
    turn: Turn | None
    joins: bool = False

    @property
    def silent(self) -> bool:
        """Whether nothing was heard of him for it."""
        turn = self.turn
        return turn is None or (turn.audible_at is None and turn.outcome not in _AUDIBLE)


def rows(story: Story) -> tuple[Row, ...]:
    """Every row in the order of time."""
    turns = {turn.turn_id: turn for turn in story.turns}
    last = {turn.turn_id: turn.lines[-1] for turn in story.turns if turn.lines}
    told = [*_of_lines(story, turns, last), *_of_turns(story, last)]
    return tuple(sorted(told, key=lambda row: row.at))


def _of_lines(story: Story, turns: dict[TurnId, Turn], last: dict[TurnId, LineId]) -> Iterator[Row]:
    for line in story.lines:
        turn = None if line.turn_id is None else turns.get(line.turn_id)
        joins = turn is not None and last.get(turn.turn_id) != line.line_id
        yield Row(at=line.at, line=line, turn=turn, joins=joins)


def _of_turns(story: Story, last: dict[TurnId, LineId]) -> Iterator[Row]:
    for turn in story.turns:
        if turn.turn_id not in last:
            yield Row(at=turn.at, line=None, turn=turn)


def numbers(told: tuple[Row, ...]) -> dict[str, int]:
    """The row of each line and of each turn, by its name."""
    found: dict[str, int] = {}
    for number, row in enumerate(told):
        if row.turn is not None:  # the last of its lines tells of it
            found[row.turn.turn_id] = number
        if row.line is not None:
            found[row.line.line_id] = number
    return found
