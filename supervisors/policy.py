"""Who lives again, who goes along, and when enough is enough: the arithmetic of supervision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from messages.lifecycle import Ending, RestartType, Strategy


def wants_restart(restart: RestartType, ending: Ending) -> bool:
    """Whether a child that ended, without its supervisor having asked for it, is to be started again."""
    match restart:
        case RestartType.PERMANENT:
            return True
        case RestartType.TRANSIENT:
            return ending in {Ending.CRASHED, Ending.OPEN_FAILED}
        case RestartType.TEMPORARY:
            return False
        case _:
            assert_never(restart)


def affected(strategy: Strategy, children: Sequence[str], failed: str) -> tuple[str, ...]:
    """Those of `children`, in the order they start, who share the fate of `failed`; itself included."""
    match strategy:
        case Strategy.ONE_FOR_ONE:
            return (failed,)
        case Strategy.REST_FOR_ONE:
            return tuple(children[children.index(failed) :])
        case Strategy.ONE_FOR_ALL:
            return tuple(children)
        case _:
            assert_never(strategy)


def spend(
    history: tuple[float, ...], now: float, intensity: int, period: float
) -> tuple[tuple[float, ...], bool]:
    """A failure at `now`: the failures of the last `period` seconds, and whether they exceed `intensity`."""
    recent = (*(moment for moment in history if moment > now - period), now)
    return recent, len(recent) > intensity


def passed_down(ending: Ending) -> Ending:
    """Why the children of a supervisor end when the supervisor ends like this."""
    match ending:
        case Ending.SHUTDOWN | Ending.SIBLING_FAILED | Ending.GIVEN_UP:
            return ending
        case Ending.ORDERED | Ending.REMOVED:
            return ending
        case Ending.FINISHED:
            return Ending.SHUTDOWN
        case Ending.CRASHED | Ending.OPEN_FAILED:
            return Ending.GIVEN_UP
        case _:
            assert_never(ending)


def share(left: float, waiting: int) -> float:
    """Of `left` seconds, how many the next to stop may take when `waiting` others come after it.

    A tenth is kept back for each of them, so that one who is stuck cannot use up everybody's time.
    """
    return max(0.0, left) * max(1 - 0.1 * waiting, 1 / (waiting + 1))
