"""The conversation against an OpenAI on this machine, over real sockets and under its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from actors.net.guarded import GuardedDial
from actors.net.loop import IoLoop
from actors.net.service import Service
from actors.realtime.items import CallAnswered, Heard
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.settings import RealtimeSettings
from messages.floor import Trigger
from messages.ids import CallId, Connection
from messages.realtime import (
    ConversationLost,
    RealtimePortEvent,
    ResponseEnded,
    ResponseEnding,
    ResponseText,
    ToolCalled,
)
from tests.actors.realtime.live.dialogue import ONE, R1, R2, SEED, U1, brief, ended, heard, line
from tests.loopback.openai.chat import Call
from tests.loopback.openai.conversation import Conversation
from tests.loopback.openai.mind import HELD, Asked, Reply, in_turn, pieces_of
from tests.loopback.openai.server import OpenAi
from tests.probe import Probe

TWO = Connection(2)


@pytest.fixture
def loop() -> Iterator[IoLoop]:
    running = IoLoop()
    running.start()
    yield running
    assert running.stop(5)


@pytest.fixture
def openai() -> Iterator[OpenAi]:
    with OpenAi() as server:
        yield server
        assert server.violations == []


class Mind:
    """A conversation on a real socket, and what it tells the core."""

    def __init__(self, loop: IoLoop, service: Service, settings: RealtimeSettings | None = None) -> None:
        self.told = Probe[RealtimePortEvent]()
        self.port = LiveConversation(loop, GuardedDial(loop), service, settings or RealtimeSettings())
        self.port.open(self.told.tell)
        self.port.connect(ONE, SEED)

    def ask(self, *said: str) -> None:
        for one in said:
            self.port.add(ONE, Heard(line=line(one)))
        self.port.respond(ONE, R1, brief())

    def answer(self) -> str:
        """The text of the next response that completes."""
        end = self.told.expect(ResponseEnded, 5)
        assert end.ending is ResponseEnding.COMPLETED
        texts = [one for one in self.told.received() if isinstance(one, ResponseText)]
        return "".join(one.text for one in texts if one.response == end.response)

    def lost(self) -> str:
        """Why the conversation was lost, which was told last and once."""
        self.told.expect(ConversationLost, 5)
        self.port.close()
        *_, last = [one for one in self.told.received() if isinstance(one, ConversationLost | ResponseEnded)]
        assert isinstance(last, ConversationLost)
        return last.reason


@pytest.fixture
def mind(loop: IoLoop, openai: OpenAi) -> Iterator[Mind]:
    made = Mind(loop, openai.service)
    yield made
    made.port.close()


def replies(openai: OpenAi, *given: Reply) -> None:
    openai.think = in_turn(given)


def test_a_turn_is_answered_in_text_to_who_asked(mind: Mind, openai: OpenAi) -> None:
    asked: list[Asked] = []

    def think(question: Asked) -> Reply:
        asked.append(question)
        return Reply(pieces=pieces_of("It is noon."))

    openai.think = think
    mind.ask("What time is it?")
    assert mind.answer() == "It is noon."
    (question,) = asked
    assert question.trigger == "address"
    assert question.tools == ("voice_leave", "ask_clankie", "take_back")
    assert [one.text for one in question.context][1:] == ['{"speaker": "Anna", "text": "What time is it?"}']
    assert openai.conversation().config["output_modalities"] == ["text"]


def test_a_call_is_told_and_its_output_taken(mind: Mind, openai: OpenAi) -> None:
    call = Call(name="ask_clankie", arguments='{"request": "the time"}')
    replies(openai, Reply(calls=(call,)), Reply(pieces=("Well.",)))
    mind.ask("What time is it?")
    told = mind.told.expect(ToolCalled, 5)
    assert (told.call, told.request) == (call.id, "the time")
    assert mind.answer() == ""
    mind.port.add(ONE, CallAnswered(call=CallId(call.id), outcome="handed_off", text="later"))
    mind.port.respond(ONE, R2, brief("t2", Trigger.OFFER))
    assert mind.answer() == "Well."
    roles = [item.role for item in openai.conversation().items]
    assert roles == ["system", "user", "call", "output", "system", "assistant"]


@pytest.mark.parametrize("leaves_item", [True, False])
def test_a_cut_answer_is_repaired_before_the_next_is_asked(
    mind: Mind, openai: OpenAi, leaves_item: bool
) -> None:
    openai.habits.cancel_leaves_item = leaves_item
    openai.habits.cancelled_calls = (Call(name="voice_leave"),)
    replies(openai, Reply(pieces=("One ", "two ", "three"), pause=HELD), Reply(pieces=("Four.",)))
    mind.ask("Count!")
    session = openai.conversation()
    for _ in range(2):
        session.wait_held()
        session.go_on()
    while not mind.told.expect(ResponseText, 5).text.startswith("two"):
        pass
    mind.port.cancel(ONE, R1)
    mind.port.add(ONE, heard("One", U1))
    mind.port.add(ONE, Heard(line=line("Stop!")))
    mind.port.respond(ONE, R2, brief("t2"))
    assert mind.answer() == "Four."
    items = [(item.role, item.text) for item in session.items if item.role != "system"]
    assert items[1:3] == [("assistant", "One (interrupted)"), ("call", "voice_leave {}")]
    assert [role for role, _ in items] == ["user", "assistant", "call", "user", "output", "assistant"]


def test_an_answer_that_is_cancelled_at_once_leaves_nothing_behind(mind: Mind, openai: OpenAi) -> None:
    replies(openai, Reply(pieces=("One", "two"), pause=HELD), Reply(pieces=("Yes.",)))
    mind.ask("Hello?")
    openai.conversation().wait_held()
    mind.port.cancel(ONE, R1)
    mind.port.respond(ONE, R2, brief("t2"))
    assert mind.answer() == "Yes."
    assert [item.role for item in openai.conversation().items] == ["system", "user", "assistant"]


def test_a_response_that_the_provider_begins_is_stopped_and_the_question_answered(
    mind: Mind, openai: OpenAi
) -> None:
    replies(openai, Reply(pieces=("Mine.",)))
    session = openai.conversation()
    session.wait_for("session.update", 5)
    session.begin_response(Reply(pieces=("I", "too"), pause=HELD))
    mind.ask("Hello?")
    assert mind.answer() == "Mine."


def test_a_session_that_expires_is_lost_as_such_and_the_next_one_knows_the_question(
    mind: Mind, openai: OpenAi
) -> None:
    replies(openai, Reply(pieces=("One",), pause=HELD), Reply(pieces=("Again.",)))
    mind.ask("Hello?")
    openai.conversation().wait_held()
    openai.conversation().expire()
    assert mind.told.expect(ConversationLost, 5).reason == "session_expired"
    mind.port.connect(TWO, SEED)
    mind.port.respond(TWO, R2, brief("t2"))
    assert mind.told.expect(ResponseText, 5).connection == TWO


def test_a_session_is_given_up_before_it_expires(mind: Mind, openai: OpenAi) -> None:
    openai.habits.session_seconds = 2
    mind.port.connect(TWO, SEED)
    assert mind.lost() == "session_expired"


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        (429, "insufficient_quota", "quota"),
        (429, "rate_limit_exceeded", "rate_limited"),
        (403, None, "forbidden"),
        (503, None, "provider_down"),
    ],
)
def test_a_refused_handshake_is_told_once_with_its_reason(
    loop: IoLoop, openai: OpenAi, status: int, code: str | None, reason: str
) -> None:
    openai.ground.refuse_next(status, {"error": {"code": code, "message": "Prose."}})
    mind = Mind(loop, openai.service)
    mind.ask("Hello?")
    assert mind.lost() == reason
    assert len(mind.told.received()) == 1


def test_a_wrong_key_and_an_unknown_model_are_told_as_what_they_are(loop: IoLoop, openai: OpenAi) -> None:
    stranger = Mind(loop, Service(base_url=openai.service.base_url, key="sk-wrong"))
    assert stranger.lost() == "unauthorized"
    dreamer = Mind(loop, openai.service, RealtimeSettings(model="gpt-dream"))
    dreamer.ask("Hello?")
    assert dreamer.lost() == "not_found"


def test_a_response_that_fails_for_the_account_says_so_and_the_session_goes_on(
    mind: Mind, openai: OpenAi
) -> None:
    replies(openai, Reply(failure="insufficient_quota"), Reply(pieces=("Yes.",)))
    mind.ask("Hello?")
    assert mind.told.expect(ResponseEnded, 5) == ended(R1, "quota", "failed")
    mind.port.respond(ONE, R2, brief("t2"))
    assert mind.answer() == "Yes."


def test_a_conversation_that_is_ended_says_nothing_whatever_its_line_does(mind: Mind, openai: OpenAi) -> None:
    replies(openai, Reply(pieces=("One",), pause=HELD))
    mind.ask("Hello?")
    session = openai.conversation()
    session.wait_held()
    mind.port.disconnect(ONE)
    session.wait_closed_by_client(5)
    assert mind.told.received() == []


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda session: session.close(1011, "Prose that must not surface."), "closed_1011"),
        (lambda session: session.abort(), "aborted"),
        (lambda session: session.send_text("{"), "bad_frame"),
        (lambda session: session.send_text("[]"), "bad_frame"),
        (lambda session: session.complain_of("insufficient_quota"), "quota"),
    ],
)
def test_a_line_that_fails_in_the_middle_of_an_answer_loses_it_once(
    mind: Mind, openai: OpenAi, fault: Callable[[Conversation], None], reason: str
) -> None:
    replies(openai, Reply(pieces=("One", "two"), pause=HELD))
    mind.ask("Hello?")
    session = openai.conversation()
    session.wait_held()
    session.go_on()
    mind.told.expect(ResponseText, 5)
    fault(session)
    assert mind.lost() == reason
    assert not [one for one in mind.told.received() if isinstance(one, ResponseEnded)]
