"""The captain that needs no account: a page of rules, a clock and a page of notes, and he says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from actors.captain.brief import Asked, Brief, Item, Output
from actors.captain.journal import Entry, HeardAsked, ToolEnded
from actors.captain.local_wire import outcome_of
from actors.captain.rules import Call, Came, Heard, Past, Said
from actors.captain.script import CaptainScript, ScriptedTurn, direct
from actors.captain.wire import parse
from actors.clock import Clock
from messages.authority import Surface
from messages.captain import MindEvent, MindStepped, ToolCall
from messages.ids import CallId, HandoffId
from messages.tools import UseMachine

LARGEST_NOTES: Final = 256 * 1024
"""More characters of a notes file than this are not read."""
OF_A_SERVER: Final = "__"
"""In the name of a server's tool, and of no other."""
DONE: Final = frozenset({"joined", "left", "done", "watching", "room", "notes"})
"""The outcomes in a lane after which there is nothing to try again."""


@dataclass(frozen=True, slots=True)
class _Due:
    """Where the clock leaves a step."""

    leave: Callable[[MindStepped], None]

    def tell(self, message: MindStepped, /) -> None:
        self.leave(message)


@dataclass(slots=True, kw_only=True)
class _Turn:
    """One turn so far: what the rules have to answer, what the script has, and what came of it."""

    brief: Brief
    past: tuple[Past, ...]
    waiting: list[Said] = field(default_factory=list)
    """Not looked at yet."""
    asked: list[Said] = field(default_factory=list)
    scripted: list[ScriptedTurn] = field(default_factory=list)
    calls: dict[CallId, Call] = field(default_factory=dict)
    came: list[Came] = field(default_factory=list)


class LocalMind:
    """Follows the rules, or `script` first; the first step of a turn takes `delay_seconds` by the clock."""

    def __init__(
        self,
        clock: Clock,
        *,
        delay_seconds: float = 1.0,
        names: Iterable[str] = (),
        notes_file: Path | None = None,
        script: CaptainScript | None = None,
        own_room: bool = False,
    ) -> None:
        """In his `own_room` people have the page's buttons, and no slash commands."""
        self._own_room = own_room
        self._clock, self._delay, self._script = clock, delay_seconds, script
        self._names = frozenset(word for name in names for word in name.casefold().split())
        self._notes_file = notes_file and notes_file.expanduser()
        self._events: Callable[[MindEvent], None] | None = None
        self._turns: dict[HandoffId, _Turn] = {}

    def open(self, events: Callable[[MindEvent], None]) -> None:
        """Learn where to report."""
        self._events = events

    def begin(self, brief: Brief) -> None:
        """Keep the turn in mind."""
        turn = _Turn(brief=brief, past=tuple(_past(brief.history)))
        turn.waiting += map(_said, brief.asked)
        self._turns[brief.turn] = turn

    def think(self, turn: HandoffId, step: int, items: tuple[Item, ...]) -> None:
        """Know the step now, and give it later."""
        at_work = self._turns.get(turn)
        if at_work is None:
            return
        _take(at_work, items)
        seconds = self._look(at_work, self._delay if step == 1 else 0.0)
        decided = direct(self._heard(at_work), at_work.scripted)
        calls = tuple(_called(at_work, call) for call in decided.calls)
        stepped = MindStepped(handoff=turn, step=step, text=decided.text, calls=calls)
        self._clock.after(seconds, _Due(self._leave), stepped)

    def over(self, turn: HandoffId) -> None:
        """Forget it; a step of it will not be given."""
        self._turns.pop(turn, None)

    def close(self) -> None:
        """Nothing will be given any more."""
        self._events = None
        self._turns.clear()

    def describe(self) -> str:
        """What this mind is."""
        if self._script is None:
            return "rules in plain English and a page of notes, no language model"
        return f"the script of a rehearsal, {self._script.unplayed} turns left, no language model"

    def _leave(self, event: MindStepped) -> None:
        events = self._events
        if event.handoff in self._turns and events is not None:
            events(event)

    def _look(self, turn: _Turn, seconds: float) -> float:
        """Give what is new to the script or to the rules; how long this step takes."""
        for said in turn.waiting:
            scripted = None if self._script is None else self._script.take(said)
            if scripted is None:
                turn.asked.append(said)
            else:
                turn.scripted.append(scripted)
                seconds = seconds if scripted.delay is None else scripted.delay
        turn.waiting.clear()
        return seconds

    def _heard(self, turn: _Turn) -> Heard:
        return Heard(
            asked=tuple(turn.asked),
            now=self._clock.wall().astimezone(),
            aloud=turn.brief.surface in {Surface.VOICE, Surface.MIXED_VOICE},
            operator=turn.brief.surface is Surface.OPERATOR,
            notes=read_notes(self._notes_file),
            past=turn.past,
            names=self._names,
            own_room=self._own_room,
            tools=turn.brief.tools,
            came=tuple(turn.came),
        )


def read_notes(file: Path | None) -> str | None:
    """The beginning of a page of notes, or None where there is none."""
    if file is None:
        return None
    try:
        with file.open(encoding="utf-8", errors="replace") as page:
            return page.read(LARGEST_NOTES)
    except OSError:
        return None


def _take(turn: _Turn, items: tuple[Item, ...]) -> None:
    for item in items:
        if isinstance(item, Output):
            call = turn.calls.get(item.call)
            if call is not None:
                turn.came.append(Came(call=call, outcome=outcome_of(item.text)))
        else:
            turn.waiting.append(_said(item))


def _called(turn: _Turn, call: Call) -> ToolCall:
    name = CallId(f"call-{len(turn.calls) + 1}")
    turn.calls[name] = call
    machines = turn.brief.machines
    if OF_A_SERVER in call.tool and all(call.tool != one.name for one in machines):
        # Not offered: the house says why.
        return ToolCall(call=name, request=UseMachine(tool=call.tool, arguments=call.arguments))
    return ToolCall(call=name, request=parse(call.tool, call.arguments, machines))


def _said(asked: Asked) -> Said:
    return Said(request=asked.request, original=tuple(line.text for line in asked.original))


def _past(history: tuple[Entry, ...]) -> Iterator[Past]:
    for entry in history:
        if isinstance(entry, HeardAsked):
            yield Past(asked=entry.text)
        elif isinstance(entry, ToolEnded):
            yield Past(tool=entry.tool, done=entry.outcome in DONE)
