"""Datagrams are lost, late, doubled, or come with others that nobody sent."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults.effect import Again, Effect, Ending, at_once
from tests.reliability.chaos.faults.link import NOT_THERE
from tests.reliability.chaos.faults.recall import in_voice
from tests.reliability.chaos.faults.stirring import stir

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

NOBODY_SPOKE: Final = "nobody spoke meanwhile"
THROWN_EVERY: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0


def lost(happening: Happening, evening: Evening) -> Ending:
    """All of them, both ways."""
    before = _swallowed(evening)
    stir(evening)
    evening.discord.voice.black_hole(happening.seconds + 5.0)

    def end() -> Effect:
        evening.discord.voice.black_hole(0.0)
        return Effect(hits=_swallowed(evening) - before, why=NOBODY_SPOKE)

    return end


def lossy(_: Happening, evening: Evening) -> Ending:
    """Three of ten, both ways."""
    return _weather(evening, _Rates(loss=0.3), "lost")


def reordered(_: Happening, evening: Evening) -> Ending:
    """A third changes places with the next."""
    return _weather(evening, _Rates(reorder=0.35), "reordered")


def doubled(_: Happening, evening: Evening) -> Ending:
    """Half of them come twice."""
    return _weather(evening, _Rates(duplicate=0.5), "duplicated")


def garbage(_: Happening, evening: Evening) -> Ending:
    """Random bytes, some of them with the head of a packet of somebody's sound."""
    return _thrown(
        evening, "garbage_every", lambda place: _head(evening, place) + os.urandom(place * 7 % 400)
    )


def reports(_: Happening, evening: Evening) -> Ending:
    """RTCP of every kind, whole and cut short."""
    return _thrown(
        evening,
        "rtcp_every",
        lambda place: (
            struct.pack(">BBHI", 0x80 | place % 4, 200 + place % 8, place % 9, place)
            + os.urandom(place * 5 % 60)
        ),
    )


def _weather(evening: Evening, rates: _Rates, counted: str) -> Ending:
    faults = evening.discord.voice.faults
    before = faults.downstream.happened[counted] + faults.upstream.happened[counted]
    for weather in (faults.downstream, faults.upstream):
        weather.loss, weather.duplicate, weather.reorder = rates.loss, rates.duplicate, rates.reorder
    stir(evening)

    def end() -> Effect:
        for weather in (faults.downstream, faults.upstream):
            weather.loss = weather.duplicate = weather.reorder = 0.0
        after = faults.downstream.happened[counted] + faults.upstream.happened[counted]
        return Effect(hits=after - before, why=NOBODY_SPOKE)

    return end


def _thrown(evening: Evening, switch: str, datagram: Callable[[int], bytes]) -> Ending:
    if not in_voice(evening):
        return at_once(0, NOT_THERE)
    setattr(evening.discord.voice.faults, switch, 2)

    def throw(place: int) -> None:
        if in_voice(evening):
            evening.discord.voice.throw(evening.bot, datagram(place))

    again = Again(throw, THROWN_EVERY)

    def end() -> Effect:
        setattr(evening.discord.voice.faults, switch, 0)
        return Effect(hits=again.stop(), why=NOT_THERE)

    return end


def _head(evening: Evening, place: int) -> bytes:
    """Half of the time that of a packet which somebody in the room could have sent."""
    there = [guest.participant for guest in evening.guests.values() if guest.participant.connected]
    speakers = [one.client.ssrc for one in there]
    if not speakers or place % 2:
        return b""
    return struct.pack(">BBHII", 0x90, 0x78, place & 0xFFFF, place * 960, speakers[place % len(speakers)])


def _swallowed(evening: Evening) -> int:
    return sum(endpoint.sfu.dropped["hole"] for endpoint in evening.discord.voice.endpoints)
