"""What a voice server remembers of one client, so that a test can ask what he said and did."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from tests.loopback.discord.voice.rtp import DAVE_MARK, SILENCE
from tests.loopback.discord.voice.wire import Body

MOST = 200_000
"""How many packets or ops of one client are kept; older ones are forgotten."""


class Kind(StrEnum):
    """What a packet had inside its transport encryption."""

    DAVE = "dave"
    SILENCE = "silence"
    PLAIN = "plain"


def kind_of(frame: bytes) -> Kind:
    """What this frame is."""
    if frame == SILENCE:
        return Kind.SILENCE
    return Kind.DAVE if frame.endswith(DAVE_MARK) else Kind.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One packet of sound; `at` is monotonic and was taken by the kernel where it tells."""

    at: float
    sequence: int
    timestamp: int
    counter: int
    kind: Kind
    size: int
    others: int
    """How many others were in the channel."""
    version: int
    """The DAVE version that was in force, 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One op on the websocket, of the client or `by_server`; `line` counts his connections from 0."""

    at: float
    by_server: bool
    op: int
    body: Body | bytes
    line: int


@dataclass(slots=True, kw_only=True)
class Record:
    """One client from his IDENTIFY on, over all the connections that he resumed on."""

    user: int
    guild: int
    channel: int
    ssrc: int = 0
    mode: str = ""
    lines: int = 0
    closed: list[int] = field(default_factory=list[int])
    """The codes that connections ended with, by whomever; 1006 where there was none."""
    ops: deque[Said] = field(default_factory=lambda: deque[Said](maxlen=MOST))
    arrivals: deque[Arrival] = field(default_factory=lambda: deque[Arrival](maxlen=MOST))
    keepalives: list[float] = field(default_factory=list[float])
    discoveries: list[float] = field(default_factory=list[float])
    unfit: Counter[str] = field(default_factory=Counter[str])
    """Datagrams that were no packet of his: `no_packet`, `not_authentic`, `before_description`,
    `before_speaking` (there was no op 5 yet)."""

    def said(self, *, by_server: bool, op: int, body: Body | bytes) -> None:
        """Keep one op."""
        at = time.monotonic()
        self.ops.append(Said(at=at, by_server=by_server, op=op, body=body, line=self.lines - 1))

    def from_client(self) -> list[int]:
        """The numbers of the ops that he sent, in order."""
        return [said.op for said in tuple(self.ops) if not said.by_server]

    def from_server(self) -> list[int]:
        """The numbers of the ops that he was sent, in order."""
        return [said.op for said in tuple(self.ops) if said.by_server]

    def count(self, kind: Kind) -> int:
        """How many packets of this kind came."""
        return sum(arrival.kind is kind for arrival in tuple(self.arrivals))

    def leaked(self) -> list[Arrival]:
        """Sound that lay open to the server although others were there and encryption was in force."""
        return [a for a in tuple(self.arrivals) if a.kind is Kind.PLAIN and a.others and a.version]

    def repeated_counters(self) -> int:
        """How many packets used a nonce a second time."""
        return _repeated([arrival.counter for arrival in tuple(self.arrivals)])

    def repeated_sequences(self) -> int:
        """How many packets were copies, or reused a number (of the last 65,536)."""
        return _repeated([arrival.sequence for arrival in tuple(self.arrivals)[-0x10000:]])

    def steps(self) -> list[tuple[int, int]]:
        """The difference of sequence and of timestamp (in samples of 48 kHz) from packet to packet."""
        return [
            ((b.sequence - a.sequence) & 0xFFFF, (b.timestamp - a.timestamp) & 0xFFFFFFFF)
            for a, b in pairwise(tuple(self.arrivals))
        ]


def _repeated(values: Sequence[int]) -> int:
    return len(values) - len(set(values))
