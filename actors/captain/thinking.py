"""The mind thinks step by step: it is told what came of the last one, and asked again where it failed."""

from __future__ import annotations

from dataclasses import replace

from actors.captain import ending
from actors.captain.brief import Asked, Item, Output
from actors.captain.decisions import Think
from actors.captain.journalling import labels
from actors.captain.state import Stage, State, Turn
from messages.captain import AskCaptain, Question

MOST_AGAIN = 3
"""How often, in one turn, a step that failed is asked again."""
LONGEST_REST = 30.0
_RESTS = (1.0, 2.0, 4.0)
_PASSING = frozenset({"rate_limited", "provider_down", "unreachable", "timeout", "aborted", "bad_frame"})
"""What may be otherwise a moment later."""


def think(state: State, turn: Turn, items: tuple[Item, ...]) -> State:
    """Ask for the next step."""
    turn = replace(turn, steps=turn.steps + 1)
    return _ask(state, turn, items)


def go_on(state: State, turn: Turn) -> State:
    """All calls of a step are answered: the mind is told, unless it has had its steps.

    What was asked meanwhile is read in any case: whoever is answered has been listened to.
    """
    if turn.steps >= state.settings.turn_steps and all(one.handed for one in turn.heard):
        if turn.text or turn.said:
            return ending.answered(state, turn, turn.text)
        return ending.failed(state, turn, "too_many_steps")
    calls = (turn.call(name) for name in turn.called)
    outputs = tuple(Output(call=call.id, text=call.output) for call in calls if call is not None)
    return _told(state, turn, outputs)


def concluded(state: State, turn: Turn, text: str) -> State:
    """The mind has answered; if more was asked meanwhile it thinks once more, and all is answered as one."""
    if all(one.handed for one in turn.heard):
        return ending.answered(state, turn, text)
    return _told(state, replace(turn, said=(*turn.said, text), text=""), ())


def fails(state: State, turn: Turn, reason: str, again_after: float | None) -> State:
    """What may pass is asked again after a while; no tool is used again because of it."""
    if reason not in _PASSING or turn.again >= MOST_AGAIN:
        return ending.failed(state, turn, reason)
    wanted = _RESTS[turn.again] if again_after is None else again_after
    rest = min(max(0.0, wanted), LONGEST_REST)
    resting = replace(
        turn, stage=Stage.RESTING, due=state.now + rest, again=turn.again + 1, news_at=state.now
    )
    return state.with_turn(resting)


def ask_again(state: State, turn: Turn) -> State:
    """The same step under its next number; the mind has kept what it was told."""
    return _ask(state, turn, ())


def asked(question: Question) -> Asked:
    """One question as the mind reads it."""
    if isinstance(question, AskCaptain):
        return Asked(
            speaker=labels(question),
            request=question.request,
            original=question.original,
            recent=question.recent,
            observations=question.observations,
        )
    return Asked(speaker=labels(question), request=question.request)


def _told(state: State, turn: Turn, outputs: tuple[Output, ...]) -> State:
    """With what the tools gave back, and with what was asked meanwhile."""
    fresh = tuple(asked(one.question) for one in turn.heard if not one.handed)
    heard = tuple(replace(one, handed=True) for one in turn.heard)
    return think(state, replace(turn, heard=heard, called=()), (*outputs, *fresh))


def _ask(state: State, turn: Turn, items: tuple[Item, ...]) -> State:
    turn = replace(
        turn,
        stage=Stage.THINKING,
        number=turn.number + 1,
        due=state.now + state.settings.step_seconds,
        news_at=state.now,
    )
    return state.with_turn(turn).do(Think(turn=turn.id, step=turn.number, items=items))
