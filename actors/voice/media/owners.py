"""Which stream is whose: a number on the wire belongs to one person at a time, and is handed on.

What comes under a number that nobody is known to have waits a second, unopened, for its owner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from actors.voice.media.rtp import TICKS, Packet
from actors.voice.media.stream import Stream
from actors.voice.media.window import RECENT, distance

MOST_FORMER: Final = 64
"""Streams of which is remembered who has left them."""
MOST_PACKETS: Final = 25
"""Packets kept of one unknown stream."""
MOST_STREAMS: Final = 16
"""Unknown streams of which packets are kept."""
SEALED_SECONDS: Final = 1.0
"""How long each of them is kept."""

Datagrams: TypeAlias = deque[tuple[float, bytes]]
"""Monotonic second of arrival, and the encrypted datagram as it came."""


@dataclass(slots=True, kw_only=True, eq=False)
class Person:
    """A user of the call: whether he may be heard, which stream is his, and what came of his packets."""

    user: int
    permitted: bool = False
    ssrc: int | None = None
    last: Packet | None = None
    """The newest envelope that came from `ssrc` since it is his."""
    former: Packet | None = None
    """The last one that came from it while it was somebody else's."""
    stream: Stream | None = None
    """Made with the first packet of his that is read."""
    unread: int = 0
    ended: int = 0
    """Packets decoded in streams that are no more."""

    @property
    def decoded(self) -> int:
        """Packets that became sound."""
        return self.ended + (0 if self.stream is None else self.stream.decoded)

    def owns(self, packet: Packet) -> bool:
        """Whether a packet of his stream is his, and not a late one of the stream's former owner."""
        return self.former is None or not _is_near(self.former, packet)


class Owners:
    """Everybody of whom a call has told, and his stream on the present line."""

    def __init__(self) -> None:
        self._users: dict[int, Person] = {}
        self._owners: dict[int, Person] = {}
        self._former: dict[int, tuple[Person, Packet | None]] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(self._users.values())

    def person(self, user: int) -> Person:
        """The one with that id, met before or not."""
        return self._users.setdefault(user, Person(user=user))

    def knows(self, user: int) -> bool:
        """Whether anything was ever said of that one."""
        return user in self._users

    def owner(self, ssrc: int) -> Person | None:
        """Whose stream that is."""
        return self._owners.get(ssrc)

    def is_late(self, packet: Packet) -> bool:
        """Whether a packet of a stream that is nobody's was sent by whom it belonged to."""
        if packet.ssrc not in self._former:
            return False
        _, last = self._former[packet.ssrc]
        return last is None or _is_near(last, packet)

    def give(self, ssrc: int, person: Person) -> None:
        """Make a stream that is nobody's that of a person who has none."""
        former, last = self._former.pop(ssrc, (person, None))
        person.ssrc, self._owners[ssrc] = ssrc, person
        person.former = None if former is person else last

    def part(self, person: Person) -> None:
        """A person's stream is his no longer; nothing, if he has none."""
        if person.ssrc is None:
            return
        del self._owners[person.ssrc]
        if len(self._former) == MOST_FORMER:
            del self._former[next(iter(self._former))]
        self._former[person.ssrc] = person, person.last
        person.ssrc = person.last = person.former = None

    def forget_streams(self) -> None:
        """On another line all numbers are given out anew."""
        for person in self:
            self.part(person)
        self._former.clear()


class Sealed:
    """Encrypted packets of unknown streams: of each the newest MOST_PACKETS, for at most a second."""

    def __init__(self) -> None:
        self._streams: dict[int, Datagrams] = {}

    @property
    def due(self) -> float | None:
        """When `expire` has to be called, in monotonic seconds."""
        if not self._streams:
            return None
        return min(datagrams[0][0] for datagrams in self._streams.values()) + SEALED_SECONDS

    def keep(self, ssrc: int, datagram: bytes, at: float) -> int:
        """Keep one packet; how many (0 or 1) could not be kept for it."""
        datagrams = self._streams.get(ssrc)
        if datagrams is None:
            if len(self._streams) >= MOST_STREAMS:
                return 1
            datagrams = self._streams[ssrc] = deque()
        datagrams.append((at, datagram))
        if len(datagrams) <= MOST_PACKETS:
            return 0
        datagrams.popleft()
        return 1

    def take(self, ssrc: int) -> Datagrams:
        """Hand over what is kept of a stream, in order."""
        return self._streams.pop(ssrc, deque())

    def expire(self, now: float) -> int:
        """Throw away what has been kept for a second; how many packets that was."""
        thrown = 0
        for ssrc, datagrams in tuple(self._streams.items()):
            while datagrams and now >= datagrams[0][0] + SEALED_SECONDS:
                datagrams.popleft()
                thrown += 1
            if not datagrams:
                del self._streams[ssrc]
        return thrown

    def clear(self) -> int:
        """Throw everything away; how many packets that was."""
        thrown = sum(map(len, self._streams.values()))
        self._streams.clear()
        return thrown


def _is_near(last: Packet, packet: Packet) -> bool:
    """Whether two envelopes of one stream can be of one sender: by chance, once in a million streams."""
    steps = abs(distance(last.sequence, packet.sequence, 16))
    ticks = abs(distance(last.timestamp, packet.timestamp, 32))
    return steps <= RECENT and ticks <= RECENT * TICKS
