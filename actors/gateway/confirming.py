"""What was asked aloud waits for somebody's word in writing, and only his counts who may give it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias, assert_never

from actors.gateway.decisions import AnswerButton, AnswerConfirm, Confirm, Decision, Settle, Step, Wake
from actors.gateway.errands import Confirming
from actors.gateway.shortening import shortened
from actors.gateway.state import State
from messages.captain import Confirmed
from messages.gateway import (
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    ConfirmAsked,
    ConfirmDropped,
    ConfirmFailed,
    ConfirmOverdue,
)
from messages.ids import NO_GUILD, ConfirmationId

ConfirmNews: TypeAlias = ConfirmAsked | ConfirmDropped | ConfirmFailed | ConfirmOverdue | ButtonPressed
MOST_CONFIRMING: Final = 32


def heard(state: State, event: ConfirmNews) -> Step:
    """A question with two buttons, and how it ends: once, and for one reason."""
    match event:
        case ConfirmAsked():
            return _asked(state, event)
        case ConfirmDropped():
            one = _named(state, event.confirmation)
            return (state, ()) if one is None else (_without(state, one), (_settle(one, "dropped"),))
        case ConfirmFailed():
            one = _named(state, event.confirmation)
            return (state, ()) if one is None else (_without(state, one), (_answer(one, event.failed),))
        case ConfirmOverdue():
            one = _named(state, event.confirmation)
            return (state, ()) if one is None else _ended(state, one, "timeout")
        case ButtonPressed():
            return _pressed(state, event)
        case _:
            assert_never(event)


def _asked(state: State, event: ConfirmAsked) -> Step:
    if refused := _refused(state, event):
        return state, (AnswerConfirm(asker=event.reply_to, answer=Confirmed(refused=refused)),)
    one = Confirming(
        confirmation=event.confirmation, guild=event.guild, tier=event.tier, reply_to=event.reply_to
    )
    state = _with(state, (*state.errands.confirming, one))
    return state, (
        Confirm(confirmation=event.confirmation, room=event.room, text=shortened(event.text)),
        Wake(seconds=state.settings.confirm_seconds, message=ConfirmOverdue(confirmation=event.confirmation)),
    )


def _refused(state: State, event: ConfirmAsked) -> str:
    if not state.ready:
        return "account_not_ready"
    room = state.rooms.get(event.room)
    elsewhere = event.guild not in (NO_GUILD, state.authority.home, *state.authority.guilds)
    if elsewhere or (room is not None and room.guild != event.guild):
        return "forbidden"
    full = len(state.errands.confirming) >= MOST_CONFIRMING
    return "busy" if full or _named(state, event.confirmation) else ""


def _pressed(state: State, event: ButtonPressed) -> Step:
    """Who may not say yes may not say no either, nor end the waiting of those who may."""
    one = _named(state, event.confirmation)
    if one is None:
        return state, (_told(event, ButtonOutcome.OVER),)
    here = event.asker.guild == one.guild
    if not here or not state.authority.may_confirm(event.asker, one.tier):
        return state, (_told(event, ButtonOutcome.NOT_YOURS),)
    outcome = ButtonOutcome.GRANTED if event.granted else ButtonOutcome.DENIED
    state, ended = _ended(state, one, outcome.value)
    return state, (_told(event, outcome), *ended)


def _ended(state: State, one: Confirming, outcome: str) -> Step:
    refused = "" if outcome == ButtonOutcome.GRANTED.value else outcome
    return _without(state, one), (_settle(one, outcome), _answer(one, refused))


def given_up(state: State) -> Step:
    """The account is gone: nobody can press anything any more."""
    return _with(state, ()), tuple(_answer(one, "gateway_lost") for one in state.errands.confirming)


def stopped(state: State) -> tuple[Decision, ...]:
    """This life ends: the buttons would lead nowhere."""
    return tuple(_settle(one, "dropped") for one in state.errands.confirming)


def _named(state: State, name: ConfirmationId) -> Confirming | None:
    return next((one for one in state.errands.confirming if one.confirmation == name), None)


def _without(state: State, one: Confirming) -> State:
    return _with(state, tuple(other for other in state.errands.confirming if other != one))


def _with(state: State, confirming: tuple[Confirming, ...]) -> State:
    return replace(state, errands=replace(state.errands, confirming=confirming))


def _settle(one: Confirming, outcome: str) -> Settle:
    return Settle(confirmation=one.confirmation, outcome=outcome)


def _answer(one: Confirming, refused: str) -> AnswerConfirm:
    return AnswerConfirm(asker=one.reply_to, answer=Confirmed(refused=refused))


def _told(event: ButtonPressed, outcome: ButtonOutcome) -> AnswerButton:
    return AnswerButton(asker=event.reply_to, answer=ButtonAnswered(outcome=outcome))
