"""Packets come out in the order in which they were spoken, or not at all; and nobody waits long for them."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from actors.voice.media.rtp import TICKS

LATER_PACKETS: Final = 3
"""After so many packets behind a gap, what is missing counts as lost."""
GAP_SECONDS: Final = 0.060
"""After so long as well."""
MOST_CONCEALED: Final = 3
"""Packets in a row that are made up for; a longer gap is skipped."""
MOST_HELD: Final = 10
"""Packets of one speaker that wait for an earlier one, whatever that one is waiting for."""
RECENT: Final = 100
"""A packet further behind than this is not late: its speaker has begun to count anew."""
LONGEST_STEP: Final = 3 * TICKS
"""Clock steps from one packet to the next that are not yet a pause."""


class Slot(NamedTuple):
    """One packet of a speaker; without `frame` its decoder has to make one up.

    `at` is the monotonic second of arrival; what came before `after_gap` is lost, or was a pause.
    """

    frame: bytes | None
    timestamp: int
    at: float
    after_gap: bool = False


Slots: TypeAlias = tuple[Slot, ...]


class Window:
    """The order of one speaker's packets, from its `first` sequence number on.

    Sequence numbers have 16 bits and timestamps 32; both wrap around. A place can be kept for a packet that
    has arrived and cannot be read yet. Nothing is given out twice.
    """

    def __init__(self, first: int) -> None:
        self._next = first
        self._timestamp: int | None = None
        self._missing = 0
        self._held: dict[int, Slot] = {}
        self.due: float | None = None
        """When `tick` has to be called, in monotonic seconds."""

    def refuses(self, sequence: int) -> str | None:
        """Before anything is decrypted: why a packet is of no use (a bounded code), None if it may be."""
        if sequence == self._next and not self._held:
            return None
        if sequence in self._held:
            return "duplicate"
        return "late" if -RECENT <= self._ahead(sequence) < 0 else None

    def put(self, sequence: int, timestamp: int, frame: bytes, at: float) -> Slots:
        """Take a packet that could be read, into its kept place if it has one; what can be heard now."""
        slot = Slot(frame, timestamp, at)
        if sequence == self._next and not self._held:
            return self._pass(slot)
        return self._hold(sequence, slot, at)

    def keep(self, sequence: int, timestamp: int, at: float) -> Slots:
        """Keep the place of a packet until `put` or `give_up`; what can be heard now."""
        return self._hold(sequence, Slot(None, timestamp, at), at)

    def give_up(self, sequence: int, now: float) -> Slots:
        """The packet whose place was kept is lost; what can be heard now."""
        kept = self._held.get(sequence)
        if kept is not None and kept.frame is None:
            self._lose(sequence)
        return self._release(now)

    def tick(self, now: float) -> Slots:
        """What need not wait any longer."""
        return self._release(now)

    def _hold(self, sequence: int, slot: Slot, now: float) -> Slots:
        present, ahead = self._held.get(sequence), self._ahead(sequence)
        if -RECENT <= ahead < 0 or (present is not None and present.frame is not None):
            return ()
        earlier = self._begin_again(sequence) if ahead < 0 else ()
        self._held[sequence] = slot
        return earlier + self._release(now)

    def _begin_again(self, sequence: int) -> Slots:
        """The speaker counts anew, from here: what was held of the old count can be heard now."""
        read = sorted((self._ahead(old), slot) for old, slot in self._held.items() if slot.frame is not None)
        released: Slots = ()
        for _, slot in read:
            released += self._pass(slot._replace(after_gap=True))
        self._held.clear()
        self._next, self._timestamp, self._missing = sequence, None, 0
        return released

    def _release(self, now: float) -> Slots:
        """Everything up to the first packet that is worth waiting for."""
        released: Slots = ()
        while self._held:
            slot = self._held.get(self._next)
            if slot is None:
                if not self._is_lost(now):
                    break
                self._skip_to(min(self._held, key=self._ahead))
            elif slot.frame is not None:
                del self._held[self._next]
                released += self._pass(slot)
            elif len(self._held) > MOST_HELD:
                self._lose(self._next)
            else:
                break
        self.due = self._deadline()
        return released

    def _is_lost(self, now: float) -> bool:
        deadline = self._deadline()
        return len(self._held) >= LATER_PACKETS or (deadline is not None and now >= deadline)

    def _deadline(self) -> float | None:
        """When what is missing in front counts as lost; a place that is kept there has no such time."""
        if not self._held or self._next in self._held:
            return None
        return min(slot.at for slot in self._held.values()) + GAP_SECONDS

    def _lose(self, sequence: int) -> None:
        """Keep a place no longer; if it is the next one, nothing can come for it any more."""
        del self._held[sequence]
        if sequence == self._next:
            self._skip_to(sequence + 1 & 0xFFFF)

    def _skip_to(self, sequence: int) -> None:
        self._missing += self._ahead(sequence)
        self._next = sequence

    def _pass(self, slot: Slot) -> Slots:
        """This packet is the next; before it what is missing, if that is little and was no pause."""
        before, missing = self._timestamp, self._missing
        self._next, self._timestamp, self._missing = self._next + 1 & 0xFFFF, slot.timestamp, 0
        if before is None or missing > MOST_CONCEALED:
            return (slot._replace(after_gap=True),)
        if slot.timestamp - before & 0xFFFFFFFF > LONGEST_STEP * (missing + 1):
            return (slot._replace(after_gap=True),)
        if not missing:
            return (slot,)
        made_up = (Slot(None, before + TICKS * step & 0xFFFFFFFF, slot.at) for step in range(1, missing + 1))
        return (*made_up, slot)

    def _ahead(self, sequence: int) -> int:
        return distance(self._next, sequence, 16)


def distance(start: int, end: int, bits: int) -> int:
    """How far `end` lies in front of `start` in numbers of so many bits; negative: behind it."""
    half = 1 << bits - 1
    return (end - start + half & 2 * half - 1) - half
