"""Whatever the network does to packets, they are heard in order, once, and soon."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.voice.media.window import GAP_SECONDS, LATER_PACKETS, MOST_HELD, Slot, Slots, Window, distance

FIRST = 65_500
"""So that everything here wraps around."""
CLOCK = 2**32 - 3 * 960


def body(index: int) -> bytes:
    return index.to_bytes(4, "big")


def index_of(slot: Slot) -> int | None:
    return None if slot.frame is None else int.from_bytes(slot.frame, "big")


class Line:
    """A window that hears packets by their index in the stream, 20 ms apart."""

    def __init__(self) -> None:
        self.window = Window(FIRST)
        self.slots: list[Slot] = []
        self.now = 100.0

    def hear(self, *indexes: int, pause: int = 0) -> Slots:
        """These packets arrive at once, at `now`, after a pause of so many slots in the speaker's clock."""
        heard: Slots = ()
        for index in indexes:
            sequence = FIRST + index & 0xFFFF
            if self.window.refuses(sequence) is None:
                timestamp = CLOCK + 960 * (index + pause) & 0xFFFFFFFF
                heard += self.window.put(sequence, timestamp, body(index), self.now)
        return self.take(heard)

    def keep(self, index: int) -> Slots:
        timestamp = CLOCK + 960 * index & 0xFFFFFFFF
        return self.take(self.window.keep(FIRST + index & 0xFFFF, timestamp, self.now))

    def give_up(self, index: int) -> Slots:
        return self.take(self.window.give_up(FIRST + index & 0xFFFF, self.now))

    def wait(self, seconds: float) -> Slots:
        self.now += seconds
        return self.take(self.window.tick(self.now))

    def arrive(self, indexes: Iterable[int]) -> None:
        """These packets come 20 ms apart, and then nothing."""
        for index in indexes:
            self.hear(index)
            self.wait(0.020)
        self.wait(GAP_SECONDS)

    def take(self, slots: Slots) -> Slots:
        self.slots += slots
        return slots

    @property
    def heard(self) -> list[int]:
        return [index for slot in self.slots if (index := index_of(slot)) is not None]

    @property
    def concealed(self) -> int:
        return sum(slot.frame is None for slot in self.slots)


def names(slots: Slots) -> list[int | None]:
    return [index_of(slot) for slot in slots]


def test_packets_in_order_go_straight_through() -> None:
    line = Line()
    for index in range(100):
        assert names(line.hear(index)) == [index]
        assert line.window.due is None
    assert [slot.after_gap for slot in line.slots] == [True] + [False] * 99


def test_a_swapped_pair_is_put_right() -> None:
    line = Line()
    line.hear(0)
    assert line.hear(2) == ()
    assert line.window.due == line.now + GAP_SECONDS
    assert names(line.hear(1)) == [1, 2]
    assert line.window.due is None


def test_a_lost_packet_is_made_up_for_when_three_later_ones_are_there() -> None:
    line = Line()
    line.hear(0)
    assert line.hear(2, 3) == ()
    slots = line.hear(4)
    assert names(slots) == [None, 2, 3, 4]
    assert [slot.timestamp for slot in slots] == [(CLOCK + 960 * i) % 2**32 for i in (1, 2, 3, 4)]
    assert not any(slot.after_gap for slot in slots)


def test_a_lost_packet_is_made_up_for_after_a_while() -> None:
    line = Line()
    line.hear(0, 2)
    assert line.wait(GAP_SECONDS / 2) == ()
    assert names(line.wait(GAP_SECONDS / 2)) == [None, 2]


def test_three_lost_packets_are_made_up_for() -> None:
    line = Line()
    line.hear(0, 4)
    assert names(line.wait(GAP_SECONDS)) == [None, None, None, 4]


def test_a_longer_gap_is_skipped() -> None:
    line = Line()
    line.hear(0, 5)
    (slot,) = line.wait(GAP_SECONDS)
    assert index_of(slot) == 5
    assert slot.after_gap


def test_nothing_is_made_up_for_a_packet_lost_before_a_pause() -> None:
    line = Line()
    line.hear(0)
    line.hear(2, pause=100)
    (slot,) = line.wait(GAP_SECONDS)
    assert slot.after_gap


@pytest.mark.parametrize("pause", [10, 10_000, -50, 2**31 // 960])
def test_a_jump_of_the_clock_is_a_gap_and_loses_nothing(pause: int) -> None:
    line = Line()
    line.hear(0)
    (slot,) = line.hear(1, pause=pause)
    assert slot.after_gap
    (slot,) = line.hear(2, pause=pause)
    assert not slot.after_gap


def test_a_packet_that_comes_again_is_refused_before_anybody_opens_it() -> None:
    line = Line()
    line.hear(0, 2)
    assert line.window.refuses(FIRST) == "late"
    assert line.window.refuses(FIRST + 2) == "duplicate"
    assert line.window.refuses(FIRST + 1) is None


def test_a_packet_that_comes_again_does_not_take_the_place_of_the_first() -> None:
    line = Line()
    line.hear(0, 2)
    assert line.window.put(FIRST + 2, CLOCK + 2 * 960, b"nothing", line.now) == ()
    assert names(line.hear(1)) == [1, 2]
    assert line.window.put(FIRST + 2, CLOCK + 2 * 960, b"nothing", line.now) == ()


def test_the_second_gap_has_its_own_time() -> None:
    line = Line()
    line.hear(0, 2)
    line.wait(0.050)
    line.hear(4)
    assert names(line.wait(0.010)) == [None, 2]
    assert line.wait(0.049) == ()
    assert names(line.wait(0.001)) == [None, 4]


def test_a_speaker_who_counts_anew_is_heard_at_once() -> None:
    line = Line()
    line.hear(5000, 5001, 5003)
    line.wait(GAP_SECONDS)
    line.hear(5005)
    again = line.hear(4)
    assert names(again) == [5005, 4]
    assert all(slot.after_gap for slot in again)
    assert names(line.hear(5)) == [5]


def test_counting_anew_lets_a_kept_place_go() -> None:
    line = Line()
    line.hear(5000)
    line.wait(GAP_SECONDS)
    line.keep(5001)
    assert names(line.hear(4)) == [4]
    assert line.give_up(5001) == ()
    assert names(line.hear(5)) == [5]


def test_a_leap_ahead_is_a_gap_like_any_other() -> None:
    line = Line()
    line.hear(0, 20_000)
    assert names(line.wait(GAP_SECONDS)) == [20_000]
    assert names(line.hear(20_001)) == [20_001]


def test_a_kept_place_is_filled_in_order() -> None:
    line = Line()
    line.hear(0)
    line.keep(1)
    assert line.window.refuses(FIRST + 1) == "duplicate"
    assert line.hear(2, 3, 4, 5) == ()
    assert line.window.due is None
    filled = line.window.put(FIRST + 1, CLOCK + 960, body(1), line.now)
    assert names(filled) == [1, 2, 3, 4, 5]
    assert not any(slot.after_gap for slot in filled)


def test_a_kept_place_behind_a_gap_waits_for_both() -> None:
    line = Line()
    line.hear(0)
    line.keep(2)
    assert line.hear(3) == ()
    assert line.wait(GAP_SECONDS) == ()
    assert line.window.due is None
    assert names(line.give_up(2)) == [None, None, 3]


def test_a_place_that_is_given_up_is_a_loss() -> None:
    line = Line()
    line.hear(0)
    line.keep(1)
    line.hear(2)
    assert names(line.give_up(1)) == [None, 2]
    assert line.give_up(1) == ()
    assert line.window.refuses(FIRST + 1) == "late"


def test_giving_up_what_was_heard_takes_nothing_away() -> None:
    line = Line()
    line.hear(0, 2)
    assert line.give_up(2) == ()
    assert names(line.hear(1)) == [1, 2]


def test_no_kept_place_holds_up_more_than_a_few_packets() -> None:
    line = Line()
    line.hear(0)
    line.keep(1)
    assert line.hear(*range(2, MOST_HELD + 1)) == ()
    assert names(line.hear(MOST_HELD + 1)) == [None, *range(2, MOST_HELD + 2)]


def test_numbers_that_wrap_around_have_distances() -> None:
    assert distance(65_535, 2, 16) == 3
    assert distance(2, 65_535, 16) == -3
    assert distance(0, 32_767, 16) == 32_767
    assert distance(0, 32_768, 16) == -32_768


# --- a thousand packets and a bad network


def lost(chance: random.Random, indexes: Iterable[int], share: float) -> list[int]:
    return [index for index in indexes if index == 0 or chance.random() >= share]


def swapped(chance: random.Random, indexes: Iterable[int], share: float) -> list[int]:
    """Some come one or two places later."""
    ranks = [
        (place + (chance.choice((1.5, 2.5)) if place and chance.random() < share else 0), index)
        for place, index in enumerate(indexes)
    ]
    return [index for _, index in sorted(ranks)]


def doubled(chance: random.Random, indexes: Iterable[int], share: float) -> Iterator[int]:
    """Some come twice, the second time up to four packets later."""
    again: list[tuple[int, int]] = []
    for index in indexes:
        yield index
        again = [(left - 1, index) for left, index in again]
        yield from (index for left, index in again if left < 0)
        again = [entry for entry in again if entry[0] >= 0]
        if chance.random() < share:
            again.append((chance.randrange(4), index))


seeds = st.integers(0, 2**32).map(random.Random)


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_of_a_thousand_packets_with_losses_every_moment_is_heard(chance: random.Random) -> None:
    line, arriving = Line(), lost(chance, range(1000), 0.05)
    line.arrive(arriving)
    assert line.heard == arriving
    long = sum(end - start - 1 for start, end in pairwise(arriving) if end - start > 4)
    assert len(line.slots) == arriving[-1] + 1 - long
    assert line.concealed == arriving[-1] + 1 - len(arriving) - long


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_of_a_thousand_swapped_packets_nearly_all_are_heard(chance: random.Random) -> None:
    line = Line()
    line.arrive(swapped(chance, range(1000), 0.10))
    assert line.heard == sorted(line.heard)
    assert len(line.slots) == 1000
    assert line.concealed <= 30


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_of_a_thousand_packets_that_partly_come_twice_each_is_heard_once(chance: random.Random) -> None:
    line = Line()
    line.arrive(doubled(chance, range(1000), 0.10))
    assert line.heard == list(range(1000))
    assert line.concealed == 0


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_losses_swaps_and_doubles_together_leave_the_order_and_the_length(chance: random.Random) -> None:
    line = Line()
    line.arrive(doubled(chance, swapped(chance, lost(chance, range(1000), 0.05), 0.10), 0.10))
    assert line.heard == sorted(set(line.heard))
    assert len(line.slots) >= 960
    ticks = [distance(CLOCK, slot.timestamp, 32) for slot in line.slots]
    assert ticks == sorted(set(ticks))


Doings = st.lists(
    st.tuples(st.sampled_from(["hear", "keep", "give_up", "fill", "wait"]), st.integers(0, 40)), max_size=80
)


@given(Doings)
def test_whatever_happens_nothing_is_heard_twice_out_of_order_or_never(doings: list[tuple[str, int]]) -> None:
    line, kept = Line(), set[int]()
    for doing, index in doings:
        match doing:
            case "hear":
                line.hear(index)
            case "keep" if line.window.refuses(FIRST + index & 0xFFFF) is None:
                line.keep(index)
                kept.add(index)
            case "give_up":
                line.give_up(index)
            case "fill" if index in kept:
                line.take(line.window.put(FIRST + index & 0xFFFF, CLOCK + 960 * index, body(index), line.now))
            case _:
                line.wait(index / 1000)
        assert len(line.window._held) <= MOST_HELD + LATER_PACKETS
    for index in kept:
        line.give_up(index)
    line.wait(GAP_SECONDS)
    line.wait(GAP_SECONDS)
    assert line.window.due is None
    assert not line.window._held
    assert line.heard == sorted(set(line.heard))
