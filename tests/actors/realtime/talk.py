"""A conversation's core with its own time, for tests that ask and answer it."""

from typing import TypeVar

from actors.realtime.core import step
from actors.realtime.decisions import (
    Add,
    Decision,
    HandOff,
    Record,
    Respond,
    TellFloor,
    TellStay,
    TellTts,
    Wake,
)
from actors.realtime.settings import RealtimeSettings
from actors.realtime.state import State
from messages.floor import Outcome, Trigger, TurnAnswered
from messages.ids import (
    CallId,
    Connection,
    LineId,
    PersonId,
    ResponseId,
    RoomId,
    StayId,
    Token,
    TurnId,
    UtteranceId,
)
from messages.people import Line, LineSource, Person, Presence
from messages.realtime import (
    RealtimeMessage,
    RealtimeTick,
    ResponseEnded,
    ResponseEnding,
    ResponseText,
    ToolCalled,
    TurnAsked,
)

ANNA = Person(id=PersonId("anna"), label="Anna")
BEN = Person(id=PersonId("ben"), label="Ben")
HERE = (Presence(person=ANNA, consented=True), Presence(person=BEN, consented=False))
T1, T2 = TurnId("t1"), TurnId("t2")
R1, R2 = ResponseId("t1-1"), ResponseId("t2-1")
U1 = UtteranceId("t1-speech")
ONE, TWO = Connection(1), Connection(2)
K = TypeVar("K")


def line(text: str, person: Person = ANNA, name: str = "") -> Line:
    return Line(
        id=LineId(name or text), person=person, text=text, source=LineSource.SPOKEN, began=0.0, ended=1.0
    )


class Talk:
    """Feeds the core; `wait` lets its timers fire."""

    def __init__(self, settings: RealtimeSettings | None = None) -> None:
        self.state = State(stay=StayId("stay"), room=RoomId("den"), settings=settings or RealtimeSettings())
        self.now = 1000.0
        self.wake: tuple[float, Token] | None = None

    def do(self, event: RealtimeMessage) -> list[Decision]:
        self.state, decisions = step(self.state, event, self.now)
        for decision in decisions:
            if isinstance(decision, Wake):
                self.wake = (self.now + decision.seconds, decision.message.token)
        return [decision for decision in decisions if not isinstance(decision, Wake)]

    def wait(self, seconds: float) -> list[Decision]:
        end, done = self.now + seconds, list[Decision]()
        while self.wake is not None and self.wake[0] <= end:
            self.now, token = self.wake
            self.wake = None
            done += self.do(RealtimeTick(token=token))
        self.now = end
        return done

    def ask(self, *lines: Line, turn: TurnId = T1, trigger: Trigger = Trigger.ADDRESS) -> list[Decision]:
        return self.do(TurnAsked(turn=turn, trigger=trigger, lines=lines))

    def text(self, text: str, response: ResponseId = R1, connection: Connection = ONE) -> list[Decision]:
        return self.do(ResponseText(connection=connection, response=response, text=text))

    def call(
        self, name: str, call: str = "c", request: str = "", response: ResponseId = R1
    ) -> list[Decision]:
        return self.do(
            ToolCalled(connection=ONE, response=response, call=CallId(call), name=name, request=request)
        )

    def end(
        self,
        response: ResponseId = R1,
        ending: ResponseEnding = ResponseEnding.COMPLETED,
        reason: str = "",
        connection: Connection = ONE,
    ) -> list[Decision]:
        return self.do(ResponseEnded(connection=connection, response=response, ending=ending, reason=reason))

    def handed_off(self) -> list[Decision]:
        """A first turn in which Anna's question went to the captain, under the name c-handoff."""
        self.ask(line("Clankie, what time is it?"))
        self.call("ask_clankie", request="the time")
        return self.end()


def floor(decisions: list[Decision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellFloor)]


def stay(decisions: list[Decision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellStay)]


def spoken(decisions: list[Decision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellTts)]


def receipts(decisions: list[Decision]) -> list[object]:
    return [decision.receipt for decision in decisions if isinstance(decision, Record)]


def items(decisions: list[Decision]) -> list[object]:
    return [decision.item for decision in decisions if isinstance(decision, Add)]


def only(decisions: list[Decision], kind: type[K]) -> K:
    (found,) = [decision for decision in decisions if isinstance(decision, kind)]
    return found


def answer(decisions: list[Decision]) -> tuple[Outcome, str | None, str]:
    """The outcome, utterance and detail of the one turn that was answered."""
    (found,) = [message for message in floor(decisions) if isinstance(message, TurnAnswered)]
    return found.outcome, found.utterance, found.detail


def handoff(decisions: list[Decision]) -> HandOff:
    return only(decisions, HandOff)


def brief(decisions: list[Decision]) -> Respond:
    return only(decisions, Respond)
