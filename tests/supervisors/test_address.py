"""An address outlives its tenant."""

import threading

from actors.base import Life, Worker
from messages.lifecycle import Ending, Exited
from supervisors.address import MOST_KEPT, Address
from tests.probe import Probe


class Reader(Worker[str]):
    def __init__(self, life: Life) -> None:
        super().__init__(life)
        self.read: list[str] = []

    def receive(self, message: str) -> None:
        if message == "end":
            self.finish()
        self.read.append(message)


def test_a_letter_to_nobody_is_counted_and_not_thrown_back() -> None:
    address: Address[str] = Address()
    address.tell("hello")
    assert (address.missed, address.depth()) == (1, 0)


def test_an_unstarted_tenant_gets_its_letters_and_the_depth_counts_them() -> None:
    address: Address[str] = Address()
    reader = Reader(Life.alone())
    address.bind(reader.actor_ref)
    address.tell("one")
    address.tell("two")
    assert address.depth() == reader.unread() == 2
    assert address.missed == 0


def test_the_same_address_serves_the_next_tenant() -> None:
    exits: Probe[Exited] = Probe()
    address: Address[str] = Address()
    first = Reader(Life.alone(announce=exits.tell))
    address.bind(first.begin())
    address.tell("end")
    exits.expect(Exited)
    address.tell("to a dead tenant")
    address.unbind()
    address.tell("to nobody")
    second = Reader(Life.alone())
    address.bind(second.actor_ref)
    address.tell("to the second")
    assert (address.missed, first.read, second.unread()) == (2, ["end"], 1)


def test_no_missed_letter_is_lost_to_a_race_of_counters() -> None:
    address: Address[str] = Address()

    def post() -> None:
        for _ in range(500):
            address.tell("x")

    posters = [threading.Thread(target=post) for _ in range(4)]
    for poster in posters:
        poster.start()
    for poster in posters:
        poster.join(5.0)
    assert address.missed == 2000


def keeping() -> Address[str | int]:
    return Address(keeps=(str,))


def moved_in(address: Address[str | int]) -> Reader:
    reader = Reader(Life.alone())
    address.bind(reader.actor_ref)
    address.settle()
    return reader


def unread_by(reader: Reader) -> list[object]:
    return [reader.actor_inbox.get().message for _ in range(reader.unread())]


def test_what_it_keeps_waits_for_the_next_tenant_in_order_and_the_rest_is_missed() -> None:
    address = keeping()
    for letter in ("one", 2, "three"):
        address.tell(letter)
    assert address.missed == 3
    assert unread_by(moved_in(address)) == ["one", "three"]
    assert address.missed == 1


def test_what_it_keeps_comes_after_what_a_tenant_hears_while_he_moves_in() -> None:
    address = keeping()
    address.tell("one")
    reader = Reader(Life.alone())
    address.bind(reader.actor_ref)
    address.tell("two")
    address.tell(3)
    assert unread_by(reader) == [3]
    address.settle()
    address.tell("four")
    assert unread_by(reader) == ["one", "two", "four"]
    successor = Reader(Life.alone())
    address.bind(successor.actor_ref)
    address.tell("five")
    assert unread_by(successor) == []
    address.unbind()
    assert unread_by(moved_in(address)) == ["five"]


def test_it_keeps_only_so_much() -> None:
    address = keeping()
    for number in range(MOST_KEPT + 2):
        address.tell(str(number))
    assert address.inherit(["one more"]) == 1
    reader = moved_in(address)
    assert (reader.unread(), address.missed) == (MOST_KEPT, 2)
    address.unbind()
    assert address.inherit(["one more", 1]) == 1
    assert address.missed == 3


def test_what_a_tenant_leaves_unread_is_older_than_what_came_while_he_closed() -> None:
    address = keeping()

    class Slow(Reader):
        def closed(self, ending: Ending) -> None:
            address.tell("three")

    tenant = Slow(Life.alone())
    tenant.life.heir = address.inherit
    address.bind(tenant.actor_ref)
    address.settle()
    for letter in ("one", 2, "two"):
        address.tell(letter)
    tenant.on_stop()
    assert tenant.life.dropped == 1
    assert unread_by(moved_in(address)) == ["one", "two", "three"]


def test_what_somebody_who_was_abandoned_leaves_at_last_reaches_who_lives_there_now() -> None:
    address = keeping()
    reader = moved_in(address)
    assert address.inherit(["late", 1]) == 1
    assert (unread_by(reader), address.missed) == (["late"], 0)


def test_no_letter_that_is_kept_is_lost_to_a_race_with_somebody_who_moves_in() -> None:
    address = keeping()

    def post() -> None:
        for _ in range(500):
            address.tell("x")

    poster = threading.Thread(target=post)
    poster.start()
    readers = []
    for _ in range(40):
        readers.append(moved_in(address))
        address.unbind()
    poster.join(5.0)
    assert sum(reader.unread() for reader in (*readers, moved_in(address))) == 500


def test_where_nobody_moves_in_any_more_what_is_kept_goes_to_the_heir() -> None:
    address, inherited = keeping(), Probe[str | int]()
    address.tell("one")
    address.tell(2)
    address.retire(inherited.tell)
    address.tell("three")
    address.tell(4)
    assert inherited.received() == ["one", "three"]
    assert address.inherit(["five", 6]) == 1
    assert inherited.received() == ["one", "three", "five"]
    assert address.missed == 2
