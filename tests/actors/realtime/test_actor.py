"""The conversation as an actor among its neighbours, with a fake model and with the local mind."""

from queue import SimpleQueue
from typing import Any, cast

import pytest

from actors.base import Life
from actors.realtime.actor import Realtime
from actors.realtime.local import LocalBrain
from actors.realtime.port import RealtimePort
from actors.realtime.script import Script, ScriptedReply
from actors.realtime.settings import RealtimeSettings
from messages.captain import AskCaptain, CaptainMessage, ResultUnsaid, TakeBack
from messages.evidence import EvidenceMessage, ModelResponse
from messages.floor import (
    ConversationRestarted,
    FloorMessage,
    Outcome,
    ResultWaiting,
    Trigger,
    TurnAnswered,
    TurnLost,
)
from messages.ids import HandoffId, RoomId, StayId
from messages.lifecycle import Ending
from messages.realtime import (
    CancelTurn,
    ForgetPerson,
    HandoffReturned,
    HandoffTakenBack,
    RealtimeMessage,
    RealtimeTick,
    TurnAsked,
)
from messages.stay import ConversationOpened, EndStay, StayMessage
from messages.tts import SayEnd, SayText, TtsMessage
from supervisors.address import Address
from tests.actors.realtime.fake import FakeModel
from tests.actors.realtime.talk import ANNA, ONE, R1, T1, T2, line
from tests.clock import ManualClock
from tests.probe import Probe


class Room:
    """An unstarted Realtime among probes."""

    def __init__(self, port: RealtimePort) -> None:
        self.floor, self.tts = Probe[FloorMessage](), Probe[TtsMessage]()
        self.stay, self.captain = Probe[StayMessage](), Probe[CaptainMessage]()
        self.returns = Address[RealtimeMessage]()
        self.evidence, self.clock = Probe[EvidenceMessage](), ManualClock(10.0)
        self.actor = Realtime(
            Life.alone(),
            stay_id=StayId("stay"),
            room=RoomId("room"),
            floor=self.floor,
            tts=self.tts,
            stay=self.stay,
            captain=self.captain,
            returns=self.returns,
            evidence=self.evidence,
            clock=self.clock,
            port=port,
            settings=RealtimeSettings(),
        )
        self.returns.bind(self.actor.actor_ref)
        self.actor.opened()

    def read(self) -> None:
        letters = cast("SimpleQueue[Any]", self.actor.actor_inbox)
        while not letters.empty():
            self.actor.receive(letters.get().message)

    def ask(self, *said: str, trigger: Trigger = Trigger.ADDRESS) -> TurnAnswered:
        """A turn of Anna's lines, answered by a port that answers at once."""
        self.actor.receive(TurnAsked(turn=T1, trigger=trigger, lines=tuple(map(line, said))))
        self.read()
        return self.floor.expect(TurnAnswered)

    def spoken(self) -> str:
        return "".join(message.text for message in self.tts.received() if isinstance(message, SayText))


def test_a_conversation_that_opens_asks_who_is_here_and_says_that_it_begins_anew() -> None:
    room = Room(FakeModel())
    assert room.stay.received() == [ConversationOpened()]
    assert room.floor.received() == [ConversationRestarted(life=1)]
    assert room.actor.describe()["mind"] == "fake"


def test_everything_that_is_decided_reaches_its_neighbour() -> None:
    model = FakeModel()
    room = Room(model)
    room.actor.receive(TurnAsked(turn=T1, trigger=Trigger.ADDRESS, lines=(line("hello"),)))
    room.actor.receive(CancelTurn(turn=T1))
    room.actor.receive(TurnAsked(turn=T2, trigger=Trigger.ADDRESS, lines=(line("again"),)))
    room.actor.receive(ForgetPerson(person=ANNA.id))
    room.actor.closed(Ending.SHUTDOWN)
    assert [call[0] for call in model.calls] == [
        "connect", "respond", "cancel", "add", "add", "respond", "cancel", "add", "disconnect", "close",
    ]  # fmt: skip
    assert model.calls[2] == ("cancel", ONE, R1)
    assert room.evidence.expect(ModelResponse).outcome == "cut"


def test_the_deadline_is_a_letter_of_the_clock() -> None:
    room = Room(FakeModel())
    room.actor.receive(TurnAsked(turn=T1, trigger=Trigger.ADDRESS, lines=(line("hello"),)))
    room.clock.advance(21)
    room.read()
    assert room.floor.expect(TurnAnswered).detail == "deadline"
    room.actor.receive(RealtimeTick(token=room.actor._state.token))


def test_a_script_is_spoken_and_each_line_of_it_is_used_once() -> None:
    script = [
        ScriptedReply(heard="how are you", text="Fine. And you?"),
        ScriptedReply(when="greeting", text="Hi."),
    ]
    brain = LocalBrain(Script(script))
    room = Room(brain)
    assert "2 replies left" in brain.describe()
    assert room.ask("Clankie, how are you?").outcome is Outcome.SPOKE
    assert [type(message) for message in room.tts.received()] == [SayText, SayText, SayEnd]
    assert room.spoken() == "Fine. And you?"
    assert room.ask("Clankie, how are you?").outcome is Outcome.SILENT
    assert room.ask(trigger=Trigger.GREETING).outcome is Outcome.SPOKE


def test_a_question_travels_to_the_captain_and_its_result_is_spoken() -> None:
    script = [
        ScriptedReply(heard="what time", tool="ask_clankie", request="the time"),
        ScriptedReply(when="handoff_result", text="The captain says: {result}"),
    ]
    room = Room(LocalBrain(Script(script)))
    assert room.ask("Clankie, what time is it?").outcome is Outcome.TOOL
    asked = room.captain.expect(AskCaptain)
    assert (asked.stay, asked.room, asked.request) == (StayId("stay"), RoomId("room"), "the time")
    asked.reply_to.tell(HandoffReturned(handoff=asked.handoff, request=asked.request, text="It is noon."))
    room.read()
    assert room.floor.expect(ResultWaiting).handoff == asked.handoff
    room.actor.receive(TurnAsked(turn=T2, trigger=Trigger.HANDOFF_RESULT, lines=()))
    room.read()
    assert room.spoken() == "The captain says: It is noon."


def test_never_mind_reaches_the_captain_while_he_is_at_work() -> None:
    room = Room(LocalBrain())
    room.ask("Clankie, what time is it?")
    asked = room.captain.expect(AskCaptain)
    room.actor.receive(TurnAsked(turn=T2, trigger=Trigger.ADDRESS, lines=(line("Clankie, never mind"),)))
    room.read()
    assert room.captain.received()[-1] == TakeBack(handoff=asked.handoff)
    assert room.spoken() == "All right, I drop what you asked for."
    asked.reply_to.tell(HandoffTakenBack(handoff=asked.handoff))
    room.read()
    assert room.actor.describe()["handoffs_open"] == 0


def test_the_rules_say_what_they_are() -> None:
    assert Room(LocalBrain()).actor.describe()["mind"] == "scripted rules, no language model"


def test_the_rules_explain_themselves_once_in_a_conversation() -> None:
    room = Room(LocalBrain())
    room.ask("Clankie, I like the sea")
    assert "no language model" in room.spoken()
    room.ask("Clankie, it is blue today")
    assert room.spoken().endswith("to hear which.That is beyond me.")


def test_he_leaves_with_a_goodbye_when_he_is_told_to() -> None:
    room = Room(LocalBrain())
    assert room.ask("Clankie, go away.").outcome is Outcome.SPOKE
    assert room.spoken() == "Goodbye."
    assert room.stay.expect(EndStay).after_speech


def test_a_closed_mind_reports_nothing() -> None:
    brain = LocalBrain()
    room = Room(brain)
    room.actor.closed(Ending.SHUTDOWN)
    room.actor.receive(TurnAsked(turn=T1, trigger=Trigger.GREETING, lines=()))
    brain.disconnect(ONE)
    room.read()
    assert room.tts.received() == []


def test_a_result_that_was_not_said_before_the_end_goes_back_to_the_captain() -> None:
    room = Room(LocalBrain(Script([])))
    room.actor.receive(HandoffReturned(handoff=HandoffId("w"), request="the time", text="It is noon."))
    room.actor.closed(Ending.CRASHED)
    unsaid = room.captain.expect(ResultUnsaid)
    assert (unsaid.room, unsaid.request, unsaid.text) == (RoomId("room"), "the time", "It is noon.")


@pytest.mark.parametrize(
    ("ending", "phase", "reason"),
    [
        (Ending.CRASHED, "failed", "crashed"),
        (Ending.SHUTDOWN, "completed", None),
        (Ending.ORDERED, "completed", None),
    ],
)
def test_a_turn_in_flight_at_the_end_is_on_record_and_left_to_whoever_asked(
    ending: Ending, phase: str, reason: str | None
) -> None:
    room = Room(FakeModel())
    room.actor.receive(TurnAsked(turn=T1, trigger=Trigger.ADDRESS, lines=(line("hello"),)))
    room.actor.closed(ending)
    receipt = room.evidence.expect(ModelResponse)
    assert (receipt.turn_id, receipt.phase, receipt.reason) == (T1, phase, reason)
    assert room.floor.received()[1:] == [TurnLost(turn=T1)]
