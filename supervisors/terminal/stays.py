"""A stay as a few lines: where he is, whose turn it is, whom he hears, how fast he is and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from actors.console.report import StayStatus
from messages.ids import StayId
from supervisors.terminal.ink import Piece, Row, Tone, short
from supervisors.terminal.latency import spark, summed_up
from supervisors.terminal.money import cost

NOWHERE: Final[Row] = (("He is in no room. j has him join.", Tone.DIM),)
KINDS: Final = ("after speech", "first sound", "transcript", "to silence")
"""What is measured, in the order in which it is shown."""


def rows(
    stays: Sequence[StayStatus],
    chosen: StayId | None,
    latencies: Mapping[tuple[StayId, str], Sequence[float]],
    bars: int,
) -> tuple[Row, ...]:
    """All stays, the one that orders are for in bold; `bars` is how wide a picture of latencies may be."""
    if not stays:
        return (NOWHERE,)
    return tuple(row for stay in stays for row in _stay(stay, stay.stay_id == chosen, latencies, bars))


def _stay(
    stay: StayStatus, chosen: bool, latencies: Mapping[tuple[StayId, str], Sequence[float]], bars: int
) -> Iterator[Row]:
    yield (
        ("▶ " if chosen else "  ", Tone.GOOD),
        (f"room {stay.room_id or 'unknown'}", Tone.STRONG if chosen else Tone.PLAIN),
        (f"  stay {short(stay.stay_id)}", Tone.DIM),
    )
    yield tuple(_floor(stay))
    yield tuple(_people(stay))
    yield tuple(_link(stay))
    for kind in KINDS:
        if values := latencies.get((stay.stay_id, kind)):
            yield (
                (f"  {kind:<12} ", Tone.DIM),
                (f"{spark(values, bars):<{bars}} ", Tone.HIS),
                (summed_up(values), Tone.PLAIN),
            )
    yield tuple(_costs(stay))


def _floor(stay: StayStatus) -> Iterator[Piece]:
    yield "  floor ", Tone.DIM
    yield stay.floor or "unknown", Tone.GOOD if stay.floor == "engaged" else Tone.PLAIN
    if stay.holder is not None:
        yield f" with {short(stay.holder)}", Tone.PLAIN
    if stay.last_turn is not None:
        yield "  last turn ", Tone.DIM
        yield stay.last_turn, Tone.BAD if stay.last_turn == "failed" else Tone.PLAIN
    if stay.hushed_s:
        yield f"  hushed for {_long(stay.hushed_s)} more", Tone.WARN


def _people(stay: StayStatus) -> Iterator[Piece]:
    yield "  people ", Tone.DIM
    yield "unknown" if stay.humans is None else str(stay.humans), Tone.PLAIN
    yield "  heard ", Tone.DIM
    yield "unknown" if stay.consented is None else str(stay.consented), Tone.PLAIN
    if stay.heard:
        yield f" ({', '.join(map(short, stay.heard))})", Tone.DIM


def _link(stay: StayStatus) -> Iterator[Piece]:
    yield "  link ", Tone.DIM
    if stay.link_lost is not None:
        yield f"lost ({stay.link_lost})", Tone.BAD
    elif stay.hindrance is not None:
        yield stay.hindrance, Tone.WARN
    else:
        yield "up", Tone.GOOD
    if stay.restarts:
        yield f"  restarts {stay.restarts}", Tone.WARN


def _costs(stay: StayStatus) -> Iterator[Piece]:
    costs = stay.costs
    yield "  cost ", Tone.DIM
    yield cost(costs), Tone.PLAIN
    tokens = sum(spent.input_tokens + spent.output_tokens for spent in costs.bill)
    if tokens:
        yield f"  {tokens:,} tokens", Tone.DIM
    if costs.unpriced:
        yield f"  without a price: {', '.join(costs.unpriced)}", Tone.WARN


def _long(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
