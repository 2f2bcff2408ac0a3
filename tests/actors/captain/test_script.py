"""A rehearsal's captain does what the play says, each line of it once."""

from __future__ import annotations

from datetime import UTC, datetime

from actors.captain.outcomes import Outcome
from actors.captain.rules import Call, Came, Decided, Heard, Said
from actors.captain.script import CaptainScript, ScriptedTurn, direct

NOON = datetime(2026, 1, 1, 12, 5, tzinfo=UTC)
LEAVE, PLAY = Call(tool="voice_leave"), Call(tool="music__play", arguments='{"title": "Blue"}')
SONG = ScriptedTurn(heard="something blue", calls=(PLAY, LEAVE), text="{outcome}: {result}")


def says(text: str, words: str) -> bool:
    return words in text


def test_a_turn_is_played_once_for_what_was_asked_or_really_said() -> None:
    first, second = ScriptedTurn(heard="tea", text="1"), ScriptedTurn(heard="tea", text="2")
    script = CaptainScript([first, second], says)
    assert script.take(Said(request="some coffee")) is None
    assert script.take(Said(request="a drink", original=("I", "want tea"))) is first
    assert script.take(Said(request="more tea")) is second
    assert script.take(Said(request="more tea")) is None
    assert script.unplayed == 0


def test_words_that_two_lines_share_are_heard() -> None:
    assert CaptainScript([SONG], says).take(Said(request="", original=("play something", "blue"))) is SONG


def test_a_scripted_turn_uses_its_tools_and_then_says_what_came_of_them() -> None:
    turn = Heard(asked=(), now=NOON)
    assert direct(turn, [SONG]) == Decided(calls=(PLAY, LEAVE))
    came = (
        Came(call=PLAY, outcome=Outcome(outcome="machine", text="Playing Blue.")),
        Came(call=LEAVE, outcome=Outcome(outcome="leave_refused", reason="authority")),
    )
    said = direct(Heard(asked=(), now=NOON, came=came), [SONG])
    assert said.calls == ()
    assert said.text == (
        "machine, authority: Playing Blue. You may not have me go. Whoever runs me can allow it."
    )


def test_what_is_not_in_the_script_is_answered_by_the_rules_in_the_same_turn() -> None:
    asked = (Said(request="what time is it"), Said(request="leave"))
    turn = Heard(asked=asked, now=NOON, tools=("voice_leave",))
    assert direct(turn, [SONG]).calls == (PLAY, LEAVE)
    assert direct(turn, [ScriptedTurn(heard="x", text="Well.")]).calls == (LEAVE,)
    came = (Came(call=LEAVE, outcome=Outcome(outcome="left")),)
    later = Heard(asked=asked, now=NOON, tools=("voice_leave",), came=came)
    assert direct(later, [ScriptedTurn(heard="x", text="Well.")]).text == (
        "Well. It is 12:05. I have left the voice channel."
    )


def test_without_words_he_stays_silent() -> None:
    came = (Came(call=LEAVE, outcome=Outcome(outcome="left")),)
    quiet = ScriptedTurn(heard="x", calls=(LEAVE,))
    assert direct(Heard(asked=(), now=NOON, came=came), [quiet]) == Decided()
