"""Core and port together live through more than an hour, and no line and no answer is lost on the way."""

import json

import pytest

from actors.realtime.decisions import Add, Cancel, Connect, Decision, Disconnect, Record, Respond
from messages.evidence import Failed
from messages.floor import Outcome
from messages.ids import TurnId
from messages.realtime import LineOverheard
from tests.actors.net.by_hand import HandLine
from tests.actors.realtime.live.dialogue import Letter, kinds, text_of
from tests.actors.realtime.live.test_conversation import Room
from tests.actors.realtime.talk import BEN, Talk, answer, line


class House:
    """A core that decides, a port that carries it out, and a provider that answers every question."""

    def __init__(self, limit: float) -> None:
        self.talk, self.room, self.limit = Talk(), Room(), limit
        self.done: list[Decision] = []
        self.read: list[set[str]] = []
        """What each of the provider's conversations has read."""

    def carry_out(self, decisions: list[Decision]) -> None:
        port = self.room.port
        self.done += decisions
        for decision in decisions:
            match decision:
                case Connect():
                    port.connect(decision.connection, decision.seed)
                    self.read.append(set())
                    self.room.created(self.limit)
                case Disconnect():
                    port.disconnect(decision.connection)
                case Add():
                    port.add(decision.connection, decision.item)
                case Respond():
                    port.respond(decision.connection, decision.response, decision.brief)
                case Cancel():
                    port.cancel(decision.connection, decision.response)
                case _:
                    pass
        self.answer()
        told, self.room.told[:] = list(self.room.told), []
        for event in told:
            self.carry_out(self.talk.do(event))

    def answer(self) -> None:
        """The provider reads what was sent, and answers what it was asked."""
        sent = self.room.line.take() if self.room.dial.lines else []
        for letter, kind in zip(sent, kinds(sent), strict=True):
            if kind in ("user", "assistant"):
                self.read[-1].add(text_of(letter))
            if kind == "response.create":
                _answer(self.room.line, _turn_of(letter))

    def minute(self, number: int) -> Outcome:
        """Somebody says something by the way, somebody asks, and a minute passes."""
        before = len(self.done)
        overheard = line(f"by the way {number}", BEN, name=f"b{number}")
        self.carry_out(self.talk.do(LineOverheard(line=overheard)))
        self.carry_out(self.talk.ask(line(f"and {number}?"), turn=TurnId(f"t{number}")))
        outcome, _, _ = answer(self.done[before:])
        for _ in range(60):
            self.carry_out(self.talk.wait(1))
            self.room.loop.clock.advance(1)
            self.carry_out([])
        return outcome


def _turn_of(letter: Letter) -> str:
    return str(letter["response"]["metadata"]["turn"])


def _answer(provider: HandLine[object], turn: str) -> None:
    response = {"id": f"r-{turn}", "status": "completed", "metadata": {"turn": turn}}
    provider.come(type="response.created", response=response)
    provider.come(
        type="response.output_text.delta", response_id=f"r-{turn}", item_id=f"a-{turn}", delta=f"Re {turn}."
    )
    provider.come(type="response.done", response=response)


@pytest.mark.parametrize(("limit", "conversations"), [(3_600.0, 2), (1_800.0, 4)])
def test_eighty_minutes_cross_the_providers_limit_and_nobody_notices(
    limit: float, conversations: int
) -> None:
    house = House(limit)
    outcomes = [house.minute(number) for number in range(80)]
    assert set(outcomes) == {Outcome.SPOKE}
    assert len(house.room.dial.lines) == len(house.read) == conversations
    assert [one.closed for one in house.room.dial.lines] == [True] * (conversations - 1) + [False]
    assert not [one for one in house.done if isinstance(one, Record) and isinstance(one.receipt, Failed)]
    everything = set[str]().union(*house.read)
    for number in range(80):
        assert json.dumps({"speaker": "Ben", "text": f"by the way {number}"}) in everything
        assert json.dumps({"speaker": "Anna", "text": f"and {number}?"}) in everything
    for before, after in zip(house.read, house.read[1:], strict=False):
        assert len(before & after) >= 10
