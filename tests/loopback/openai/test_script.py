"""A rehearsal's script answers over the wire what it answers in the house."""

from __future__ import annotations

from actors.realtime.items import Heard, Observed, Result, TurnBrief
from actors.realtime.live.wording import brief_entries, line_text, observation
from actors.realtime.script import ScriptedReply
from messages.floor import Trigger
from messages.ids import HandoffId, LineId, PersonId, TurnId, UtteranceId
from messages.people import Line, LineSource, Person
from tests.loopback.openai.mind import Asked, Reply, Said
from tests.loopback.openai.script import scripted


def asked(*said: Said, trigger: str = "address") -> Asked:
    return Asked(instructions="", new=said, context=said, metadata={"trigger": trigger})


def line(text: str) -> Said:
    person = Person(id=PersonId("1"), label="Ann")
    heard = Line(id=LineId("1"), person=person, text=text, source=LineSource.SPOKEN, began=0.0, ended=1.0)
    return Said("user", line_text(Heard(line=heard)))


def results(text: str, failed: str = "") -> tuple[Said, ...]:
    result = Result(handoff=HandoffId("1"), request="When?", text=text, failed=failed)
    brief = TurnBrief(
        turn=TurnId("1"),
        utterance=UtteranceId("1"),
        trigger=Trigger.HANDOFF_RESULT,
        lines=(),
        people=None,
        results=(result,),
        open_requests=(),
    )
    return tuple(Said(entry.role, entry.text) for entry in brief_entries(brief))


def text(reply: Reply) -> str:
    return "".join(reply.pieces)


def test_a_reply_answers_a_line_once() -> None:
    think = scripted([ScriptedReply(heard="what time", text="It is five o'clock.")])
    room = Said("system", observation(Observed(text="Ann came in. what time")))
    assert text(think(asked(room))) == ""
    assert text(think(asked(room, line("Clankie, what time is it?")))) == "It is five o'clock."
    assert text(think(asked(line("Clankie, what time is it?")))) == ""


def test_a_reply_may_wait_for_its_trigger_and_call_a_tool() -> None:
    ask = ScriptedReply(when="offer", text="Let me see.", tool="ask_clankie", request="When does it open?")
    think = scripted([ask, ScriptedReply(when="greeting", tool="voice_leave")])
    assert think(asked(line("Hello"))) == Reply()
    reply = think(asked(line("When does it open?"), trigger="offer"))
    assert text(reply) == "Let me see."
    assert [(call.name, call.arguments) for call in reply.calls] == [
        ("ask_clankie", '{"request": "When does it open?"}')
    ]
    assert [call.arguments for call in think(asked(trigger="greeting")).calls] == ["{}"]


def test_a_result_is_told_as_the_house_tells_it() -> None:
    told = ScriptedReply(when="handoff_result", text="Well: {result}")
    think = scripted([told, told])
    reply = think(asked(*results("It opens at nine."), trigger="handoff_result"))
    assert text(reply) == "Well: It opens at nine."
    reply = think(asked(*results("", "captain_timeout"), trigger="handoff_result"))
    assert text(reply) == "Well: I could not find that out."


def test_without_a_turn_of_ours_the_script_says_nothing() -> None:
    think = scripted([ScriptedReply(when="address", text="Hello.")])
    assert think(asked(trigger="")) == Reply()
