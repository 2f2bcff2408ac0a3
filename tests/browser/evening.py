"""Receipts, words and a status as a house would show them, for a page that has none behind it."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from actors.console.report import Latencies, Latency, StatusReport, StayCosts, StayStatus
from actors.console.wire import to_json
from actors.costs import Spent
from actors.evidence.wire import to_line
from messages.evidence import (
    Consent,
    Floor,
    FloorDecision,
    HeardWords,
    Interrupted,
    Joined,
    Membership,
    ModelResponse,
    Overlap,
    Playback,
    PrivateWords,
    Receipt,
    Response,
    SpokenWords,
    Transcription,
    Utterance,
)
from messages.ids import LineId, PersonId, RoomId, SegmentId, StayId, TurnId, UtteranceId
from messages.lifecycle import LifeState, TreeNode

STAY = StayId("4f0c9d3a")
ANNA, BEN = PersonId("web-own"), PersonId("web-ben")
LABELS = {ANNA: "Anna", BEN: "Ben"}
_NUMBERS = itertools.count(1)


def view(told: Receipt | PrivateWords, at: float | None = None) -> dict[str, Any]:
    """What viewers see of this, which happened at this second since the epoch."""
    at = time.time() if at is None else at
    if isinstance(told, HeardWords | SpokenWords):
        his = isinstance(told, SpokenWords)
        return {
            "view": "words",
            "at": at,
            "stay_id": told.stay_id,
            "person_id": None if isinstance(told, SpokenWords) else told.person_id,
            "label": "Clankie" if isinstance(told, SpokenWords) else told.label,
            "text": told.text,
            "typed": not isinstance(told, SpokenWords) and told.typed,
            "his": his,
            "whole": not isinstance(told, SpokenWords) or told.whole,
        }
    line = to_line(
        told, entry_id=f"r-{next(_NUMBERS)}", occurred_at=datetime.fromtimestamp(at, UTC), origin="local"
    )
    assert isinstance(line, str), line
    return {"view": "receipt", "receipt": json.loads(line)}


def heard(
    person: PersonId, at: float, seconds: float, text: str
) -> Iterator[tuple[float, Receipt | PrivateWords]]:
    """Somebody says this until second `at`."""
    segment = SegmentId(f"s-{next(_NUMBERS)}")
    ms = int(seconds * 1000)
    yield (
        at,
        Utterance(stay_id=STAY, person_id=person, segment_id=segment, duration_ms=ms, voiced_ms=ms - 200),
    )
    yield (
        at,
        Transcription(
            stay_id=STAY,
            person_id=person,
            segment_id=segment,
            outcome="words" if text else "empty",
            latency_ms=610 + ms % 190,
            characters=len(text),
        ),
    )
    if text:
        yield (
            at,
            HeardWords(stay_id=STAY, person_id=person, label=LABELS[person], text=text, typed=False),
        )


def judged(
    person: PersonId, at: float, heard_as: str, decision: str, rule: str, turn: str
) -> tuple[float, Receipt]:
    """What the floor made of that."""
    line = LineId(f"l-{next(_NUMBERS)}")
    return at, FloorDecision(
        stay_id=STAY,
        person_id=person,
        line_id=line,
        heard_as=heard_as,
        decision=decision,
        rule=rule,
        turn_id=TurnId(turn) if turn else None,
    )


def answered(
    at: float, seconds: float, turn: str, text: str, *, cut_by: PersonId | None = None, first_ms: int = 900
) -> Iterator[tuple[float, Receipt | PrivateWords]]:
    """He answers from second `at` on, to the end or until somebody cuts him off."""
    turn_id, said, begun, ended = TurnId(turn), UtteranceId(f"u-{turn}"), at - first_ms / 1000, at + seconds
    yield (
        begun,
        ModelResponse(stay_id=STAY, turn_id=turn_id, phase="requested", trigger="address"),
    )
    yield (
        at - 0.2,
        ModelResponse(
            stay_id=STAY,
            turn_id=turn_id,
            phase="completed",
            trigger="address",
            outcome="spoke",
            latency_ms=first_ms - 300,
            first_text_ms=240,
        ),
    )
    yield at, _playback(said, turn_id, "started", 210)
    yield (
        at,
        Response(
            stay_id=STAY,
            turn_id=turn_id,
            utterance_id=said,
            trigger="address",
            whole=cut_by is None,
            decision_to_first_audio_ms=first_ms,
            speech_end_to_first_audio_ms=first_ms + 640,
        ),
    )
    if cut_by is not None:
        yield from _cut(ended, cut_by, said, turn_id)
    yield ended, _playback(said, turn_id, "drained" if cut_by is None else "cut", int(seconds * 1000))
    yield ended, SpokenWords(stay_id=STAY, utterance_id=said, text=text, whole=cut_by is None)


def _playback(said: UtteranceId, turn: TurnId, phase: str, at_ms: int) -> Playback:
    return Playback(
        stay_id=STAY,
        utterance_id=said,
        turn_id=turn,
        phase=phase,
        at_ms=at_ms,
        frames=at_ms // 20,
        decision_to_silence_ms=19 if phase == "cut" else None,
    )


def _cut(at: float, by: PersonId, said: UtteranceId, turn: TurnId) -> Iterator[tuple[float, Receipt]]:
    segment = SegmentId(f"s-{turn}")
    yield (
        at - 0.9,
        Overlap(
            stay_id=STAY,
            person_id=by,
            segment_id=segment,
            utterance_id=said,
            phase="ducked",
            reaction="duck",
        ),
    )
    yield (
        at,
        Interrupted(
            stay_id=STAY,
            person_id=by,
            segment_id=segment,
            utterance_id=said,
            turn_id=turn,
            rule="control",
            partial=True,
            word_end_to_cut_ms=240,
        ),
    )


def scene(now: float) -> list[tuple[float, Receipt | PrivateWords]]:
    """Two people and he, in the two minutes before `now`, in the order in which it happened."""
    told: list[tuple[float, Receipt | PrivateWords]] = [
        (now - 112, Joined(stay_id=STAY, room_id=RoomId("local"), humans=2, bots=0, encryption="none")),
        (now - 111, Membership(stay_id=STAY, person_id=ANNA, change="arrived", humans=1)),
        (now - 111, Consent(stay_id=STAY, person_id=ANNA, phase="granted")),
        (now - 104, Consent(stay_id=STAY, person_id=BEN, phase="granted")),
        *heard(ANNA, now - 96, 2.6, "Clankie, what time is it?"),
        judged(ANNA, now - 96, "addressed", "wake", "vocative", "t1"),
        (now - 96, Floor(stay_id=STAY, state="engaged", holder_id=ANNA, rule="wake")),
        *answered(now - 94.6, 4.2, "t1", "It is ten past nine, and the kettle has been on for a while."),
        *heard(BEN, now - 84, 3.4, "I think I left it on, honestly."),
        judged(BEN, now - 84, "none", "listen", "not_the_holder", ""),
        *heard(BEN, now - 78, 1.0, ""),
        *heard(ANNA, now - 70, 4.1, "Then tell us the story of the lighthouse."),
        judged(ANNA, now - 70, "none", "offer", "follow_up", "t2"),
        *answered(
            now - 67.8,
            15.5,
            "t2",
            "There was once a lighthouse whose keeper counted the waves, and wrote each of them",
            cut_by=ANNA,
            first_ms=1480,
        ),
        *heard(ANNA, now - 51.2, 1.5, "Clankie, stop, that is enough."),
        judged(ANNA, now - 51.2, "addressed", "hold", "control", ""),
        *heard(BEN, now - 36, 5.8, "Clankie, is there any tea left, or do we have to go out again?"),
        judged(BEN, now - 36, "addressed", "wake", "vocative", "t3"),
        (now - 36, Floor(stay_id=STAY, state="engaged", holder_id=BEN, rule="holder_moves")),
        *answered(
            now - 34.4, 6.5, "t3", "Two spoons of the good one, and a whole tin of the other.", first_ms=760
        ),
        *heard(ANNA, now - 18, 2.2, "Oh, thank goodness."),
        judged(ANNA, now - 18, "none", "listen", "not_the_holder", ""),
        *heard(BEN, now - 9, 2.4, "And who puts the kettle on?"),
        judged(BEN, now - 9, "none", "offer", "follow_up", "t4"),
    ]
    talking = list(answered(now - 5.2, 30.0, "t4", "", first_ms=1100))
    told += [one for one in talking if one[0] <= now]
    return sorted(told, key=lambda one: one[0])


def tree() -> TreeNode:
    """A house in which every actor is open."""

    def node(path: str, kind: str, *children: TreeNode, **facts: str | int | bool) -> TreeNode:
        return TreeNode(
            path=path,
            kind=kind,
            state=LifeState.OPEN,
            restarts=1 if path.endswith("tts") else 0,
            mailbox_depth=0,
            facts=facts,
            children=children,
        )

    stay = f"body/stays/{STAY}"
    mouth = node(
        f"{stay}/mouth", "Supervisor", node(f"{stay}/mouth/floor", "Floor", state="engaged", holder=ANNA)
    )
    family = node(stay, "Supervisor", node(f"{stay}/voice", "Voice", ready=True), mouth)
    body = node(
        "body", "Supervisor", node("body/gateway", "Gateway", ready=True), node("body/stays", "Stays", family)
    )
    console = node("console", "Console", server="port 4330")
    return node(
        "house",
        "Supervisor",
        node("evidence", "Evidence", written=812),
        node("captain", "Captain"),
        body,
        console,
    )


def status(*, stays: int = 1, **changes: Any) -> dict[str, Any]:
    """How things are, as `GET /status` says it."""
    latency = Latency(last_ms=1540, median_ms=1540)
    bill = (Spent(provider="openai", model="gpt-realtime-2.1", input_tokens=18200, output_tokens=940),)
    stay = StayStatus(
        stay_id=STAY,
        room_id=RoomId("local"),
        humans=2,
        consented=2,
        floor="engaged",
        link_lost=None,
        hindrance=None,
        last_turn="spoke",
        last_failure=None,
        last_reason=None,
        joined_at=time.time() - 1320,
        holder=BEN,
        heard=(ANNA, BEN),
        costs=StayCosts(amount=0.0831, currency="USD", bill=bill),
        latencies=Latencies(first_audio=latency),
    )
    others = tuple(
        replace(stay, stay_id=StayId(f"other-{one}"), room_id=RoomId(f"room-{one}"))
        for one in range(1, stays)
    )
    report = StatusReport(
        version="0.1.0",
        uptime_s=8240.0,
        tree=tree(),
        tree_age_s=0.2,
        stays=(stay, *others)[:stays],
        reasons=(),
        evidence_lost=0,
    )
    known: dict[str, Any] = json.loads(to_json(report))
    return known | {"silent": [], "room": "local"} | changes
