"""What can go wrong between a client and a voice server, as switches for a test to throw."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from tests.loopback.discord.voice.wire import MODES, Body

Numbered = tuple[int, bytes | Body]
"""An op and its body, to be numbered and sent like any other of the server's."""


class Moment(StrEnum):
    """Where frames may be slipped in while a client connects."""

    AFTER_HELLO = "after_hello"
    AFTER_READY = "after_ready"
    BEFORE_DESCRIPTION = "before_description"
    AFTER_DESCRIPTION = "after_description"


@dataclass(slots=True)
class Weather:
    """What becomes of datagrams on their way in one direction; rates from 0 to 1, the dice are seeded."""

    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    """How many change places with their successor."""
    seed: int = 0
    happened: Counter[str] = field(default_factory=Counter[str])
    _held: dict[int, bytes] = field(default_factory=dict[int, bytes])
    _dice: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self._dice.seed(self.seed)

    def carry(self, stream: int, datagram: bytes) -> tuple[bytes, ...]:
        """What arrives now, in order, of the stream (a client and a speaker) that this belongs to."""
        if not (self.loss or self.duplicate or self.reorder or self._held):
            return (datagram,)
        roll = self._dice.random
        if roll() < self.loss:
            self.happened["lost"] += 1
            return ()
        held = self._held.pop(stream, None)
        if held is not None:
            return datagram, held
        if roll() < self.reorder:
            self.happened["reordered"] += 1
            self._held[stream] = datagram
            return ()
        if roll() < self.duplicate:
            self.happened["duplicated"] += 1
            return datagram, datagram
        return (datagram,)


@dataclass(slots=True)
class Faults:
    """Switches that any thread may set at any time; they hold for whoever comes from then on."""

    modes: tuple[str, ...] = MODES
    dave: int = 1
    """The highest DAVE version that the server speaks; 0 turns it off."""
    require_dave: bool = True
    """Whether a client without DAVE is refused with 4017 where the channel has it."""
    heartbeat_ms: float = 13_750.0
    heartbeats_unanswered: set[int] = field(default_factory=set[int])
    """Users whose op 3 is left without an op 6."""
    refuse_identify: list[int] = field(default_factory=list[int])
    """Close codes for the next IDENTIFYs, one for each."""
    refuse_resume: list[int] = field(default_factory=list[int])
    """Close codes for the next RESUMEs, one for each."""
    single_use: bool = False
    """Whether a token can be identified with only once."""
    late_names: set[int] = field(default_factory=set[int])
    """Users who learn by op 11 who is there only after the proposals (op 27) about him."""
    early_sender: bool = False
    """Whether the external sender (op 25) comes before the session description (op 4)."""
    inject: dict[Moment, list[str | bytes | Numbered]] = field(
        default_factory=dict[Moment, list["str | bytes | Numbered"]]
    )
    """What the next client is sent at a moment: raw frames as they are, or ops to be numbered."""
    next_ssrc: list[int] = field(default_factory=list[int])
    """SSRCs for the next clients, so that one can be used again."""
    # --- UDP ---
    carries: Callable[[int, int], bool] = lambda _speaker, _listener: True
    """Whether what the first of two users says is passed on to the second; it is on record all the same."""
    lose_discoveries: int = 0
    """How many of the next address discoveries are left without an answer."""
    downstream: Weather = field(default_factory=Weather)
    upstream: Weather = field(default_factory=Weather)
    csrcs: int = 0
    """How many contributing sources each forwarded packet names."""
    extension: bool = True
    padding_every: int = 3
    """Every how many forwarded packets have padding; 0 for none."""
    rtcp_every: int = 0
    """Before every how many forwarded packets there is an RTCP report; 0 for none."""
    garbage_every: int = 0
    """Before every how many forwarded packets there is a datagram that means nothing; 0 for none."""
