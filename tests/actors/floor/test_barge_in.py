"""What stops him, and everything that must not."""

from __future__ import annotations

import pytest

from actors.floor.settings import FloorSettings, OnOverlap
from messages import evidence
from messages.capture import ListenClosely
from messages.floor import (
    JustJoined,
    Outcome,
    RosterChange,
    SpeechQueued,
    SpeechStarted,
    Trigger,
    TurnAnswered,
    VoiceEnded,
    WordsFailed,
    WordsHeard,
)
from messages.ids import PersonId, SegmentId, TurnId, UtteranceId
from messages.people import Person
from messages.playback import CutSpeech, Duck, Unduck
from messages.realtime import CancelTurn
from messages.tts import DropSpeech
from tests.actors.floor.scene import ANNA, BEN, CLEO, Scene, here, talking_with_anna


@pytest.mark.parametrize(
    ("person", "text", "rule", "decision"),
    [
        (ANNA, "stop", "control", "cut"),
        (ANNA, "Stop, stop!", "control", "cut"),
        (BEN, "Clankie, stop.", "control", "cut"),
        (BEN, "Stop clanky.", "control", "cut"),
        (ANNA, "wait what about the dog", "control", "hold"),
        (BEN, "Clankie, what about me?", "address", "hold"),
        (ANNA, "no I meant tomorrow", "content", "hold"),
    ],
)
def test_confirmed_words_cut_him(person: Person, text: str, rule: str, decision: str) -> None:
    scene, utterance = talking_with_anna()
    turn = scene.turn()
    scene.says(person, text)
    assert [(r.rule, r.partial, r.utterance_id) for r in scene.receipts(evidence.Interrupted)] == [
        (rule, False, utterance)
    ]
    assert scene.done(CutSpeech) == [CutSpeech(utterance=utterance)]
    assert scene.done(DropSpeech) == [DropSpeech(utterance=utterance)]
    assert scene.done(CancelTurn) == [CancelTurn(turn=turn)]
    assert scene.verdicts() == [(decision, f"cut_{rule}")]
    assert scene.turns() == []
    scene.is_cut(utterance)
    assert [asked.trigger for asked in scene.turns()] == ([Trigger.ADDRESS] if decision == "hold" else [])
    assert [r.whole for r in scene.receipts(evidence.Response)] == [False]


@pytest.mark.parametrize(
    ("person", "text", "decision"),
    [
        (BEN, "stop", ("listen", "control_of_others")),
        (ANNA, "mm-hm", ("listen", "acknowledgement")),
        (ANNA, "yeah", ("listen", "acknowledgement")),
        (ANNA, "yeah, that is great", ("listen", "acknowledgement")),
        (BEN, "hahaha", ("listen", "acknowledgement")),
        (ANNA, "the s", ("listen", "fragment")),
        (ANNA, "", ("ignore", "no_words")),
        (BEN, "I am hungry by the way", ("listen", "other_talk")),
        (BEN, "clankie broke the build", ("listen", "mentioned_over_speech")),
        (ANNA, "clankie broke the whole build", ("listen", "mentioned_over_speech")),
        (BEN, "launch is on Friday", ("ignore", "echo")),
        (ANNA, "the launch is on friday", ("ignore", "echo")),
        (ANNA, "on friday", ("ignore", "echo")),
        (ANNA, "how come", ("offer", "short_over_speech")),
    ],
)
def test_everything_else_leaves_him_speaking(person: Person, text: str, decision: tuple[str, str]) -> None:
    scene, utterance = talking_with_anna()
    scene.says(person, text)
    assert scene.done(CutSpeech) == []
    assert scene.receipts(evidence.Interrupted) == []
    assert scene.verdicts() == [decision]
    scene.drains(utterance)
    assert [asked.trigger for asked in scene.turns()] == ([Trigger.OFFER] if decision[0] == "offer" else [])


def test_loud_noise_without_words_only_makes_him_quieter_for_a_while() -> None:
    scene, utterance = talking_with_anna()
    segment = scene.begins(BEN)
    scene.held(BEN, segment, 0.2)
    assert scene.done(Duck) == []
    scene.held(BEN, segment, 0.2, before=0.2)
    assert scene.done(Duck) == [Duck(utterance=utterance)]
    scene.heard(BEN, segment, "", began=scene.now - 0.4)
    assert scene.done(Unduck) == [Unduck(utterance=utterance)]
    assert [r.phase for r in scene.receipts(evidence.Overlap)] == ["ducked", "resumed"]


def test_he_rises_by_himself_when_no_words_come() -> None:
    scene, utterance = talking_with_anna()
    segment = scene.begins(BEN)
    scene.held(BEN, segment, 0.5)
    scene.passes(0.6).happens(VoiceEnded(person=BEN.id, segment=segment, at=scene.now - 0.6, voiced=0.5))
    scene.passes(0.8)
    assert scene.done(Unduck) == []
    assert scene.passes(0.2).done(Unduck) == [Unduck(utterance=utterance)]


def test_while_another_voice_goes_on_he_stays_quiet() -> None:
    scene, _ = talking_with_anna()
    first, second = scene.begins(BEN), scene.begins(ANNA)
    scene.held(BEN, first, 0.5).heard(BEN, first, "I am hungry", began=scene.now - 0.5)
    scene.held(ANNA, second, 2.5)
    assert len(scene.done(Duck)) == 1
    assert scene.done(Unduck) == []


def test_voice_from_before_he_began_does_not_count_as_talking_over_him() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    segment = scene.begins(BEN)
    scene.held(BEN, segment, 0.5)
    scene.speaks()
    scene.held(BEN, segment, 0.2, before=0.5)
    assert scene.done(Duck) == []
    assert scene.held(BEN, segment, 0.1, before=0.7).done(Duck) != []


def test_overlap_may_be_ignored() -> None:
    scene, _ = talking_with_anna(FloorSettings(on_overlap=OnOverlap.IGNORE))
    assert scene.says(BEN, "I am hungry").done(Duck) == []


def test_he_holds_still_for_ten_seconds_at_most_and_only_once_for_one_voice() -> None:
    scene, utterance = talking_with_anna(FloorSettings(on_overlap=OnOverlap.PAUSE))
    segment = scene.begins(BEN)
    scene.held(BEN, segment, 10.0)
    assert scene.done(Unduck) == []
    assert scene.held(BEN, segment, 3.0, before=10.0).done(Unduck) == [Unduck(utterance=utterance)]
    assert [r.reaction for r in scene.receipts(evidence.Overlap)] == ["pause", "pause"]


# --- partial words


def test_a_partial_cuts_and_its_final_becomes_the_turn() -> None:
    scene, utterance = talking_with_anna()
    segment, began = scene.begins(BEN), scene.now
    scene.held(BEN, segment, 0.8).heard(BEN, segment, "Clankie what about", began=began, final=False)
    assert [(r.rule, r.partial) for r in scene.receipts(evidence.Interrupted)] == [("address", True)]
    scene.is_cut(utterance).held(BEN, segment, 0.5, before=0.8)
    assert scene.turns() == []
    scene.heard(BEN, segment, "Clankie, what about the dog?", began=began)
    assert scene.verdicts() == [("hold", "cut_address")]
    assert scene.turns()[0].lines[0].text == "Clankie, what about the dog?"


def test_where_no_final_comes_the_words_that_cut_him_become_the_turn() -> None:
    scene, utterance = talking_with_anna()
    segment, began = scene.begins(BEN), scene.now
    scene.held(BEN, segment, 0.8).heard(BEN, segment, "Clankie what about", began=began, final=False)
    scene.is_cut(utterance).heard(BEN, segment, "Clankie what about the dog", began=began, final=False)
    failed = WordsFailed(person=BEN.id, segment=segment, reason="deadline")
    scene.happens(VoiceEnded(person=BEN.id, segment=segment, at=scene.now, voiced=0.8), failed, failed)
    assert scene.verdicts() == [("hold", "cut_address")]
    assert [line.text for turn in scene.turns() for line in turn.lines] == ["Clankie what about the dog"]


def test_an_order_without_a_final_is_on_record_and_asks_for_nothing() -> None:
    scene, utterance = talking_with_anna()
    segment = scene.begins(ANNA)
    scene.held(ANNA, segment, 0.4).heard(ANNA, segment, "stop", began=scene.now - 0.4, final=False)
    scene.is_cut(utterance).happens(WordsFailed(person=ANNA.id, segment=segment, reason="reset"))
    assert (scene.verdicts(), scene.turns()) == ([("cut", "cut_control")], [])


def test_words_that_cut_him_are_forgotten_with_their_speaker() -> None:
    scene, utterance = talking_with_anna()
    segment = scene.begins(BEN)
    scene.held(BEN, segment, 0.8).heard(BEN, segment, "Clankie what about", began=scene.now, final=False)
    scene.arrives(*here(ANNA, CLEO, deaf=(BEN,)), who=BEN, change=RosterChange.WITHDREW)
    scene.is_cut(utterance).happens(WordsFailed(person=BEN.id, segment=segment, reason="ear_closed"))
    assert (scene.verdicts(), scene.turns(), scene.state.cutters) == ([], [], ())


def test_a_control_alone_cuts_as_a_partial_and_asks_for_no_turn() -> None:
    scene, utterance = talking_with_anna()
    segment, began = scene.begins(ANNA), scene.now
    scene.held(ANNA, segment, 0.4).heard(ANNA, segment, "stop", began=began, final=False)
    scene.is_cut(utterance).heard(ANNA, segment, "Stop, stop.", began=began)
    assert scene.verdicts() == [("cut", "cut_control")]
    assert scene.turns() == []


def stop_so_far(person: Person, segment: SegmentId, now: float, voiced: float) -> WordsHeard:
    """First words, told `now`."""
    return WordsHeard(
        person=person, segment=segment, text="stop", final=False, began=now - voiced, ended=now, voiced=voiced
    )


def test_a_partial_that_comes_with_too_little_voice_cuts_as_soon_as_there_is_enough() -> None:
    scene, _ = talking_with_anna()
    segment = scene.begins(ANNA)
    scene.held(ANNA, segment, 0.1)
    scene.happens(stop_so_far(ANNA, segment, scene.now, 0.1))
    assert scene.receipts(evidence.Interrupted) == []
    scene.held(ANNA, segment, 0.1, before=0.1)
    cuts = scene.receipts(evidence.Interrupted)
    assert [(r.rule, r.partial, r.word_end_to_cut_ms) for r in cuts] == [("control", True, 0)]
    scene.held(ANNA, segment, 0.3, before=0.2)
    assert len(scene.receipts(evidence.Interrupted)) == 1


@pytest.mark.parametrize("voiced", [0.1, 0.3])
def test_a_partial_that_counted_for_nothing_counts_for_nothing_later(voiced: float) -> None:
    scene, _ = talking_with_anna()
    segment = scene.begins(BEN)
    scene.held(BEN, segment, voiced).happens(stop_so_far(BEN, segment, scene.now, voiced))
    scene.held(BEN, segment, 0.3, before=voiced)
    scene.arrives(*here(BEN, CLEO), who=ANNA, change=RosterChange.DEPARTED)
    scene.held(BEN, segment, 0.3, before=voiced + 0.3)
    assert scene.receipts(evidence.Interrupted) == []


def test_a_partial_that_ends_in_his_name_is_not_an_address_yet() -> None:
    scene, _ = talking_with_anna()
    segment, began = scene.begins(BEN), scene.now
    scene.held(BEN, segment, 0.4).heard(BEN, segment, "clankie", began=began, final=False)
    scene.heard(BEN, segment, "clankie broke", began=began, final=False)
    assert scene.receipts(evidence.Interrupted) == []


def test_a_partial_while_he_is_silent_does_nothing() -> None:
    scene = Scene()
    segment = scene.begins(ANNA)
    scene.heard(ANNA, segment, "Clankie stop it", began=scene.now, final=False)
    assert scene.verdicts() == []


def test_there_is_one_cut_for_one_playback() -> None:
    scene, utterance = talking_with_anna()
    scene.says(ANNA, "stop").says(BEN, "Clankie, stop").says(ANNA, "no I meant tomorrow")
    assert len(scene.done(CutSpeech)) == len(scene.receipts(evidence.Interrupted)) == 1
    scene.is_cut(utterance)
    assert len(scene.turns()) == 1


# --- when it was said


def test_a_segment_that_began_before_he_was_heard_cuts_nothing() -> None:
    scene = Scene().says(ANNA, "Clankie, when is the launch?")
    segment, began = scene.begins(ANNA), scene.now
    utterance = scene.speaks()
    scene.heard(ANNA, segment, "Clankie, I mean the second launch", began=began)
    assert scene.receipts(evidence.Interrupted) == []
    scene.drains(utterance)
    assert len(scene.turns()) == 2


def test_a_segment_that_began_with_his_first_sound_cuts_nothing() -> None:
    scene = Scene().says(ANNA, "Clankie, when is the launch?")
    scene.happens(SpeechStarted(utterance=UtteranceId("u"), turn=scene.turn(), at=scene.now))
    scene.says(ANNA, "Clankie, stop")
    assert scene.receipts(evidence.Interrupted) == []
    assert scene.passes(0.1).says(ANNA, "Clankie, stop").receipts(evidence.Interrupted) != []


def test_his_name_is_an_address_even_if_he_has_just_said_it() -> None:
    scene, _ = talking_with_anna(text="my name is Clankie")
    assert scene.says(BEN, "Clankie?").verdicts() == [("hold", "addressed")]


def test_an_order_in_a_word_that_he_has_just_said_is_no_echo() -> None:
    scene, _ = talking_with_anna(text="the bus will stop here")
    assert scene.says(ANNA, "stop").verdicts() == [("cut", "cut_control")]


@pytest.mark.parametrize("text", ["stop", "Clankie stop", "mm-hm"])
def test_an_order_or_a_nod_that_arrives_too_late_asks_for_nothing(text: str) -> None:
    scene, utterance = talking_with_anna()
    segment, began = scene.begins(ANNA), scene.now
    scene.held(ANNA, segment, 0.3)
    scene.drains(utterance).heard(ANNA, segment, text, began=began)
    assert scene.verdicts()[0][0] == "listen"
    assert (scene.done(CutSpeech), scene.turns()) == ([], [])


def test_yeah_after_he_has_finished_is_an_answer() -> None:
    scene, utterance = talking_with_anna(text="shall I look it up")
    scene.drains(utterance, "shall I look it up").passes(0.5)
    assert scene.says(ANNA, "yeah", seconds=0.4).verdicts() == [("offer", "follow_up")]


def test_a_cough_between_question_and_answer_loses_nothing() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").says(ANNA, "what time is it?")
    cough = scene.begins(ANNA)
    scene.held(ANNA, cough, 0.3).stays_silent()
    scene.heard(ANNA, cough, "", began=scene.now - 0.3)
    assert [line.text for line in scene.turns()[-1].lines] == ["what time is it?"]


def test_near_silence_and_strangers_cut_nothing() -> None:
    scene, _ = talking_with_anna()
    for person, voiced in ((ANNA, 0.1), (Person(id=PersonId("zoe"), label="Zoe"), 1.0)):
        scene.happens(
            WordsHeard(
                person=person,
                segment=SegmentId(f"x-{person.id}"),
                text="Clankie stop",
                final=False,
                began=scene.now,
                ended=scene.now,
                voiced=voiced,
            )
        )
    assert scene.done(CutSpeech) == []


def test_where_nobody_holds_the_floor_anyone_can_silence_him_but_not_with_talk() -> None:
    scene = Scene().happens(JustJoined())
    scene.speaks("hello everybody how are you")
    scene.says(BEN, "we were in the middle of something")
    assert scene.done(CutSpeech) == []
    assert scene.says(BEN, "quiet!").receipts(evidence.Interrupted)[0].rule == "control"


def test_the_only_human_whom_he_greets_holds_the_floor() -> None:
    scene = Scene(people=here(ANNA)).happens(JustJoined())
    scene.speaks("hello there")
    assert scene.state.engagement.holder == ANNA.id
    assert scene.says(ANNA, "tell me about the weather").receipts(evidence.Interrupted)[0].rule == "content"


# --- ears


def test_while_he_is_heard_open_ears_listen_closely() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    scene.begins(BEN)
    utterance = scene.speaks()
    assert scene.ear.received() == [ListenClosely(on=True)]
    scene.begins(ANNA)
    assert scene.ear.received() == [ListenClosely(on=True)] * 2
    scene.drains(utterance)
    assert scene.ear.received() == [ListenClosely(on=True)] * 2 + [ListenClosely(on=False)]


def test_an_ear_that_opens_over_his_speech_listens_closely_as_well() -> None:
    scene, _ = talking_with_anna()
    scene.begins(BEN)
    assert scene.ear.received() == [ListenClosely(on=True)]


def test_a_second_utterance_keeps_the_ears_close_and_is_cut_with_the_first() -> None:
    scene, first = talking_with_anna()
    second = SpeechQueued(utterance=UtteranceId("u-f-90"), turn=TurnId("f-90"))
    scene.happens(second, second)
    scene.says(ANNA, "stop")
    assert [order.utterance for order in scene.done(CutSpeech)] == [first, "u-f-90"]
    scene.happens(SpeechStarted(utterance=UtteranceId("u-f-90"), turn=TurnId("f-90"), at=scene.now))
    assert scene.state.audible() is None
    assert all(speech.give_up_at == scene.now + 2.0 for speech in scene.state.speeches)
    scene.is_cut(first).is_cut(UtteranceId("u-f-90"))
    assert scene.ear.received()[-1] == ListenClosely(on=False)
    assert not scene.state.busy()


def test_one_of_two_speeches_ends_and_the_other_is_still_heard() -> None:
    scene, first = talking_with_anna()
    other = SpeechStarted(utterance=UtteranceId("u-f-90"), turn=TurnId("f-90"), at=scene.now)
    scene.happens(other, other).begins(BEN)
    scene.drains(first)
    assert ListenClosely(on=False) not in scene.ear.received()
    assert scene.happens(
        TurnAnswered(turn=TurnId("f-90"), outcome=Outcome.SPOKE, utterance=None)
    ).state.busy()
