"""How things are, in a form that can be sent to whoever asked."""

from __future__ import annotations

from dataclasses import dataclass

from messages.ids import RoomId, StayId
from messages.lifecycle import TreeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class StayStatus:
    """One stay as its receipts tell it; None where the console came too late to know."""

    stay_id: StayId
    room_id: RoomId | None
    humans: int | None
    consented: int | None
    """How many people he may hear."""
    floor: str | None
    """dormant | engaged"""
    link_lost: str | None
    """Why the voice link carries no sound at the moment."""
    hindrance: str | None
    """What the server does to his voice, as a code."""
    last_turn: str | None
    """spoke | silent | tool | failed | cut"""
    last_failure: str | None
    """The stage that failed since he was last heard."""
    last_reason: str | None
    """Why it did, as a code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Something that explains what he does, without anybody's words; `at` is seconds since the epoch."""

    at: float
    stay_id: StayId | None
    """None where it is about no stay."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """The answer to `GET /status`."""

    version: str
    uptime_s: float
    """Since the console opened, which it does with the house."""
    tree: TreeNode | None
    """The root of the house; None if it never described itself to this console."""
    tree_age_s: float | None
    """How long ago it did."""
    stays: tuple[StayStatus, ...]
    reasons: tuple[Reason, ...]
    """The latest last."""
    evidence_lost: int | None
    """How many receipts could not be written."""
