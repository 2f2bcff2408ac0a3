"""Who asks, and who watches, is shown the house as it is now; while nobody does, nobody looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.console.decisions import Answer, Decision, LookAround, ShowStatus, Step, Wake, Watch
from actors.console.reporting import report
from actors.console.state import State
from actors.console.stays import found
from messages.console import StatusAsked, TreeDue, ViewDue, ViewersChanged
from messages.ids import Token
from messages.lifecycle import TreeNode

TREE_SECONDS: Final = 1.0
"""How long the house may take to describe itself."""
VIEW_SECONDS: Final = 1.0
"""So often viewers see a new status."""
MAX_ASKERS: Final = 16
"""More than this many at once are answered with what is known."""


def asked(state: State, asked: StatusAsked, now: float) -> Step:
    """Somebody wants to know how things are: look around, unless that is being done."""
    if len(state.asking) >= MAX_ASKERS:
        return state, (Answer(asked=asked, report=report(state, now)),)
    return _look(replace(state, asking=(*state.asking, asked)))


def described(state: State, tree: TreeNode, now: float) -> Step:
    """The house has said how it is."""
    stays = found(state.stays, tree, state.left)
    return _tell_all(replace(state, tree=tree, tree_at=now, stays=stays), now)


def overdue(state: State, due: TreeDue, now: float) -> Step:
    """It has not, for too long: whoever waits gets what is known."""
    return _tell_all(state, now) if due.token == state.token else (state, ())


def changed(state: State, event: ViewersChanged) -> Step:
    """Others watch than before; whoever has come sees at once how things are."""
    before, decisions = state, list[Decision]()
    state = replace(state, viewers=event.viewers, wanting_words=event.wanting_words)
    if state.shows_words != before.shows_words:
        decisions.append(Watch(words=state.shows_words))
    if state.viewers > before.viewers:
        state, looked = _look(replace(state, showing=True))
        decisions.extend(looked)
        if not before.viewers:
            state = replace(state, view_token=Token(state.view_token + 1))
            decisions.append(_again(state))
    return state, tuple(decisions)


def due(state: State, event: ViewDue) -> Step:
    """Another second is over."""
    if not state.viewers or event.token != state.view_token:
        return state, ()
    state, looked = _look(replace(state, showing=True))
    return state, (*looked, _again(state))


def _again(state: State) -> Wake:
    return Wake(seconds=VIEW_SECONDS, message=ViewDue(token=state.view_token))


def _look(state: State) -> Step:
    if state.looking:
        return state, ()
    token = Token(state.token + 1)
    return replace(state, token=token, looking=True), (
        LookAround(),
        Wake(seconds=TREE_SECONDS, message=TreeDue(token=token)),
    )


def _tell_all(state: State, now: float) -> Step:
    told: list[Decision] = [Answer(asked=asked, report=report(state, now)) for asked in state.asking]
    if state.showing and state.viewers:
        told.append(ShowStatus(report=report(state, now)))
    return replace(state, asking=(), looking=False, showing=False), tuple(told)
