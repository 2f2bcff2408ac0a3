"""From the synthesizer's characters to a word in his ear: what a stay costs goes round the whole house."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from actors.clock import SystemClock
from actors.local_room import LocalRoom
from actors.realtime.items import Item, Observed
from actors.realtime.local import LocalBrain
from actors.realtime.script import Script
from messages.evidence import Left, Usage, Watch
from messages.ids import Connection, RoomId
from messages.people import Person
from supervisors.house import House
from supervisors.settings import load
from tests.probe import Probe
from tests.supervisors.test_whole_house import ANNA, ANSWER, GREETING, Scene, ports

SOON = 30.0
COSTS = {"tell_at": 0.02, "prices": {"hibari": {"characters": 1000.0}}}
TIMES = {"gateway": {"join_seconds": 1.0}, "stay": {"join_seconds": 0.9}}


class Ear(LocalBrain):
    """A mind that shows what it is told to have happened."""

    def __init__(self, script: Script, observed: Probe[str]) -> None:
        super().__init__(script)
        self._observed = observed

    def add(self, connection: Connection, item: Item) -> None:
        """Take it in."""
        if isinstance(item, Observed):
            self._observed.tell(item.text)
        super().add(connection, item)


def wait_for_cost(observed: Probe[str]) -> str:
    while True:
        text = observed.expect(str, SOON)
        if "cost" in text:
            return text


def test_he_is_told_what_his_own_words_cost_and_stays(tmp_path: Path) -> None:
    room, clock, observed = LocalRoom(RoomId("den")), SystemClock(), Probe[str]()
    room.arrive(Person(id=ANNA, label="Anna"))
    script = Script([GREETING, ANSWER])
    made = replace(ports(tmp_path, room, clock, Probe()), realtime=lambda: Ear(script, observed))
    with House(load(None, {**TIMES, "costs": COSTS}), made, clock) as house:
        scene = Scene(house=house, room=room)
        house.evidence.tell(Watch(watcher=scene.told, may_see_words=False))
        scene.join()
        said = wait_for_cost(observed)
        used = scene.expect(Usage, lambda one: one.service == "speech", SOON)
        assert said == "So far this stay has cost about 0.04 USD."
        assert used.characters == 2 * len("This goes on for a while.")
        assert scene.all(Left) == []
