"""Whatever the floor, the model and the captain do in whatever order, every question gets one answer."""

from collections import Counter
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.realtime.decisions import Connect, Decision, Disconnect, HandOff, Respond, TellStay
from actors.realtime.items import CallAnswered
from actors.realtime.settings import RealtimeSettings
from messages.floor import Trigger, TurnAnswered
from messages.ids import CallId, Connection, ResponseId, TurnId
from messages.realtime import (
    CancelTurn,
    ConversationLost,
    ForgetPerson,
    HandoffFailed,
    HandoffMerged,
    HandoffReturned,
    HandoffTakenBack,
    MouthRestarted,
    ResponseEnded,
    ResponseEnding,
    ResponseText,
    ToolCalled,
    TurnAsked,
)
from messages.stay import SayInChat
from tests.actors.realtime.talk import ANNA, BEN, Talk, floor, items, line

K = TypeVar("K")
EVENTS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from((Trigger.ADDRESS, Trigger.OFFER))),
    st.tuples(st.just("speakerless"), st.sampled_from((Trigger.GREETING, Trigger.HANDOFF_RESULT))),
    st.tuples(st.just("dictated"), st.sampled_from(("Dinner.", "Go to bed now."))),
    st.tuples(st.just("text"), st.sampled_from(("", "Well", "well then. "))),
    st.tuples(st.just("call"), st.sampled_from(("voice_leave", "ask_clankie", "take_back", "nonsense"))),
    st.tuples(st.just("end"), st.sampled_from(list(ResponseEnding))),
    st.tuples(st.just("lost"), st.sampled_from(("reset", "session_expired"))),
    st.tuples(st.just("cancel"), st.sampled_from(("turn", "all"))),
    st.tuples(st.just("forget"), st.sampled_from((ANNA, BEN))),
    st.tuples(st.just("captain"), st.sampled_from(("returned", "failed", "taken_back", "merged"))),
    st.tuples(st.just("time"), st.sampled_from((0.1, 5.0, 25.0, 400.0))),
)


class Chaos:
    """A conversation with everything that it decided."""

    def __init__(self) -> None:
        self.talk = Talk(RealtimeSettings())
        self.done: list[Decision] = []
        self.turns = 0
        self.calls = 0

    def happen(self, event: tuple[str, object]) -> None:
        talk, flight = self.talk, self.talk.state.flight
        connection = talk.state.connection or Connection(0)
        response = flight.response if flight else ResponseId("none")
        match event:
            case ("ask" | "speakerless" as kind, Trigger() as trigger):
                self.turns += 1
                said = (line(f"a{self.turns}", ANNA), line(f"b{self.turns}", BEN)) if kind == "ask" else ()
                self.done += talk.ask(*said, turn=TurnId(f"t{self.turns}"), trigger=trigger)
            case ("dictated", str(text)):
                self.turns += 1
                turn = TurnId(f"t{self.turns}")
                self.done += talk.do(TurnAsked(turn=turn, trigger=Trigger.OPERATOR, lines=(), saying=text))
            case ("text", str(text)):
                self.done += talk.do(ResponseText(connection=connection, response=response, text=text))
            case ("call", str(name)):
                self.calls += 1
                call = CallId(f"c{self.calls}")
                self.done += talk.do(
                    ToolCalled(connection=connection, response=response, call=call, name=name, request="x")
                )
            case ("end", ResponseEnding() as ending):
                self.done += talk.do(ResponseEnded(connection=connection, response=response, ending=ending))
            case ("lost", str(reason)):
                self.done += talk.do(ConversationLost(connection=connection, reason=reason))
            case ("cancel", what):
                turn = flight.turn if flight else TurnId("none")
                self.done += talk.do(MouthRestarted() if what == "all" else CancelTurn(turn=turn))
            case ("forget", who):
                self.done += talk.do(ForgetPerson(person=(ANNA if who == ANNA else BEN).id))
            case ("captain", how):
                self.captain(str(how))
            case (_, float(seconds)):
                self.done += talk.wait(seconds)
            case _:
                raise AssertionError(event)

    def captain(self, how: str) -> None:
        names = [handoff.handoff for handoff in self.kinds(HandOff)]
        for name in names:
            match how:
                case "returned":
                    text = f"result of {name}."
                    self.done += self.talk.do(HandoffReturned(handoff=name, request="x", text=text))
                case "failed":
                    self.done += self.talk.do(HandoffFailed(handoff=name, request="x", reason="stalled"))
                case "taken_back":
                    self.done += self.talk.do(HandoffTakenBack(handoff=name))
                case _:
                    self.done += self.talk.do(HandoffMerged(handoff=name, into=names[-1]))

    def kinds(self, kind: type[K]) -> list[K]:
        return [decision for decision in self.done if isinstance(decision, kind)]


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, max_size=50))
def test_the_conversation_keeps_its_promises(events: list[tuple[str, object]]) -> None:
    chaos = Chaos()
    for event in events:
        chaos.happen(event)
    chaos.done += chaos.talk.wait(30.0)
    answered = [message.turn for message in floor(chaos.done) if isinstance(message, TurnAnswered)]
    assert sorted(answered) == sorted(f"t{number}" for number in range(1, chaos.turns + 1))
    outputs = Counter(item.call for item in items(chaos.done) if isinstance(item, CallAnswered))
    assert set(outputs.values()) <= {1}
    one_connection_at_a_time(chaos.done)
    no_result_is_lost(chaos)
    chaos.done += chaos.talk.wait(2 * chaos.talk.state.settings.hold_seconds)
    state = chaos.talk.state
    assert state.flight is None
    assert state.connection is None or state.handoffs


def one_connection_at_a_time(decisions: list[Decision]) -> None:
    newest = 0
    for decision in decisions:
        if isinstance(decision, Connect):
            assert decision.connection == newest + 1
            newest = decision.connection
        elif isinstance(decision, Respond | Disconnect):
            assert decision.connection == newest


def no_result_is_lost(chaos: Chaos) -> None:
    """A result was put before the model, written into the chat, waits, or is wanted no longer."""
    told = {result.handoff for ask in chaos.kinds(Respond) for result in ask.brief.results}
    posted = " ".join(
        decision.message.text for decision in chaos.kinds(TellStay) if isinstance(decision.message, SayInChat)
    )
    waiting = {one.handoff for one in chaos.talk.state.handoffs} | set(chaos.talk.state.settled)
    for asked in chaos.kinds(HandOff):
        assert asked.handoff in told | waiting or f"result of {asked.handoff}." in posted
