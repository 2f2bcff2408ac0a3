"""The local mind behind its port: a step takes its time, is given once, and never after the turn is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.captain.brief import Asked, Brief, Item, Output
from actors.captain.journal import Entry, HeardAsked, ToolEnded
from actors.captain.local import LocalMind
from actors.captain.local_wire import outcome_of
from actors.captain.notes import look_up
from actors.captain.rules import Call
from actors.captain.script import CaptainScript, ScriptedTurn
from actors.captain.telling import told
from actors.captain.tools import HOUSE_TOOLS
from messages.authority import Surface
from messages.captain import MachineTool, MindEvent, MindStepped
from messages.gateway import Joined, JoinRefused, RefusedJoin
from messages.ids import CallId, HandoffId, LineId, PersonId, RoomId, StayId
from messages.people import Line, LineSource, Person
from messages.tools import ComeToVoice, Mistaken, NoteAbout, Remember, ToolRequest, UseMachine
from tests.clock import ManualClock
from tests.probe import Probe

TURN = HandoffId("t")
PLAY = MachineTool(name="music__play", server="music", description="", schema="{}", destructive=False)
NOTES = """# Kitchen
- Lunch is at *one* o'clock.
- The spare key hangs behind the door.

# Garage
The ladder belongs to Ben.
"""


class Mind:
    """A local mind, its clock, and whatever it gave."""

    def __init__(
        self, *, notes_file: Path | None = None, turns: tuple[ScriptedTurn, ...] | None = None
    ) -> None:
        self.clock, self.events = ManualClock(), Probe[MindEvent]()
        script = None if turns is None else CaptainScript(turns, lambda text, words: words in text)
        self.port = LocalMind(self.clock, delay_seconds=2.0, notes_file=notes_file, script=script)
        self.port.open(self.events.tell)

    def begin(
        self,
        *requests: str,
        history: tuple[Entry, ...] = (),
        machines: tuple[MachineTool, ...] = (),
        original: tuple[Line, ...] = (),
    ) -> None:
        self.port.begin(
            Brief(
                turn=TURN,
                surface=Surface.TEXT,
                persona="",
                asked=tuple(Asked(speaker="Ann", request=one, original=original) for one in requests),
                history=history,
                tools=tuple(HOUSE_TOOLS),
                machines=machines,
            )
        )

    def step(self, number: int, *items: Item, seconds: float = 0.0) -> MindStepped:
        self.port.think(TURN, number, items)
        self.clock.advance(seconds)
        stepped = self.events.expect(MindStepped)
        assert (stepped.handoff, stepped.step) == (TURN, number)
        return stepped

    def answer(self, request: str) -> str:
        self.begin(request)
        return self.step(1, seconds=2.0).text


def requests(stepped: MindStepped) -> list[ToolRequest]:
    return [call.request for call in stepped.calls]


def output(stepped: MindStepped, text: str, place: int = 0) -> Output:
    return Output(call=stepped.calls[place].call, text=text)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text(NOTES, encoding="utf-8")
    return path


def test_the_first_step_takes_its_time_and_later_ones_none() -> None:
    mind = Mind()
    mind.begin("come here")
    mind.port.think(TURN, 1, ())
    mind.clock.advance(1.9)
    assert mind.events.received() == []
    mind.clock.advance(0.2)
    first = mind.events.expect(MindStepped)
    assert requests(first) == [ComeToVoice()]
    joined = told(Joined(room=RoomId("1"), stay=StayId("s"), name="Den"), transcripts_kept=False)
    last = mind.step(2, output(first, joined.text))
    assert (last.calls, last.text.startswith("I am in Den.")) == ((), True)


def test_the_real_refusal_of_a_join_is_told_with_its_remedy() -> None:
    mind = Mind()
    mind.begin("Clankie, hop in")
    refusal = told(JoinRefused(reason=RefusedJoin.NOT_IN_VOICE), transcripts_kept=False)
    text = mind.step(2, output(mind.step(1, seconds=2.0), refusal.text)).text
    assert text == 'I don\'t see you in a voice channel. Join one and say "try now".'


def test_try_now_finds_in_the_lane_what_was_refused() -> None:
    mind, other = Mind(), HandoffId("before")
    asked = HeardAsked(
        at=1.0,
        handoff=other,
        surface=Surface.TEXT,
        room=None,
        message=None,
        people=(PersonId("a"),),
        label="Ann",
        text="come here",
    )
    ended = ToolEnded(at=2.0, handoff=other, call=CallId("c"), tool="voice_join", outcome="not_in_voice")
    mind.begin("try now", history=(asked, ended))
    assert requests(mind.step(1, seconds=2.0)) == [ComeToVoice()]


def test_what_is_asked_meanwhile_is_answered_in_the_same_turn() -> None:
    mind = Mind()
    mind.begin("remember that I am Ann")
    first = mind.step(1, seconds=2.0)
    assert requests(first) == [Remember(note="I am Ann", about=NoteAbout.SPEAKER)]
    last = mind.step(2, output(first, '{"outcome":"done"}'), Asked(speaker="Ann", request="what day is it?"))
    assert last.text == "I will remember that. Today is Thursday, January 1, 2026."


def test_a_turn_that_is_over_or_a_closed_mind_gives_nothing() -> None:
    mind = Mind()
    mind.begin("what time is it")
    mind.port.think(TURN, 1, ())
    mind.port.over(TURN)
    mind.clock.advance(5)
    mind.port.think(TURN, 2, ())
    mind.begin("what time is it")
    mind.port.think(TURN, 1, ())
    mind.port.close()
    mind.clock.advance(5)
    assert mind.events.received() == []


def test_a_script_goes_before_the_rules_and_takes_its_own_time() -> None:
    song = ScriptedTurn(
        heard="blue", calls=(Call(tool="music__play", arguments='{"n": 1}'),), text="{result}", delay=7.0
    )
    mind = Mind(turns=(song,))
    line = Line(
        id=LineId("l"),
        person=Person(id=PersonId("a"), label="Ann"),
        text="play Kind of blue",
        source=LineSource.SPOKEN,
        began=0.0,
        ended=1.0,
    )
    mind.begin("music", machines=(PLAY,), original=(line,))
    assert "1 turns left" in mind.port.describe()
    mind.port.think(TURN, 1, ())
    assert mind.clock.next_due() == 7.0
    mind.clock.advance(7.0)
    first = mind.events.expect(MindStepped)
    assert requests(first) == [UseMachine(tool="music__play", arguments='{"n": 1}')]
    assert mind.step(2, output(first, '{"outcome":"machine","text":"Playing."}')).text == "Playing."
    assert "0 turns left" in mind.port.describe()


def test_a_scripted_tool_that_is_not_offered_is_asked_for_all_the_same_so_that_the_house_says_why() -> None:
    calls = (Call(tool="music__play"), Call(tool="fly"))
    mind = Mind(turns=(ScriptedTurn(heard="blue", calls=calls),))
    mind.begin("something blue")
    play, fly = requests(mind.step(1, seconds=2.0))
    assert play == UseMachine(tool="music__play", arguments="{}")
    assert isinstance(fly, Mistaken)


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ("when is lunch", "Lunch is at *one* o'clock."),
        ("where is the spare key?", "The spare key hangs behind the door."),
        ("who owns the ladders", "The ladder belongs to Ben."),
    ],
)
def test_notes_are_looked_up_by_their_words(notes: Path, request_: str, found: str) -> None:
    assert Mind(notes_file=notes).answer(request_) == f"The notes say: {found}"


def test_a_heading_lends_its_words_to_what_is_below_it() -> None:
    assert look_up(NOTES, "what is in the garage") == "The ladder belongs to Ben."


@pytest.mark.parametrize("path", [None, Path("there is no such file")])
def test_without_notes_he_says_so(path: Path | None) -> None:
    assert Mind(notes_file=path).answer("where is the key").startswith("I have no notes to look in.")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"outcome": 3}', '{"outcome":"room","people":[{}]}'])
def test_an_output_that_cannot_be_read_is_a_failure(text: str) -> None:
    assert not outcome_of(text).done


def test_an_order_to_somebody_else_is_not_one_to_him() -> None:
    clock, events = ManualClock(), Probe[MindEvent]()
    mind = LocalMind(clock, delay_seconds=0.0, names=("Uncle Jarvis",))
    mind.open(events.tell)
    tools = ("voice_join",)
    for name in ("Jarvis", "Marvin"):
        asked = (Asked(speaker="Ann", request=f"{name} come here"),)
        mind.begin(
            Brief(
                turn=HandoffId(name),
                surface=Surface.TEXT,
                persona="",
                asked=asked,
                history=(),
                tools=tools,
                machines=(),
            )
        )
        mind.think(HandoffId(name), 1, ())
    clock.advance(0.0)
    assert [len(events.expect(MindStepped).calls) for _ in range(2)] == [1, 0]
