"""What concerns a stay is told to it, as soon as it lives and for as long as it is wanted."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.decisions import Decision, Step, TellStay
from actors.gateway.state import State, StayAt
from messages.stay import EndStay, StayMessage


def tell(stay: StayAt | None, message: StayMessage) -> tuple[Decision, ...]:
    """Tell a stay, if it lives."""
    if stay is None or stay.mailbox is None:
        return ()
    return (TellStay(mailbox=stay.mailbox, message=message),)


def end(state: State, stay: StayAt, order: EndStay) -> Step:
    """Have a stay end, at once or as soon as it lives; one that is saying goodbye can only be hastened."""
    if stay.ending is not None and (order.after_speech or not stay.ending.after_speech):
        return state, ()
    return state.with_stay(replace(stay, ending=order)), tell(stay, order)
