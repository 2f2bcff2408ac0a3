"""Every line gets a decision: the floor's table, row by row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.floor.addressing import HeardAs
from actors.floor.decisions import TurnOver
from actors.floor.engagement import DORMANT, Engagement, Verdict, judge
from actors.floor.settings import FloorSettings, ReplyPolicy, Talkativeness
from actors.floor.volition import Volition
from messages import evidence
from messages.floor import (
    JustJoined,
    Outcome,
    RosterChange,
    Trigger,
    VoiceEnded,
    VoiceHeld,
    WordsFailed,
    WordsHeard,
)
from messages.ids import SegmentId
from messages.people import Person
from messages.realtime import LineOverheard, TurnAsked
from tests.actors.floor.scene import ANNA, BEN, CLEO, ROBOT, Scene, here, told

ALL = FloorSettings(reply_policy=ReplyPolicy.ALL)


def engaged(settings: FloorSettings | None = None) -> Scene:
    """Anna has been answered a moment ago, in a room of three."""
    scene = Scene(settings=settings or FloorSettings(), people=here(ANNA, BEN, CLEO))
    scene.says(ANNA, "Clankie, when is the launch?")
    return scene.answers().passes(2).forget()


@pytest.mark.parametrize(
    ("text", "decision", "trigger"),
    [
        ("Clankie, hello", ("wake", "addressed"), Trigger.ADDRESS),
        ("I asked Clankie about it", ("offer", "mentioned"), Trigger.OFFER),
        ("what a day", ("ignore", "volition_silence"), None),
        ("...", ("ignore", "no_words"), None),
    ],
)
def test_a_line_to_a_dormant_floor(text: str, decision: tuple[str, str], trigger: Trigger | None) -> None:
    scene = Scene().says(ANNA, text)
    assert scene.verdicts() == [decision]
    assert [turn.trigger for turn in scene.turns()] == ([trigger] if trigger else [])


@pytest.mark.parametrize("engagement", [DORMANT, Engagement(holder=ANNA.id, relevant=1.0)])
@pytest.mark.parametrize("one_human", [True, False])
@pytest.mark.parametrize("policy", list(ReplyPolicy))
def test_a_line_without_words_is_ignored_in_every_state(
    engagement: Engagement, one_human: bool, policy: ReplyPolicy
) -> None:
    verdict = judge(engagement, ANNA.id, HeardAs.EMPTY, one_human=one_human, policy=policy)
    assert verdict == (Verdict.IGNORE, "no_words")


@pytest.mark.parametrize(
    ("person", "text", "decision", "trigger"),
    [
        (BEN, "Clankie, hello", ("hold", "addressed"), Trigger.ADDRESS),
        (BEN, "I asked Clankie about it", ("offer", "mentioned"), Trigger.OFFER),
        (ANNA, "and what about the other one", ("offer", "follow_up"), Trigger.OFFER),
        (BEN, "I am hungry by the way", ("listen", "other_talk"), None),
        (ANNA, "yeah", ("offer", "follow_up"), Trigger.OFFER),
    ],
)
def test_a_line_to_an_engaged_floor(
    person: Person, text: str, decision: tuple[str, str], trigger: Trigger | None
) -> None:
    scene = engaged().says(person, text)
    assert scene.verdicts() == [decision]
    assert [turn.trigger for turn in scene.turns()] == ([trigger] if trigger else [])
    overheard = [message for message in told(scene) if isinstance(message, LineOverheard)]
    assert bool(overheard) is (trigger is None)


def test_an_address_moves_the_floor_and_a_follow_up_of_the_old_holder_is_other_talk() -> None:
    scene = engaged().says(BEN, "Clankie, and for me?").answers("no idea").passes(2)
    scene.says(ANNA, "well that was odd")
    assert scene.verdicts()[-1] == ("listen", "other_talk")
    assert [(r.state, r.holder_id) for r in scene.receipts(evidence.Floor)] == [("engaged", BEN.id)]


def test_with_one_human_there_is_nobody_else_to_be_talking_to() -> None:
    scene = Scene(people=here(ANNA, ROBOT)).says(ANNA, "Clankie, hello").answers().passes(2).forget()
    scene.says(ANNA, "what a day")
    assert scene.verdicts() == [("hold", "only_one_human")]
    assert scene.turns()[0].trigger is Trigger.ADDRESS


def test_a_nod_of_the_only_human_is_an_offer_and_no_order() -> None:
    scene = Scene(people=here(ANNA)).says(ANNA, "Clankie, hello").answers().passes(2).forget()
    assert scene.says(ANNA, "okay").verdicts() == [("offer", "acknowledgement_as_answer")]


def test_somebody_who_did_not_consent_counts_as_somebody_to_talk_to() -> None:
    scene = Scene(people=here(ANNA, deaf=(BEN,))).says(ANNA, "Clankie, hello").answers().passes(2).forget()
    assert scene.says(ANNA, "what a day").verdicts() == [("offer", "follow_up")]


def test_with_the_policy_all_any_words_wake_him() -> None:
    scene = Scene(settings=ALL).says(ANNA, "what a day")
    assert scene.verdicts() == [("wake", "reply_to_all")]


def test_a_conversation_decays_and_the_next_address_is_a_fresh_wake() -> None:
    scene = engaged().passes(57)
    assert scene.receipts(evidence.Floor) == []
    scene.passes(2)
    assert [(r.state, r.rule) for r in scene.receipts(evidence.Floor)] == [("dormant", "decayed")]
    assert scene.says(ANNA, "Clankie, again").verdicts() == [("wake", "addressed")]


def test_a_conversation_does_not_decay_while_he_is_speaking() -> None:
    scene = Scene().says(ANNA, "Clankie, tell me everything")
    utterance = scene.speaks()
    scene.passes(300).drains(utterance).passes(50)
    assert [(r.state, r.rule) for r in scene.receipts(evidence.Floor)] == [("engaged", "addressed")]
    assert scene.says(ANNA, "and the rest").verdicts()[-1] == ("offer", "follow_up")


def test_an_address_is_a_fresh_wake_though_no_timer_went_off() -> None:
    scene = engaged()
    scene.now += 120
    assert scene.types(BEN, "Clankie, again").verdicts() == [("wake", "addressed")]


def test_what_the_holder_began_in_time_is_a_follow_up() -> None:
    scene = engaged().passes(57)
    assert scene.says(ANNA, "and one more thing", seconds=5).verdicts() == [("offer", "follow_up")]


def test_a_follow_up_that_waits_for_others_is_still_in_time() -> None:
    scene = engaged(FloorSettings(order_wait=5.0)).passes(56)
    other = scene.begins(BEN)
    scene.passes(0.1).says(ANNA, "and one more thing", seconds=1).held(BEN, other, 2.5)
    assert scene.verdicts() == []
    scene.happens(WordsFailed(person=BEN.id, segment=other, reason="timeout"))
    assert scene.verdicts() == [("offer", "follow_up")]


def test_an_offer_that_is_not_taken_does_not_keep_the_conversation_alive() -> None:
    scene = engaged().passes(40).says(ANNA, "that was funny somehow").stays_silent().passes(20)
    assert scene.state.engagement.holder is None


def test_a_mention_that_he_takes_begins_a_conversation() -> None:
    scene = Scene().says(BEN, "I asked Clankie about it").answers()
    assert scene.state.engagement.holder == BEN.id


def test_somebody_who_went_away_meanwhile_is_nobody_to_be_in_conversation_with() -> None:
    scene = Scene().says(BEN, "I asked Clankie about it")
    utterance = scene.speaks()
    scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED).drains(utterance)
    assert scene.state.engagement.holder is None


# --- volition


def test_unasked_words_are_offered_when_he_was_silent_long_enough_and_counted_when_taken() -> None:
    scene = Scene().passes(241).says(ANNA, "what a day")
    assert scene.verdicts() == [("volition", "volition")]
    scene.answers()
    outcomes = [(r.outcome, r.turn_id) for r in scene.receipts(evidence.Volition)]
    assert outcomes == [("offered", scene.turns()[0].turn), ("taken", scene.turns()[0].turn)]
    assert scene.state.engagement.holder == ANNA.id


def test_an_offer_that_he_lets_pass_is_suppressed_and_shuts_the_gate_for_a_while() -> None:
    scene = Scene().passes(241).says(ANNA, "what a day").stays_silent().says(BEN, "indeed it was")
    assert [r.outcome for r in scene.receipts(evidence.Volition)] == ["offered", "suppressed"]
    assert scene.verdicts()[-1] == ("ignore", "volition_silence")


def test_there_is_a_cap_in_any_hour() -> None:
    scene = Scene(settings=FloorSettings(volition=Talkativeness.QUIET))
    for _ in range(2):
        scene.passes(601).says(ANNA, "what a day").stays_silent()
    assert scene.passes(601).says(ANNA, "what a day").verdicts()[-1] == ("ignore", "volition_cap")
    assert scene.passes(2400).says(ANNA, "what a day").verdicts()[-1] == ("volition", "volition")


@pytest.mark.parametrize(
    ("mood", "silence", "per_hour"),
    [
        (Talkativeness.QUIET, 600, 2),
        (Talkativeness.BALANCED, 240, 6),
        (Talkativeness.CHATTY, 90, 15),
    ],
)
def test_how_often_he_speaks_unasked_is_a_matter_of_temper(
    mood: Talkativeness, silence: float, per_hour: int
) -> None:
    gate = Volition(spoke=1000.0)
    assert gate.shut_by(mood, 1000.0 + silence - 1) == "volition_silence"
    assert gate.shut_by(mood, 1000.0 + silence) is None
    almost = tuple(2000.0 + number for number in range(per_hour - 1))
    later = almost[-1] + silence
    assert Volition(offers=almost).shut_by(mood, later) is None
    assert Volition(offers=(*almost, almost[-1])).shut_by(mood, later) == "volition_cap"


def test_unasked_words_do_not_join_a_turn_that_waits_already() -> None:
    scene = Scene().passes(300)
    scene.begins(ANNA)
    scene.says(ANNA, "I asked Clankie about it").says(BEN, "what a day", seconds=0.2).passes(0.5)
    assert ("ignore", "volition_busy") in scene.verdicts()


def test_unasked_words_wait_for_no_greeting() -> None:
    scene = Scene().passes(300)
    scene.begins(ANNA)
    scene.happens(JustJoined()).says(BEN, "what a day", seconds=0.2).passes(0.5)
    assert scene.verdicts() == [("ignore", "volition_busy")]


def test_volition_can_be_off() -> None:
    scene = Scene(settings=FloorSettings(volition=Talkativeness.OFF)).passes(5000).says(ANNA, "what a day")
    assert scene.verdicts() == [("ignore", "volition_off")]


def test_while_he_is_busy_unasked_words_open_nothing() -> None:
    scene = Scene().passes(300).says(ANNA, "I asked Clankie about it").says(BEN, "what a day")
    assert scene.verdicts()[-1] == ("ignore", "volition_busy")


def test_unasked_words_wait_for_a_silence_and_are_given_up_when_none_comes() -> None:
    scene = Scene().passes(300)
    segment = scene.begins(BEN)
    scene.says(ANNA, "what a day", seconds=0.5).held(BEN, segment, 6)
    assert scene.turns() == []
    assert [message.line.text for message in scene.done(LineOverheard)] == ["what a day"]


# --- who is here


def test_a_line_of_somebody_who_withdrew_is_dropped_and_his_waiting_lines_with_it() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").says(BEN, "Clankie, me too")
    segment = scene.begins(BEN)
    scene.arrives(*here(ANNA, deaf=(BEN,)), who=BEN, change=RosterChange.WITHDREW)
    scene.heard(BEN, segment, "Clankie, and this", began=scene.now).stays_silent()
    assert scene.verdicts()[-1] == ("drop", "gone")
    assert [len(turn.lines) for turn in scene.turns()] == [1]
    assert "and this" not in repr([*scene.done(LineOverheard), *scene.receipts(evidence.HeardWords)])


def test_only_the_lines_of_the_one_who_withdrew_are_unsaid() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").says(ANNA, "Clankie, again").says(BEN, "Clankie, me too")
    scene.arrives(*here(ANNA, deaf=(BEN,)), who=BEN, change=RosterChange.WITHDREW).stays_silent()
    assert [[line.text for line in turn.lines] for turn in scene.turns()] == [
        ["Clankie, hello"],
        ["Clankie, again"],
    ]


@pytest.mark.parametrize("change", [RosterChange.DEPARTED, RosterChange.WITHDREW])
def test_when_the_holder_leaves_nobody_holds_the_floor(change: RosterChange) -> None:
    scene = engaged().arrives(*here(BEN, CLEO), who=ANNA, change=change)
    assert [(r.state, r.rule) for r in scene.receipts(evidence.Floor)] == [("dormant", "holder_left")]


def test_the_voice_of_somebody_who_is_not_here_is_no_voice() -> None:
    scene = Scene(people=here(ANNA))
    scene.begins(CLEO)
    assert scene.state.voices == ()


def test_before_the_roster_is_told_everybody_is_believed() -> None:
    scene = Scene()
    scene.state = replace(scene.state, roster=None)
    scene.says(CLEO, "I asked Clankie about it").answers()
    assert scene.verdicts() == [("offer", "mentioned")]
    assert scene.state.engagement.holder == CLEO.id


# --- noise


def test_a_final_from_near_silence_wakes_nobody() -> None:
    scene = Scene()
    segment = scene.begins(ANNA)
    words = WordsHeard(
        person=ANNA,
        segment=segment,
        text="Clankie, thanks for watching",
        final=True,
        began=999,
        ended=1000,
        voiced=0.1,
    )
    assert scene.happens(words).verdicts() == [("ignore", "near_silence")]


def test_his_own_words_from_a_loudspeaker_are_an_echo() -> None:
    scene = engaged().says(BEN, "launch is on Friday")
    assert scene.verdicts() == [("ignore", "echo")]
    scene.passes(8).says(BEN, "Clankie, the launch is on Friday")
    assert scene.verdicts()[-1] == ("hold", "addressed")


def test_a_short_answer_in_his_words_is_no_echo() -> None:
    assert engaged().says(ANNA, "on friday").verdicts() == [("offer", "follow_up")]


# --- typed lines


@pytest.mark.parametrize(
    ("text", "decision", "trigger"),
    [
        ("Clankie, hello", ("wake", "addressed"), Trigger.TYPED),
        ("what a day", ("ignore", "volition_silence"), None),
        ("\u2764", ("ignore", "no_words"), None),
    ],
)
def test_a_typed_line_is_judged_like_a_spoken_one(
    text: str, decision: tuple[str, str], trigger: Trigger | None
) -> None:
    scene = Scene().types(ANNA, text)
    assert scene.verdicts() == [decision]
    assert [turn.trigger for turn in scene.turns()] == ([trigger] if trigger else [])


def test_a_typed_line_may_come_by_volition_and_never_cuts() -> None:
    scene = Scene().passes(300).types(ANNA, "what a day")
    assert scene.turns()[0].trigger is Trigger.VOLITION
    scene.speaks()
    scene.types(BEN, "Clankie, stop").types(ANNA, "what else is there")
    assert scene.receipts(evidence.Interrupted) == []
    assert scene.receipts(evidence.HeardWords)[-1].typed


# --- order


def test_finals_apply_in_the_order_in_which_people_began() -> None:
    scene = engaged()
    first, began = scene.begins(ANNA), scene.now
    scene.held(ANNA, first, 1)
    second, later = scene.begins(BEN), scene.now
    scene.held(BEN, second, 0.5)
    scene.happens(VoiceEnded(person=ANNA.id, segment=first, at=scene.now, voiced=1.0))
    scene.heard(BEN, second, "nobody asked him", began=later)
    assert scene.verdicts() == []
    scene.passes(0.2).heard(ANNA, first, "and what about lunch", began=began)
    assert scene.verdicts() == [("offer", "follow_up"), ("listen", "other_talk")]


def test_a_final_waits_no_longer_than_four_tenths_of_a_second() -> None:
    scene = engaged()
    scene.begins(ANNA)
    scene.passes(0.5).says(BEN, "nobody asked him", seconds=0.5).passes(0.35)
    assert scene.verdicts() == []
    assert scene.passes(0.1).verdicts() == [("listen", "other_talk")]


def test_an_addressed_line_waits_for_nobody() -> None:
    scene = engaged()
    scene.begins(ANNA)
    assert scene.passes(0.1).says(BEN, "Clankie, hello", seconds=0.5).verdicts() == [("hold", "addressed")]


def test_an_ear_that_died_keeps_nobody_waiting() -> None:
    scene = engaged()
    segment = scene.begins(ANNA)
    scene.passes(3.1)
    assert scene.state.voices == ()
    scene.happens(
        VoiceHeld(person=ANNA.id, segment=segment, voiced=1.0),
        VoiceEnded(person=ANNA.id, segment=segment, at=scene.now, voiced=1.0),
    )
    closed = scene.begins(BEN)
    scene.happens(
        VoiceEnded(person=BEN.id, segment=closed, at=scene.now, voiced=1.0),
        VoiceHeld(person=BEN.id, segment=closed, voiced=1.1),
    )
    assert scene.passes(9.1).state.voices == ()


def test_a_line_without_a_known_segment_is_a_line() -> None:
    scene = Scene().heard(ANNA, SegmentId("late"), "Clankie, hello", began=990.0)
    assert scene.verdicts() == [("wake", "addressed")]
    assert scene.happens().turns() == [
        TurnAsked(turn=scene.turn(), trigger=Trigger.ADDRESS, lines=scene.turns()[0].lines)
    ]
    assert scene.stays_silent().state.flight is None
    assert [over.outcome for over in scene.done(TurnOver)] == [Outcome.SILENT]
