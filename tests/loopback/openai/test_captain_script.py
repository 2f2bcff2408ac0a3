"""A rehearsal's captain does over the wire what he does in the house."""

from __future__ import annotations

from actors.captain.brief import Asked, Brief
from actors.captain.journal import Entry, HeardAsked, ToolEnded
from actors.captain.live.wording import asked, instructions, opening
from actors.captain.rules import Call
from actors.captain.script import CaptainScript, ScriptedTurn
from messages.authority import Surface
from messages.ids import CallId, HandoffId, LineId, PersonId
from messages.people import Line, LineSource, Person
from tests.loopback.discord.body import decode
from tests.loopback.openai.captain_script import scripted_captain
from tests.loopback.openai.responses_asked import Came, CaptainAsked, CaptainBrain, CaptainReply

ANN = Person(id=PersonId("1"), label="Ann")
TRIED = (
    HeardAsked(
        at=1.0,
        handoff=HandoffId("h"),
        surface=Surface.TEXT,
        room=None,
        message=None,
        people=(ANN.id,),
        label="Ann",
        text="come here",
    ),
    ToolEnded(at=2.0, handoff=HandoffId("h"), call=CallId("c"), tool="voice_join", outcome="not_in_voice"),
)


def captain(*turns: ScriptedTurn, delay: float = 0.0) -> CaptainBrain:
    script = CaptainScript(turns, lambda text, words: words in text)
    return scripted_captain(script, notes="- Lunch is at one.", delay=delay)


def step(
    request: str,
    *later: str,
    spoken: str = "",
    came: tuple[Came, ...] = (),
    history: tuple[Entry, ...] = (),
    surface: Surface = Surface.TEXT,
) -> CaptainAsked:
    """One step as the house would write it to a model."""
    line = Line(id=LineId("1"), person=ANN, text=spoken, source=LineSource.SPOKEN, began=0.0, ended=1.0)
    first = Asked(speaker="Ann", request=request, original=(line,) if spoken else ())
    brief = Brief(
        turn=HandoffId("t"),
        surface=surface,
        persona="",
        asked=(first,),
        history=history,
        tools=("voice_join", "voice_leave"),
        machines=(),
    )
    told = [*opening(brief, 60.0).splitlines(), *(asked(Asked(speaker="Ann", request=one)) for one in later)]
    return CaptainAsked(
        instructions=instructions(brief),
        told=tuple(map(decode, told)),
        new=(),
        outputs=came,
        tools=brief.tools,
        steps=1 if came else 0,
    )


LEFT = Came(tool="voice_leave", arguments="{}", output='{"outcome":"left","channel":"Den"}')


def test_no_half_of_a_compound_request_is_lost() -> None:
    think, request = captain(), "leave and look up when lunch is"
    assert think(step(request)).calls == (("voice_leave", "{}"),)
    assert think(step(request, came=(LEFT,))).text == "I have left Den. The notes say: Lunch is at one."


def test_try_now_is_read_from_what_was_written_about_before() -> None:
    assert captain()(step("try now", history=TRIED)).calls == (("voice_join", "{}"),)


def test_a_goodbye_said_aloud_is_an_order() -> None:
    assert captain()(step("bye")).calls == ()
    assert captain()(step("bye", surface=Surface.VOICE)).calls == (("voice_leave", "{}"),)


def test_a_script_is_followed_through_all_steps_of_its_turn_and_once() -> None:
    blue = ScriptedTurn(heard="blue", calls=(Call(tool="voice_leave"),), text="Well: {outcome}.")
    think = captain(blue)
    assert think(step("music", spoken="something blue")) == CaptainReply(calls=(("voice_leave", "{}"),))
    assert think(step("music", spoken="something blue", came=(LEFT,))).text == "Well: left."
    assert think(step("something blue")).text == "I found nothing about that in the notes."


def test_what_is_added_in_mid_turn_is_answered_with_the_rest() -> None:
    think = captain(ScriptedTurn(heard="lunch", text="Soup."))
    think(step("leave"))
    assert think(step("leave", "and lunch?", came=(LEFT,))).text == "Soup. I have left Den."


def test_he_is_as_slow_as_the_local_one() -> None:
    slow = captain(ScriptedTurn(heard="slow", text="So.", delay=26.0), delay=13.0)
    assert slow(step("slow")).pause == 2.0
    assert slow(step("leave")).pause == 1.0
    assert slow(step("leave", came=(LEFT,))).pause == 0.0
