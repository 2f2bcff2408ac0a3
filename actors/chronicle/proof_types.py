"""What a proof is made from, and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass

from messages.evidence import StayReceipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One receipt of a stay as it is on record; `at` is wall-clock seconds since the epoch."""

    at: float
    origin: str
    receipt: StayReceipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that has to hold, what speaks for it or against it, and how to come by it."""

    name: str
    held: bool
    evidence: str
    remedy: str
