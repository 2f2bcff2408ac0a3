"""A small play with everything in it, as receipts that no house had to be opened for."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from messages import evidence as e
from messages.ids import CallId, HandoffId, LineId, PersonId, RoomId, SegmentId, StayId, TurnId, UtteranceId
from supervisors.rehearsal.load import load
from supervisors.rehearsal.moments import Moment, Moments, Sounding
from supervisors.rehearsal.scenario import Scenario

STAY, ANN, BOB = StayId("stay"), PersonId("ann"), PersonId("bob")
PLAY = """
title = "a <cough> and a stop"
[[person]]
name = "Ann"
consent = true
[[person]]
name = "Bob"
[[do]]
at = 1
say = "Ann"
text = "Clankie, tell me about <lighthouses>"
[[do]]
after = { receipt = "playback", where = { phase = "started" } }
delay = 1
say = "Bob"
text = "what a day"
"""


def scenario(folder: Path, text: str = PLAY) -> Scenario:
    path = folder / "play.toml"
    path.write_text(text, "utf-8")
    return load(path)


def moment(at: float, what: e.Receipt | e.PrivateWords) -> Moment:
    if isinstance(what, e.HeardWords | e.SpokenWords):
        return Moment(at=at, what=what)
    line = json.dumps({"type": type(what).__name__, "data": asdict(what)})
    return Moment(at=at, what=e.Recorded(receipt=what, at=1000.0 + at, json_line=line))


def consent(person: PersonId, phase: str, decoded: int | None = None, unread: int | None = None) -> e.Consent:
    return e.Consent(stay_id=STAY, person_id=person, phase=phase, decoded=decoded, unread=unread)


def playback(phase: str, utterance: str, silence: int | None = None) -> e.Playback:
    return e.Playback(
        stay_id=STAY,
        utterance_id=UtteranceId(utterance),
        turn_id=TurnId(f"turn-{utterance}"),
        phase=phase,
        at_ms=0,
        decision_to_silence_ms=silence,
    )


def turn(phase: str, utterance: str, trigger: str, outcome: str | None = None) -> e.ModelResponse:
    name = TurnId(f"turn-{utterance}")
    return e.ModelResponse(stay_id=STAY, turn_id=name, phase=phase, trigger=trigger, outcome=outcome)


def overlap(person: PersonId, phase: str, utterance: str) -> e.Overlap:
    return e.Overlap(
        stay_id=STAY,
        person_id=person,
        segment_id=SegmentId("s"),
        utterance_id=UtteranceId(utterance),
        phase=phase,
        reaction="duck",
    )


def interrupted(person: PersonId, utterance: str) -> e.Interrupted:
    return e.Interrupted(
        stay_id=STAY,
        person_id=person,
        segment_id=SegmentId("s"),
        utterance_id=UtteranceId(utterance),
        turn_id=TurnId(f"turn-{utterance}"),
        rule="control",
        partial=True,
        word_end_to_cut_ms=410,
    )


def decision(person: PersonId, what: str, rule: str) -> e.FloorDecision:
    line = LineId("l")
    return e.FloorDecision(
        stay_id=STAY, person_id=person, line_id=line, heard_as="addressed", decision=what, rule=rule
    )


def words(person: PersonId, text: str) -> e.HeardWords:
    return e.HeardWords(stay_id=STAY, person_id=person, label=person, text=text, typed=False)


def spoken(utterance: str, text: str, *, whole: bool = True) -> e.SpokenWords:
    return e.SpokenWords(stay_id=STAY, utterance_id=UtteranceId(utterance), text=text, whole=whole)


def floor(state: str, holder: PersonId | None = None) -> e.Floor:
    return e.Floor(stay_id=STAY, state=state, holder_id=holder)


def handoff(phase: str) -> e.Handoff:
    return e.Handoff(stay_id=STAY, handoff_id=HandoffId("h"), asker_id=ANN, phase=phase, latency_ms=6000)


def moments() -> Moments:
    """He comes, greets, answers Ann, is ducked, cut by her, looks something up, and leaves."""
    return tuple(moment(at, what) for at, what in (*_arrival(), *_answer(), *_departure()))


Told = tuple[tuple[float, e.Receipt | e.PrivateWords], ...]


def _arrival() -> Told:
    return (
        (0.1, e.Joined(stay_id=STAY, room_id=RoomId("rehearsal"), humans=2, bots=0, encryption="none")),
        (0.12, consent(ANN, "granted")),
        (0.2, floor("dormant")),
        (0.3, turn("requested", "u0", "greeting")),
        (0.35, turn("completed", "u0", "greeting", "spoke")),
        (0.6, playback("started", "u0")),
        (2.0, playback("drained", "u0")),
        (2.0, spoken("u0", "Hello everybody.")),
    )


def _answer() -> Told:
    answer = "Lighthouses are towers that send out light. They have warned ships for"
    response = e.Response(
        stay_id=STAY,
        turn_id=TurnId("turn-u1"),
        utterance_id=UtteranceId("u1"),
        trigger="address",
        whole=True,
        decision_to_first_audio_ms=600,
        speech_end_to_first_audio_ms=1290,
    )
    return (
        (5.2, words(ANN, "Clankie, tell me about <lighthouses>.")),
        (5.2, decision(ANN, "wake", "addressed")),
        (5.2, floor("engaged", ANN)),
        (5.3, turn("requested", "u1", "address")),
        (5.4, turn("completed", "u1", "address", "spoke")),
        (5.9, playback("started", "u1")),
        (5.9, response),
        (7.6, overlap(ANN, "ducked", "u1")),
        (9.1, overlap(ANN, "resumed", "u1")),
        (11.4, overlap(ANN, "ducked", "u1")),
        (11.9, interrupted(ANN, "u1")),
        (11.92, playback("cut", "u1", 20)),
        (11.93, spoken("u1", answer, whole=False)),
        (11.95, words(ANN, "Stop.")),
        (11.95, decision(ANN, "cut", "control")),
    )


def _departure() -> Told:
    tool = e.RealtimeTool(
        stay_id=STAY,
        turn_id=None,
        call_id=CallId("c"),
        name="ask_clankie",
        phase="called",
        outcome="handed_off",
    )
    return (
        (13.0, turn("requested", "u2", "membership")),
        (13.1, turn("completed", "u2", "membership", "silent")),
        (13.5, tool),
        (13.5, handoff("began")),
        (19.5, handoff("returned")),
        (20.0, consent(ANN, "counted", 512, 0)),
        (20.0, consent(BOB, "counted", 0, 205)),
        (20.0, e.Left(stay_id=STAY, reason="self_decided", duration_ms=19_900)),
    )


def soundings() -> tuple[Sounding, ...]:
    said = (
        (ANN, 2.4, 4.6, "Clankie, tell me about <lighthouses>"),
        (BOB, 6.3, 9.8, "what a day"),
        (ANN, 7.3, 7.8, "syn_cough.wav"),
        (ANN, 11.1, 11.5, "Stop."),
    )
    return tuple(
        Sounding(person=who, began=began, ended=ended, text=text) for who, began, ended, text in said
    )
