"""Whoever gives orders to a floor, and what is told to him."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.floor.decisions import Answer
from messages.ids import OrderId, StayId, UtteranceId
from messages.orders import Hush, Interrupt, OrderCode, SayAloud, StayOrderAnswered
from tests.actors.floor.scene import Scene, talking_with_anna
from tests.probe import Probe

DONE, NOTHING, BUSY, LEAVING = OrderCode.DONE, OrderCode.NOTHING_TO_DO, OrderCode.BUSY, OrderCode.LEAVING


@dataclass
class Desk:
    """Whoever gives orders to the floor of a scene, and hears what became of each."""

    scene: Scene = field(default_factory=Scene)
    answers: Probe[StayOrderAnswered] = field(default_factory=Probe)
    given: int = 0

    def order(self) -> OrderId:
        self.given += 1
        return OrderId(f"o{self.given}")

    def code(self) -> OrderCode:
        """What became of the newest order, which is answered once."""
        told = [one for one in self.answers.received() if one.order == f"o{self.given}"]
        assert [one.stay for one in told] == [StayId("stay")]
        return told[0].code

    def say(self, text: str = "Dinner is ready.") -> OrderCode:
        self.scene.happens(SayAloud(order=self.order(), text=text, reply_to=self.answers))
        self.deliver()
        return self.code()

    def hush(self, seconds: float = 60.0) -> OrderCode:
        self.scene.happens(Hush(order=self.order(), seconds=seconds, reply_to=self.answers))
        self.deliver()
        return self.code()

    def interrupt(self) -> OrderCode:
        self.scene.happens(Interrupt(order=self.order(), reply_to=self.answers))
        self.deliver()
        return self.code()

    def deliver(self) -> None:
        for told in self.scene.done(Answer):
            if told.answer not in self.answers.received():
                told.mailbox.tell(told.answer)

    def triggers(self) -> list[str]:
        return [turn.trigger.value for turn in self.scene.turns()]


def mid_sentence() -> tuple[Desk, UtteranceId]:
    scene, utterance = talking_with_anna()
    return Desk(scene), utterance
