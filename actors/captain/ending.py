"""However a turn ends, everybody who asked for it is told exactly once, and nothing of it goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.captain import answers, confirming
from actors.captain.decisions import Drop, Over
from actors.captain.journal import SaidAnswer, TurnOver
from actors.captain.journalling import LONGEST_WORDS, begun, write
from actors.captain.state import CallStage, Heard, State, Turn
from messages.captain import AskAsOperator, AskCaptain, AskInText
from messages.tools import UseMachine

CLOSED = "captain_closed"
_LONGEST_REASON = 64


def answered(state: State, turn: Turn, text: str) -> State:
    """The mind has come to an end; what it had answered before more was asked is part of it, once."""
    before = [part for part in turn.said if not _begins_with(text, part)]
    text = "\n\n".join(part for part in (*before, text) if part)
    state = replace(_let_go(state, turn), done=state.done + 1, trouble="")
    if text:
        said = SaidAnswer(at=state.wall, handoff=turn.id, text=text[:LONGEST_WORDS])
        state = write(state, turn.lane, said)
    state = _over(state, turn, "answered" if text or turn.files else "silent")
    match turn.first:
        case AskInText():
            return answers.in_text(state, turn.heard, text, files=turn.files)
        case AskCaptain() as question:
            return answers.aloud(state, turn, question, text)
        case AskAsOperator():
            return answers.to_operator(state, turn, text, files=turn.files)
        case _:
            assert_never(turn.first)


def failed(state: State, turn: Turn, reason: str, *, written: bool = True) -> State:
    """Nothing came of it, and why; without being `written` down it is told again in the next life."""
    reason = reason[:_LONGEST_REASON]
    trouble = state.trouble if reason == CLOSED else reason
    state = replace(_let_go(state, turn), failed=state.failed + 1, trouble=trouble)
    if written:
        state = _over(state, turn, "failed", reason)
    match turn.first:
        case AskInText():
            return answers.in_text(state, turn.heard, "", failed=reason)
        case AskCaptain() as question:
            return answers.failed_aloud(state, turn, question, reason, last=written)
        case AskAsOperator():
            return answers.to_operator(state, turn, "", failed=reason)
        case _:
            assert_never(turn.first)


def taken_back(state: State, turn: Turn) -> State:
    """Nobody wants it any longer."""
    state = _over(_let_go(state, turn), turn, "taken_back")
    return answers.taken_back(state, turn.heard)


def one_taken_back(state: State, turn: Turn, heard: Heard) -> State:
    """This question of a turn is dropped before the mind has read it; the turn goes on."""
    left = tuple(one for one in turn.heard if one is not heard)
    first = turn.id if turn.at_work else left[0].question.handoff
    after = replace(turn, id=first, heard=left)
    turns = tuple(after if one.id == turn.id else one for one in state.turns)
    state = replace(state, turns=turns)
    if first != turn.id:
        state = begun(_over(state, turn, "taken_back"), after)
    return answers.one_dropped(state, heard)


def _begins_with(text: str, part: str) -> bool:
    words = part.split()
    return text.split()[: len(words)] == words


def _let_go(state: State, turn: Turn) -> State:
    """The mind, the servers and the buttons are told that nobody waits for them."""
    state = replace(state, turns=tuple(one for one in state.turns if one.id != turn.id))
    if turn.number:
        state = state.do(Over(turn=turn.id))
    if any(call.stage is CallStage.ORDERED and isinstance(call.request, UseMachine) for call in turn.calls):
        state = state.do(Drop(turn=turn.id))
    for call in turn.calls:
        state = confirming.drop(state, turn, call)
    return state


def _over(state: State, turn: Turn, how: str, reason: str = "") -> State:
    """Write down that a turn is over."""
    entry = TurnOver(at=state.wall, handoff=turn.id, how=how, reason=reason, prompt=state.prompt)
    return write(state, turn.lane, entry)
