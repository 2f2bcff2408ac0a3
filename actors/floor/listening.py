"""As long as he can be heard, the ears listen closely: only a word that is known early can stop him early."""

from __future__ import annotations

from dataclasses import replace

from actors.floor.decisions import TellCapture
from actors.floor.state import State
from messages.capture import CaptureMessage, ListenClosely
from messages.mailbox import Mailbox


def listen(state: State, *ears: Mailbox[CaptureMessage]) -> State:
    """If he can be heard, the segments that these ears have open are listened to closely."""
    if state.audible() is None:
        return state
    close = tuple(dict.fromkeys((*state.close_ears, *ears)))
    orders = (TellCapture(mailbox=ear, message=ListenClosely(on=True)) for ear in dict.fromkeys(ears))
    return replace(state, close_ears=close).do(*orders)


def listen_to_all(state: State) -> State:
    """If he can be heard, whoever is talking is listened to closely."""
    return listen(state, *(voice.ear for voice in state.voices if voice.open))


def relax(state: State) -> State:
    """If he cannot be heard any more, no ear needs to listen closely."""
    if state.audible() is not None:
        return state
    orders = (TellCapture(mailbox=ear, message=ListenClosely(on=False)) for ear in state.close_ears)
    return replace(state, close_ears=()).do(*orders)
