"""The floor as its neighbours know it: an unstarted actor between probes."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.floor.actor import Floor
from actors.floor.settings import FloorSettings
from actors.life import Life
from messages import evidence
from messages.capture import CaptureMessage, ListenClosely
from messages.evidence import EvidenceMessage
from messages.floor import (
    AwaitQuiet,
    FloorTick,
    Outcome,
    RosterTold,
    SpeechDrained,
    SpeechStarted,
    TurnAnswered,
    VoiceBegan,
    VoiceHeld,
    WordsHeard,
)
from messages.ids import OrderId, SegmentId, StayId, UtteranceId
from messages.orders import Hush, OrderCode, SayAloud, StayOrderAnswered
from messages.playback import CutSpeech, Duck, PlaybackMessage
from messages.realtime import CancelTurn, MouthRestarted, RealtimeMessage, RoomObserved, TurnAsked
from messages.stay import FloorOpened, FloorQuiet, StayMessage
from messages.tts import DropSpeech, TtsMessage
from tests.actors.floor.scene import ANNA, BEN, ENGLISH, here
from tests.clock import ManualClock
from tests.probe import Probe

U = UtteranceId("u")


@dataclass
class Neighbours:
    """The floor and everybody it may speak to."""

    stay: Probe[StayMessage] = field(default_factory=Probe)
    playback: Probe[PlaybackMessage] = field(default_factory=Probe)
    tts: Probe[TtsMessage] = field(default_factory=Probe)
    realtime: Probe[RealtimeMessage] = field(default_factory=Probe)
    evidence: Probe[EvidenceMessage] = field(default_factory=Probe)
    ear: Probe[CaptureMessage] = field(default_factory=Probe)
    clock: ManualClock = field(default_factory=lambda: ManualClock(100.0))

    def __post_init__(self) -> None:
        self.floor = Floor(
            Life.alone(),
            stay_id=StayId("stay"),
            stay=self.stay,
            playback=self.playback,
            tts=self.tts,
            realtime=self.realtime,
            evidence=self.evidence,
            clock=self.clock,
            words=ENGLISH,
            settings=FloorSettings(),
        )

    def anna_says(self, segment: str, text: str) -> None:
        now = self.clock.now()
        self.floor.receive(VoiceBegan(person=ANNA, segment=SegmentId(segment), at=now, ear=self.ear))
        self.clock.advance(0.4)
        self.floor.receive(VoiceHeld(person=ANNA.id, segment=SegmentId(segment), voiced=0.4))
        self.floor.receive(
            WordsHeard(
                person=ANNA,
                segment=SegmentId(segment),
                text=text,
                final=True,
                began=now,
                ended=now + 0.4,
                voiced=0.4,
            )
        )


def test_a_new_floor_asks_who_is_here_and_takes_back_what_an_earlier_one_asked() -> None:
    around = Neighbours()
    around.floor.opened()
    assert around.realtime.received() == [MouthRestarted()]
    assert around.stay.received() == [FloorOpened()]


def test_an_address_an_answer_a_cut_and_a_farewell() -> None:
    around = Neighbours()
    around.floor.receive(RosterTold(people=here(ANNA, BEN), change=None, who=None))
    around.anna_says("s1", "Clankie, hello")
    turn = around.realtime.expect(TurnAsked).turn
    around.floor.receive(SpeechStarted(utterance=U, turn=turn, at=around.clock.now()))
    around.clock.advance(0.2)
    around.anna_says("s2", "stop")
    assert around.playback.received() == [Duck(utterance=U), CutSpeech(utterance=U)]
    assert around.tts.received() == [DropSpeech(utterance=U)]
    assert around.realtime.expect(CancelTurn) == CancelTurn(turn=turn)
    assert around.ear.received() == [ListenClosely(on=True)]
    assert around.evidence.expect(evidence.Interrupted).rule == "control"
    around.floor.receive(AwaitQuiet())
    around.floor.receive(SpeechDrained(utterance=U, turn=turn, started=True, text="hi"))
    around.floor.receive(TurnAnswered(turn=turn, outcome=Outcome.SPOKE, utterance=U))
    assert around.stay.received() == [FloorQuiet()]
    assert around.realtime.expect(RoomObserved).change is None


def test_whoever_gives_an_order_is_answered_and_a_hush_is_seen_running_out() -> None:
    around, answers = Neighbours(), Probe[StayOrderAnswered]()
    around.floor.receive(Hush(order=OrderId("o"), seconds=60.0, reply_to=answers))
    around.floor.receive(SayAloud(order=OrderId("p"), text="Dinner.", reply_to=answers))
    assert [one.code for one in answers.received()] == [OrderCode.DONE] * 2
    assert around.realtime.expect(TurnAsked).saying == "Dinner."
    around.clock.advance(20.5)
    assert around.floor.describe()["hushed_s"] == 40


def test_timers_are_letters_to_itself() -> None:
    around = Neighbours()
    around.anna_says("s1", "Clankie, hello")
    due = around.clock.next_due()
    assert due is not None
    around.floor.receive(FloorTick(token=around.floor._state.timer))
    assert around.clock.next_due() == due


def test_it_describes_itself_without_words() -> None:
    around = Neighbours()
    assert around.floor.describe()["state"] == "dormant"
    around.anna_says("s1", "Clankie, hello")
    facts = around.floor.describe()
    assert (facts["state"], facts["holder"]) == ("engaged", "anna")
    assert str(facts["turn"]).endswith(" address")
    assert facts["decision_1"] == "addressed wake addressed"
    assert "hello" not in repr(facts)
