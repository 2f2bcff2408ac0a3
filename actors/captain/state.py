"""What the captain knows: who waits for him, and which stays are over."""

from __future__ import annotations

from dataclasses import dataclass

from actors.captain.settings import CaptainSettings
from messages.captain import Question
from messages.ids import StayId, Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One hand-off: waiting in its lane until `started_at`, a monotonic second."""

    question: Question
    asked_at: float
    started_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All hand-offs in the order in which they came, and the stays that are over."""

    settings: CaptainSettings
    jobs: tuple[Job, ...] = ()
    over: tuple[StayId, ...] = ()
    done: int = 0
    failed: int = 0
    token: Token = Token(0)  # noqa: RUF009 (a number)
    wake_at: float | None = None
