"""A stay is proven only by itself, on Discord, and point by point."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from actors.chronicle.proof import DISCORD, latest_of, prove, prove_each, stays_of
from actors.chronicle.proof_types import Fact, Point
from messages import evidence as say
from messages.ids import LineId, PersonId, RoomId, SegmentId, StayId, TurnId, UtteranceId

OLD, NEW = StayId("s1"), StayId("s2")
ANNA = PersonId("anna")
ROOM = RoomId("r")
SEGMENT, LINE, TURN, SPEECH = SegmentId("c.1"), LineId("c.1"), TurnId("t1"), UtteranceId("t1-speech")


def joined(stay: StayId = NEW, encryption: str = "dave") -> say.Joined:
    return say.Joined(stay_id=stay, room_id=ROOM, humans=1, bots=0, encryption=encryption)


def left(stay: StayId = NEW, reason: str = "slash") -> say.Left:
    return say.Left(stay_id=stay, reason=reason, duration_ms=60_000)


def consent(phase: str) -> say.Consent:
    return say.Consent(stay_id=NEW, person_id=ANNA, phase=phase)


def playback(phase: str, silence: int | None = None) -> say.Playback:
    return say.Playback(
        stay_id=NEW,
        utterance_id=SPEECH,
        turn_id=TURN,
        phase=phase,
        at_ms=1,
        decision_to_silence_ms=silence,
    )


def response(phase: str) -> say.ModelResponse:
    return say.ModelResponse(stay_id=NEW, turn_id=TURN, phase=phase, trigger="address")


def overlap(phase: str) -> say.Overlap:
    return say.Overlap(
        stay_id=NEW,
        person_id=ANNA,
        segment_id=SEGMENT,
        utterance_id=SPEECH,
        phase=phase,
        reaction="duck",
    )


def failed(stage: str) -> say.Failed:
    return say.Failed(stay_id=NEW, stage=stage, reason="socket_closed")


UTTERANCE = say.Utterance(stay_id=NEW, person_id=ANNA, segment_id=SEGMENT, duration_ms=900, voiced_ms=700)
WORDS = say.Transcription(
    stay_id=NEW, person_id=ANNA, segment_id=SEGMENT, outcome="words", latency_ms=300, characters=9
)
JUDGED = say.FloorDecision(
    stay_id=NEW,
    person_id=ANNA,
    line_id=LINE,
    heard_as="addressed",
    decision="wake",
    rule="name",
    turn_id=TURN,
)
HEARD = say.Response(
    stay_id=NEW,
    turn_id=TURN,
    utterance_id=SPEECH,
    trigger="address",
    whole=False,
    decision_to_first_audio_ms=60,
)
STOPPED = say.Interrupted(
    stay_id=NEW,
    person_id=ANNA,
    segment_id=SEGMENT,
    utterance_id=SPEECH,
    turn_id=TURN,
    rule="control",
    partial=True,
    word_end_to_cut_ms=90,
)
BEFORE: tuple[say.StayReceipt, ...] = (joined(OLD), left(OLD))
TALK: tuple[say.StayReceipt, ...] = (
    *(joined(), consent("granted"), UTTERANCE, WORDS, JUDGED, response("requested"), response("completed")),
    *(playback("started"), HEARD, overlap("ducked"), overlap("resumed"), STOPPED, playback("cut", 40)),
)
WHOLE = (*BEFORE, *TALK, left())


def facts(receipts: Sequence[say.StayReceipt], origin: str = DISCORD) -> tuple[Fact, ...]:
    """One receipt every two seconds."""
    return tuple(
        Fact(at=2.0 * place, origin=origin, receipt=receipt) for place, receipt in enumerate(receipts)
    )


def missing(receipts: Sequence[say.StayReceipt], origin: str = DISCORD) -> list[Point]:
    return [point for point in prove(facts(receipts, origin), NEW).points if not point.held]


def names(receipts: Sequence[say.StayReceipt]) -> list[str]:
    return [point.name for point in missing(receipts)]


def without(*gone: say.StayReceipt) -> list[say.StayReceipt]:
    return [one for one in WHOLE if one not in gone]


def with_later(*more: say.StayReceipt) -> list[say.StayReceipt]:
    return [*BEFORE, *TALK, *more, left()]


def test_a_whole_stay_is_proven() -> None:
    assert names(WHOLE) == []
    assert prove(facts(WHOLE), NEW).holds


def test_a_rehearsal_proves_nothing_and_is_told_so() -> None:
    for origin in ("loopback", "local", ""):
        [point] = [one for one in missing(WHOLE, origin) if one.name == "on Discord, with living people"]
        assert "a rehearsal proves nothing here" in point.evidence
    one_elsewhere = [*facts(WHOLE)]
    one_elsewhere[-1] = replace(one_elsewhere[-1], origin="loopback")
    assert not prove(one_elsewhere, NEW).holds


@pytest.mark.parametrize(
    ("gone", "name"),
    [
        (joined(), "joined once, encrypted from end to end"),
        (consent("granted"), "heard only who consented"),
        (UTTERANCE, "an utterance was answered"),
        (JUDGED, "an utterance was answered"),
        (response("completed"), "an utterance was answered"),
        (HEARD, "an utterance was answered"),
        (overlap("ducked"), "an overlap was handled"),
        (STOPPED, "an interruption was handled"),
        (playback("cut", 40), "an interruption was handled"),
        (left(), "left once"),
        (left(OLD), "came again"),
        (joined(OLD), "came again"),
    ],
)
def test_whatever_is_missing_is_named(gone: say.StayReceipt, name: str) -> None:
    assert name in names(without(gone))


def test_an_overlap_may_also_end_in_a_cut() -> None:
    assert names(without(overlap("resumed"))) == []
    assert "an overlap was handled" in names(without(overlap("resumed"), playback("cut", 40)))


def test_a_cut_whose_silence_is_not_known_is_no_proof() -> None:
    unknown = [playback("cut") if one == playback("cut", 40) else one for one in WHOLE]
    assert names(unknown) == ["an interruption was handled"]


def test_only_dave_is_end_to_end() -> None:
    transport = [joined(encryption="transport") if one == joined() else one for one in WHOLE]
    assert names(transport) == ["joined once, encrypted from end to end"]


@pytest.mark.parametrize("phase", ["withdrawn", "departed", "moved", "lost", "refused"])
def test_nobody_is_heard_after_a_grant_is_over(phase: str) -> None:
    assert names(with_later(consent(phase), UTTERANCE)) == ["heard only who consented"]
    assert names(with_later(consent(phase), WORDS)) == ["heard only who consented"]
    assert names(with_later(consent(phase), consent("granted"), UTTERANCE, WORDS)) == []


def test_what_was_said_before_a_departure_may_be_told_later_and_after_a_withdrawal_not() -> None:
    late = replace(WORDS, latency_ms=4500)
    assert names(with_later(consent("departed"), late)) == []
    assert names(with_later(consent("withdrawn"), late)) == ["heard only who consented"]
    assert names(with_later(consent("withdrawn"), replace(late, outcome="dropped"))) == []


@pytest.mark.parametrize(
    ("failure", "recovery"),
    [
        (failed("capture"), UTTERANCE),
        (failed("transcription_session"), WORDS),
        (failed("conversation_session"), response("completed")),
        (failed("speech_synthesis"), playback("started")),
        (failed("playback"), playback("drained")),
        (failed("voice_link"), say.Degraded(stay_id=NEW, phase="restored", reason="link_up")),
        (say.Degraded(stay_id=NEW, phase="lost", reason="socket"), playback("started")),
        (replace(WORDS, outcome="failed"), WORDS),
        (response("failed"), response("completed")),
        (playback("failed"), playback("started")),
    ],
)
def test_a_failure_is_explained_by_what_works_after_it(
    failure: say.StayReceipt, recovery: say.StayReceipt
) -> None:
    assert names(with_later(failure, recovery)) == []
    assert names(with_later(recovery, failure)) == ["no failure without a recovery"]


def test_an_end_that_nobody_wanted_is_a_failure() -> None:
    crashed = [left(reason="crashed") if one == left() else one for one in WHOLE]
    assert names(crashed) == ["no failure without a recovery"]


def test_two_goings_are_not_one() -> None:
    assert names([*WHOLE, left()]) == ["left once"]


def test_an_older_success_hides_no_newer_failure() -> None:
    broken = say.Failed(stay_id=StayId("s3"), stage="voice_link", reason="join_overdue")
    everything = facts([*WHOLE, broken])
    assert latest_of(everything) == "s3"
    assert stays_of(everything) == (OLD, NEW, "s3")
    assert not prove(everything, StayId("s3")).holds


def test_a_rehearsal_after_a_stay_is_not_the_latest_stay_and_alone_it_is() -> None:
    rehearsed = facts([joined(StayId("s9"))], "loopback")
    assert latest_of([*facts(WHOLE), *rehearsed]) == NEW
    assert latest_of(rehearsed) == "s9"
    assert latest_of(()) is None


def test_a_rehearsal_in_the_same_room_is_no_coming_again() -> None:
    rehearsed = [*facts(BEFORE, "loopback"), *facts([*TALK, left()])]
    assert [one.name for one in prove(rehearsed, NEW).points if not one.held] == ["came again"]


def test_a_later_coming_counts_as_well() -> None:
    assert prove(facts([*TALK, left(), joined(OLD)]), NEW).holds


def test_several_are_judged_as_each_alone() -> None:
    told = facts([*WHOLE, joined(StayId("s3")), left(StayId("s3"), "crashed")])
    stays = stays_of(told)
    assert list(prove_each(told, stays)) == [prove(told, one) for one in stays]


def test_a_night_full_of_trouble_is_judged_in_a_moment() -> None:
    lost = say.Transcription(
        stay_id=NEW, person_id=ANNA, segment_id=SEGMENT, outcome="failed", latency_ms=1, characters=0
    )
    over = [replace(overlap("ducked"), segment_id=SegmentId(f"c.{number}")) for number in range(10_000)]
    cuts = [playback("cut")] * len(over)
    told = facts(
        [*BEFORE, *TALK, *[lost] * 10_000, *(one for both in zip(over, cuts, strict=True) for one in both)]
    )
    began = time.process_time()
    points = {point.name: point for point in prove(told, NEW).points}
    assert time.process_time() - began < 2
    assert points["an overlap was handled"].evidence.startswith("10000 overlaps, 10000 handled")
    assert "and 9995 more" in points["no failure without a recovery"].evidence


def test_failures_are_named_in_their_order_and_whose_they_were_matters_to_ears_alone() -> None:
    of_anna = replace(failed("playback"), person_id=ANNA)
    told = facts(
        with_later(of_anna, playback("started"), failed("voice_link"), failed("conversation_session"))
    )
    [point] = [one for one in prove(told, NEW).points if one.name == "no failure without a recovery"]
    assert point.evidence == (
        "without a recovery: voice_link (socket_closed), conversation_session (socket_closed)"
    )


def test_a_stay_in_a_room_of_this_machine_is_advised_what_can_help_there() -> None:
    points = missing((replace(joined(), encryption="local"), left()), "local")
    remedies = {point.name: point.remedy for point in points}
    assert "clankie page" in remedies["heard only who consented"]
    for name in ("joined once, encrypted from end to end", "came again"):
        assert remedies[name].startswith("run clankie with a bot token")
    assert not any("/clankie" in remedy for remedy in remedies.values())
