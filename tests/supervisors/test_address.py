"""An address outlives its tenant."""

import threading

from actors.base import Life, Worker
from messages.lifecycle import Exited
from supervisors.address import Address
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
