"""What came of all crashes of one actor, as a row, and which promises it did not keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from actors.stay.leaving import BROKEN_NOTICE
from messages.evidence import BridgeDegraded, Consent, Degraded, Failed, Left, Playback, Receipt
from tests.reliability.figures import Table
from tests.reliability.supervision.measure import Crash
from tests.reliability.supervision.room import STORY_SENTENCES
from tests.reliability.supervision.tree import Actor

AT_MOST_SECONDS: Final = 5.0
"""He is back and has served somebody within this, or it is a finding."""
PAUSE_SECONDS: Final = 1.0
WHOLE: Final = frozenset(range(STORY_SENTENCES))
HEAD: Final = (
    *("actor", "strategy", "open again p50", "p99", "service again p50", "p99", "without a crash"),
    *("what the room hears", "what is lost", "on record as"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One actor and all that was found; `usual` is how long the same request takes without a crash."""

    actor: Actor
    usual: float | None
    crashes: tuple[Crash, ...]


def table(rows: Sequence[Row]) -> Table:
    """One row for each actor."""
    times = max((len(row.crashes) for row in rows), default=0)
    return Table(
        title=f"Crashed in mid-sentence, {times} times each",
        head=HEAD,
        rows=tuple(_cells(row) for row in rows),
    )


def _cells(row: Row) -> tuple[str, ...]:
    opened = [one.opened for one in row.crashes if one.opened is not None]
    served = [one.served for one in row.crashes if one.served is not None]
    return (
        row.actor.name,
        row.actor.strategy,
        *(_ms(percentile(opened, part)) for part in (0.5, 0.99)),
        *(_ms(percentile(served, part)) for part in (0.5, 0.99)),
        _ms(row.usual),
        _hears(row),
        _loses(row),
        ", ".join(dict.fromkeys(code for one in row.crashes for code in _codes(one.receipts))),
    )


def percentile(found: Sequence[float], part: float) -> float | None:
    """The value that this part of all is not above; None where there is none."""
    return sorted(found)[max(0, ceil(part * len(found)) - 1)] if found else None


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1000:.0f} ms"


def _hears(row: Row) -> str:
    crashes = row.crashes
    if all(one.heard == WHOLE for one in crashes):
        return f"the answer, whole; longest pause {_ms(max(one.pause for one in crashes))}"
    if row.actor.deafens:
        return "the answer, until he is spoken to again"
    last = max(0.0, *(one.broke_off for one in crashes))
    silences = [one.silence for one in crashes if one.silence is not None]
    then = f"; {_ms(percentile(silences, 0.5))} until the next answer" if silences else ""
    return f"it breaks off within {_ms(max(0.02, last))}, nothing is repeated{then}"


def _loses(row: Row) -> str:
    actor, crashes = row.actor, row.crashes
    if actor.left:
        rest = "" if _is_written(crashes) else ", the rest of the sentence"
        return f"the stay and every consent{rest}; the room is told, and he does not come back by himself"
    if actor.deafens:
        return "one person's consent; the room is told"
    if actor.breaks_off:
        return (
            "nothing: what was not heard is written in the chat" if _is_written(crashes) else "the rest of it"
        )
    if not all(one.remembers for one in crashes):
        return "what was said before the crash: the conversation begins anew, with who is here"
    return "nothing"


def _is_written(crashes: Sequence[Crash]) -> bool:
    return all(one.heard | one.posted == WHOLE for one in crashes)


def _codes(receipts: Sequence[Receipt]) -> Iterator[str]:
    """The receipts that tell of the crash, with the words that say how."""
    for one in receipts:
        match one:
            case BridgeDegraded(part=part, reason=reason):
                yield f"`bridge.degraded` {part} {reason}"
            case Degraded(phase="restarted", part=part, reason=reason):
                yield f"`degraded` restarted {part} {reason}"
            case Degraded(phase=phase, reason=reason):
                yield f"`degraded` {phase} {reason}"
            case Failed(stage=stage, reason=reason):
                yield f"`failed` {stage} {reason}"
            case Playback(phase="failed", reason=reason):
                yield f"`playback` failed {reason}"
            case Consent(phase="lost"):
                yield "`consent` lost"
            case Left(reason=reason):
                yield f"`left` {reason}"
            case _:
                pass


# --- promises ---------------------------------------------------------------------------------------


def broken(row: Row) -> Iterator[str]:
    """Every promise that was not kept, with how often."""
    for said, kept in (*_ALWAYS, *_of(row.actor)):
        if failed := sum(not kept(one) for one in row.crashes):
            yield f"{row.actor.name}: {said}: not in {failed} of {len(row.crashes)} crashes"


Promise = tuple[str, Callable[[Crash], bool]]


def _in_time(one: Crash) -> bool:
    return one.served is not None and one.served < AT_MOST_SECONDS


_ALWAYS: Final[tuple[Promise, ...]] = (
    (f"he serves again within {AT_MOST_SECONDS:.0f} s", _in_time),
    ("nothing is repeated", lambda one: not one.repeated),
)


def _of(actor: Actor) -> Iterator[Promise]:
    if actor.reborn:
        yield "there is another life", lambda one: one.opened is not None
        yield "it is on record", lambda one: bool(_restarts(one.receipts))
    if actor.left:
        yield (
            f"there is one `left`, {actor.left}",
            lambda one: [each.reason for each in one.receipts if isinstance(each, Left)] == [actor.left],
        )
        yield "the room is told once that he had to leave", lambda one: one.notices == (BROKEN_NOTICE,)
    else:
        yield "the stay goes on", lambda one: not any(isinstance(each, Left) for each in one.receipts)
        yield "nobody else's consent is lost", lambda one: _lost(one.receipts) == int(actor.deafens)
    if actor.breaks_off:
        yield "what was not heard is written in the chat", lambda one: one.heard | one.posted == WHOLE
        yield "he is silent at once", lambda one: one.broke_off < PAUSE_SECONDS
    elif not actor.left and not actor.deafens:
        yield "his answer is heard to the end", lambda one: one.heard == WHOLE
        yield "it has no pause", lambda one: one.pause < PAUSE_SECONDS
    if actor.deafens:
        yield "the room is told whom he hears no longer", lambda one: len(one.notices) == 1


def _restarts(receipts: Sequence[Receipt]) -> list[Receipt]:
    return [
        one
        for one in receipts
        if isinstance(one, BridgeDegraded) or (isinstance(one, Degraded) and one.phase == "restarted")
    ]


def _lost(receipts: Sequence[Receipt]) -> int:
    return sum(isinstance(one, Consent) and one.phase == "lost" for one in receipts)
