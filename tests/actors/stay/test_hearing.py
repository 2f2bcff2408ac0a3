"""The room is told once that he cannot make out words, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.stay.decisions import TellGateway
from actors.stay.state import State
from messages.gateway import PostText
from messages.stay import EarTroubled, EarWorks, LinkGone, StayMessage
from tests.actors.stay.scene import ANNA, BEN, after, decided, listening


def posts(state: State, event: StayMessage) -> list[str]:
    told = [one.message for one in decided(state, event) if isinstance(one, TellGateway)]
    return [message.text for message in told if isinstance(message, PostText)]


def troubled(reason: str = "quota") -> EarTroubled:
    return EarTroubled(person=ANNA.id, reason=reason)


@pytest.mark.parametrize(
    ("reason", "because"),
    [
        ("unauthorized", "my key for the service that writes them down is not accepted"),
        ("quota", "what was paid for writing them down is used up"),
        ("too_many_listeners", "too many people are talking at once"),
        ("closed_1011", "the service that writes them down fails (closed_1011)"),
    ],
)
def test_the_first_ear_in_trouble_is_told_in_words(reason: str, because: str) -> None:
    assert posts(listening(), troubled(reason)) == [f"I cannot make out words at the moment: {because}."]


def test_it_is_not_told_again_until_an_ear_worked_again() -> None:
    state = after(listening(), troubled())
    assert posts(state, troubled()) == []
    assert posts(state, EarTroubled(person=BEN.id, reason="unauthorized")) == []
    assert decided(state, EarWorks(person=BEN.id)) == ()
    assert len(posts(after(state, EarWorks(person=BEN.id)), troubled())) == 1


def test_it_is_told_to_nobody_after_the_end_nor_where_text_is_not_allowed() -> None:
    assert posts(after(listening(), LinkGone(reason="lost")), troubled()) == []
    state = listening()
    silent = replace(state, settings=replace(state.settings, text_allowed=False))
    assert decided(silent, troubled()) == ()
