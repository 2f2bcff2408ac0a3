"""The room is told once that he cannot make out words, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.stay.decisions import TellGateway
from actors.stay.state import State
from messages.gateway import PostText
from messages.ids import CaptureId
from messages.stay import (
    ConsentGiven,
    ConsentWithdrawn,
    EarOpened,
    EarTroubled,
    EarWorks,
    LinkGone,
    StayMessage,
)
from tests.actors.stay.scene import ANNA, BEN, CAPTURE, EAR, SINK, active, after, decided, listening, news

BENS = EarOpened(person=BEN.id, capture=CaptureId("s1-2"), sink=SINK)


def posts(state: State, event: StayMessage) -> list[str]:
    told = [one.message for one in decided(state, event) if isinstance(one, TellGateway)]
    return [message.text for message in told if isinstance(message, PostText)]


def troubled(reason: str = "quota") -> EarTroubled:
    return EarTroubled(person=ANNA.id, capture=CAPTURE, reason=reason)


@pytest.mark.parametrize(
    ("reason", "because"),
    [
        ("unauthorized", "the provider does not accept the key"),
        ("quota", "the account at the provider is used up"),
        ("too_many_listeners", "too many people speak at once"),
        ("odd_code", "odd_code"),
    ],
)
def test_the_first_ear_in_trouble_is_told_in_words(reason: str, because: str) -> None:
    assert posts(listening(), troubled(reason)) == [f"I cannot make out words at the moment: {because}."]


def test_it_is_not_told_again_until_an_ear_worked_again() -> None:
    state = after(active(ANNA, BEN), ConsentGiven(person=ANNA.id), EAR, ConsentGiven(person=BEN.id), BENS)
    state = after(state, troubled())
    assert posts(state, troubled()) == []
    assert posts(state, EarTroubled(person=BEN.id, capture=BENS.capture, reason="unauthorized")) == []
    works = EarWorks(person=BEN.id, capture=BENS.capture)
    assert decided(state, works) == ()
    assert len(posts(after(state, works), troubled())) == 1


def test_whoever_asks_is_told_why_until_there_are_words() -> None:
    state = listening()
    assert [facts.ear_trouble for facts in news(state, troubled())] == ["quota"]
    state = after(state, troubled())
    assert [facts.ear_trouble for facts in news(state, EarWorks(person=ANNA.id, capture=CAPTURE))] == [""]


def test_what_an_ear_says_that_was_closed_meanwhile_is_old() -> None:
    opted_out = after(listening(), ConsentWithdrawn(person=ANNA.id))
    assert posts(opted_out, troubled()) == []
    again = after(opted_out, ConsentGiven(person=ANNA.id))
    assert posts(again, troubled()) == []
    state = after(listening(), troubled())
    old = EarWorks(person=ANNA.id, capture=CaptureId("s1-0"))
    assert after(state, old) == state


def test_it_is_told_to_nobody_after_the_end_nor_where_text_is_not_allowed() -> None:
    assert posts(after(listening(), LinkGone(reason="lost")), troubled()) == []
    state = listening()
    silent = replace(state, settings=replace(state.settings, text_allowed=False))
    assert decided(silent, troubled()) == ()
