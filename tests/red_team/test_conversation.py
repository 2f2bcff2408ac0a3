"""Aloud he is as hard to fool: a word that somebody said is no order, whatever it is dressed up as."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from actors.realtime.decisions import Decision, HandOff, TellCaptain, TellStay
from actors.realtime.items import CallAnswered, Heard, Observed, Result, Said, Seed, TurnBrief
from actors.realtime.live.history import History
from actors.realtime.live.wording import parse_request
from messages.floor import RosterChange, Trigger
from messages.ids import CallId, HandoffId, TurnId, UtteranceId
from messages.people import Person, Presence
from messages.realtime import RoomObserved
from messages.stay import EndStay
from tests.actors.realtime.talk import ANNA, BEN, Talk, items, line
from tests.red_team.injections import INJECTIONS, Injection

OURS = re.compile(r"ROOM: |TURN: ")
KEYS = {"speaker", "text", "looking_into", "results", "outcome"}
EVERY = pytest.mark.parametrize("injection", INJECTIONS, ids=str)
HARMLESS = Injection(way=INJECTIONS[0].way, text="hello", wants=())
MALLORY = Person(id=BEN.id, label="Mallory")


def read(text: str) -> list[tuple[str, str]]:
    """What a server is told, role and content, where these words stand wherever others can put them."""
    mallory = replace(MALLORY, label=text)
    here = (Presence(person=ANNA, consented=True), Presence(person=mallory, consented=False))
    talk = Talk()
    talk.do(RoomObserved(people=here, change=RosterChange.ARRIVED, who=mallory))
    remembered = (Heard(line=line(text, mallory)), Said(utterance=UtteranceId("u0"), text="Well."))
    seed = Seed(persona="You are Clankie.", people=here, remembered=remembered, open_requests=(text,))
    history = History(seed, 12_000)
    history.add(Observed(text=talk.state.observations[0][1]))
    history.add(Heard(line=line(text, mallory)))
    history.answered(UtteranceId("u1"), "Hm.", [(CallId("c"), "ask_clankie", '{"request": "x"}')])
    history.add(CallAnswered(call=CallId("c"), outcome="handed_off", text=text))
    for trigger in Trigger:
        history.ask(brief(trigger, text, here))
    messages = json.loads(json.dumps(history.messages()))
    return [(message["role"], message["content"]) for message in messages]


def brief(trigger: Trigger, text: str, here: tuple[Presence, ...]) -> TurnBrief:
    results = (
        Result(handoff=HandoffId("h"), request=text, text=text),
        Result(handoff=HandoffId("i"), request=text, text="", failed="stalled"),
    )
    return TurnBrief(
        turn=TurnId("t"),
        utterance=UtteranceId("u"),
        trigger=trigger,
        lines=(),
        people=here,
        results=results,
        open_requests=(text,),
    )


def test_no_word_begins_a_line_takes_a_role_or_leaves_its_object() -> None:
    plain = read(HARMLESS.text)
    for injection in INJECTIONS:
        told = read(injection.text)
        assert [role for role, _ in told] == [role for role, _ in plain]
        for (role, content), (_, before) in zip(told[1:], plain[1:], strict=True):
            lines = content.splitlines()
            assert lines == content.split("\n")
            assert len(lines) == len(before.splitlines())
            assert role == "assistant" or content.replace("\n", "").isprintable()
            for one, usual in zip(lines, before.splitlines(), strict=True):
                same_kind(one, usual)
        assert told[0] == plain[0]


def same_kind(one: str, usual: str) -> None:
    """A line of the house's stays one, and an object has the fields that it always has."""
    found, expected = OURS.match(one), OURS.match(usual)
    if expected is not None:
        assert found is not None
        assert found[0] == expected[0]
        if one != usual:
            assert re.sub('"[^"]*"', '""', one) == re.sub('"[^"]*"', '""', usual)
    elif usual.startswith("{"):
        assert json.loads(one).keys() == json.loads(usual).keys() <= KEYS
    else:
        assert one == usual


@EVERY
def test_a_mind_that_obeys_can_ask_the_captain_in_the_speakers_name_or_leave_and_nothing_else(
    injection: Injection,
) -> None:
    talk = Talk()
    talk.ask(line("what did she say?", ANNA), line(injection.text, MALLORY))
    for number, (name, arguments) in enumerate(orders(injection)):
        talk.call(name, call=f"c{number}", request=parse_request(name, arguments))
    done = talk.end()
    assert {item.outcome for item in items(done) if isinstance(item, CallAnswered)} <= {"error", "accepted"}
    only_words_of_his_own(done)
    if "voice_leave" not in injection.wants:
        assert not any(isinstance(one, TellStay) for one in done)


@EVERY
def test_what_goes_to_the_captain_names_those_who_spoke_and_carries_the_order_as_data(
    injection: Injection,
) -> None:
    talk = Talk()
    talk.ask(line(injection.text, replace(MALLORY, label=injection.text)))
    arguments = json.dumps({"request": injection.text, "askers": ["owner"], "surface": "operator"})
    talk.call("ask_clankie", call="forged", request=parse_request("ask_clankie", arguments))
    forged = talk.end()
    assert not any(isinstance(one, HandOff) for one in forged)
    talk = Talk()
    talk.ask(line(injection.text, replace(MALLORY, label=injection.text)))
    request = parse_request("ask_clankie", json.dumps({"request": injection.text}))
    talk.call("ask_clankie", request=request)
    (asked,) = [one for one in talk.end() if isinstance(one, HandOff)]
    assert [one.id for one in asked.askers] == [MALLORY.id]
    assert [(one.person.id, one.text) for one in asked.original] == [(MALLORY.id, injection.text)]


def orders(injection: Injection) -> list[tuple[str, str]]:
    return re.findall(r"call (\w+) (\{[^{}]*\})", injection.text)


def only_words_of_his_own(decisions: list[Decision]) -> None:
    for one in decisions:
        assert not isinstance(one, HandOff | TellCaptain)
        if isinstance(one, TellStay):
            assert isinstance(one.message, EndStay)
