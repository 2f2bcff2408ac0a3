"""Whatever happens in whatever order, some things are always true of the floor."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.floor.decisions import Answer, TurnOver
from actors.floor.settings import FloorSettings, ReplyPolicy, Talkativeness
from messages import evidence
from messages.floor import (
    AwaitQuiet,
    ConversationRestarted,
    JustJoined,
    Outcome,
    ResultWaiting,
    RosterChange,
    RosterTold,
    SpeechCut,
    SpeechDrained,
    SpeechFailed,
    SpeechQueued,
    SpeechStarted,
    SpeechTold,
    TurnAnswered,
    VoiceEnded,
    VoiceHeld,
    WordsFailed,
    WorkBegan,
    WorkEnded,
)
from messages.ids import HandoffId, OrderId, SegmentId, TurnId, UtteranceId
from messages.orders import Hush, Interrupt, SayAloud, StayOrderAnswered
from messages.people import Person
from messages.playback import CutSpeech
from messages.realtime import TurnAsked
from tests.actors.floor.scene import ANNA, BEN, CLEO, Scene, here
from tests.probe import Probe

TEXTS = (
    "Clankie, hello",
    "stop",
    "yeah",
    "what about the other one",
    "Clankie broke it",
    "",
    "the s",
    "how come",
)
PEOPLE = st.sampled_from((ANNA, BEN, CLEO))


@dataclass
class Chaos:
    """A room in which anything may happen next, with what a test needs to know about it."""

    scene: Scene
    spoken: int = 0
    started: dict[UtteranceId, float] = field(default_factory=dict)
    open: list[tuple[Person, SegmentId, float]] = field(default_factory=list)
    began: dict[str, float] = field(default_factory=dict)
    finals: int = 0
    orders: int = 0
    answers: Probe[StayOrderAnswered] = field(default_factory=Probe)

    def begin(self, person: Person) -> None:
        segment = self.scene.begins(person)
        self.open.append((person, segment, self.scene.now))
        self.began[segment] = self.scene.now

    def words(self, text: str, final: bool) -> None:
        if not self.open:
            return
        person, segment, began = self.open[0]
        self.scene.heard(person, segment, text, began=began, final=final)
        if final:
            self.open.pop(0)
            self.finals += 1

    def over(self, person: Person, text: str, final: bool) -> None:
        """He is asked if he is not, begins to be heard if he is not, and is talked over."""
        if not self.scene.state.busy():
            self.scene.types(person, "Clankie, hello")
            self.finals += 1
        if self.scene.state.audible() is None:
            for news in ("queued", "told", "started", "spoke"):
                self.speech(news)
        self.scene.passes(0.1)
        self.begin(person)
        self.scene.held(person, self.open[-1][1], 0.4)
        self.open.insert(0, self.open.pop())
        self.words(text, final)

    def order(self, kind: str, seconds: float) -> None:
        self.orders += 1
        name = OrderId(f"o{self.orders}")
        match kind:
            case "say":
                self.scene.happens(SayAloud(order=name, text="Dinner.", reply_to=self.answers))
            case "hush":
                self.scene.happens(Hush(order=name, seconds=seconds, reply_to=self.answers))
            case _:
                self.scene.happens(Interrupt(order=name, reply_to=self.answers))

    def voice(self, news: str) -> None:
        if not self.open:
            return
        person, segment, _ = self.open[-1]
        match news:
            case "held":
                self.scene.happens(VoiceHeld(person=person.id, segment=segment, voiced=0.5))
            case "ended":
                self.scene.happens(
                    VoiceEnded(person=person.id, segment=segment, at=self.scene.now, voiced=0.5)
                )
            case _:
                cut = any(cutter.words.segment == segment for cutter in self.scene.state.cutters)
                self.scene.happens(WordsFailed(person=person.id, segment=segment, reason="x"))
                self.open.pop()
                self.finals += cut

    def speech(self, news: str) -> None:
        scene = self.scene
        turn = scene.state.flight.id if scene.state.flight else TurnId("none")
        last = UtteranceId(f"u{self.spoken}")
        match news:
            case "queued":
                self.spoken += 1
                scene.happens(SpeechQueued(utterance=UtteranceId(f"u{self.spoken}"), turn=turn))
            case "told":
                scene.happens(SpeechTold(utterance=last, text="well well"))
            case "started":
                self.started.setdefault(last, scene.now)
                scene.happens(SpeechStarted(utterance=last, turn=turn, at=self.started[last]))
            case "drained":
                scene.happens(SpeechDrained(utterance=last, turn=turn, started=True, text="well well"))
            case "cut":
                scene.happens(SpeechCut(utterance=last, turn=turn, started=True, text="well"))
            case "failed":
                scene.happens(SpeechFailed(utterance=last, turn=turn, started=False, reason="x"))
            case _:
                utterance = last if news == "spoke" else None
                scene.happens(TurnAnswered(turn=turn, outcome=Outcome(news), utterance=utterance))


NEWS = ("queued", "told", "started", "drained", "cut", "failed", "spoke", "silent", "tool")
OVER = st.tuples(st.just("over"), PEOPLE, st.sampled_from(TEXTS), st.booleans())
EVENTS = st.one_of(
    OVER,
    OVER,
    st.tuples(st.just("begin"), PEOPLE),
    st.tuples(st.just("words"), st.sampled_from(TEXTS), st.booleans()),
    st.tuples(st.just("voice"), st.sampled_from(("held", "ended", "failed"))),
    st.tuples(st.just("speech"), st.sampled_from(NEWS)),
    st.tuples(
        st.just("order"), st.sampled_from(("say", "hush", "interrupt")), st.sampled_from((0.0, 5.0, 300.0))
    ),
    st.tuples(st.just("types"), PEOPLE, st.sampled_from(TEXTS)),
    st.tuples(st.just("time"), st.sampled_from((0.1, 0.5, 2.0, 25.0, 400.0))),
    st.tuples(st.just("roster"), PEOPLE, st.sampled_from(list(RosterChange))),
    st.tuples(
        st.just("tell"),
        st.sampled_from(
            (
                JustJoined(),
                AwaitQuiet(),
                ConversationRestarted(),
                ResultWaiting(handoff=HandoffId("h")),
                WorkBegan(handoff=HandoffId("h")),
                WorkEnded(handoff=HandoffId("h")),
            )
        ),
    ),
)


def happen(chaos: Chaos, event: tuple[object, ...]) -> None:
    match event:
        case ("begin", Person() as person):
            chaos.begin(person)
        case ("words", str(text), bool(final)):
            chaos.words(text, final)
        case ("over", Person() as person, str(text), bool(final)):
            chaos.over(person, text, final)
        case ("order", str(kind), float(seconds)):
            chaos.order(kind, seconds)
        case ("voice", str(news)):
            chaos.voice(news)
        case ("speech", str(news)):
            chaos.speech(news)
        case ("types", Person() as person, str(text)):
            chaos.scene.types(person, text)
            chaos.finals += 1
        case ("time", float(seconds)):
            chaos.scene.passes(seconds)
        case ("roster", Person() as who, RosterChange() as change):
            chaos.scene.happens(RosterTold(people=here(ANNA, BEN, CLEO), change=change, who=who))
        case (
            _,
            JustJoined()
            | AwaitQuiet()
            | ConversationRestarted()
            | ResultWaiting()
            | WorkBegan()
            | WorkEnded() as told,
        ):
            chaos.scene.happens(told)
        case _:
            raise AssertionError(event)


@settings(max_examples=120, deadline=None)
@given(st.lists(EVENTS, max_size=60), st.sampled_from(list(ReplyPolicy)))
def test_the_floor_keeps_its_promises(events: list[tuple[object, ...]], policy: ReplyPolicy) -> None:
    mood = FloorSettings(reply_policy=policy, volition=Talkativeness.CHATTY)
    chaos = Chaos(Scene(settings=mood, people=here(ANNA, BEN, CLEO)))
    scene = chaos.scene
    for event in events:
        hushed, before = scene.state.hushed_until, len(scene.turns())
        happen(chaos, event)
        if None not in (hushed, scene.state.hushed_until):
            assert all(turn.saying for turn in scene.turns()[before:])
    one_turn_at_a_time_each_over_once(scene)
    for receipt in scene.receipts(evidence.Interrupted):
        assert chaos.began[receipt.segment_id] > chaos.started[receipt.utterance_id]
    cuts = [order.utterance for order in scene.done(CutSpeech)]
    interrupted = [receipt.utterance_id for receipt in scene.receipts(evidence.Interrupted)]
    assert len(interrupted) == len(set(interrupted))
    assert set(interrupted) <= set(cuts)
    gate = [receipt.outcome for receipt in scene.receipts(evidence.Volition)]
    assert gate.count("offered") >= gate.count("taken") + gate.count("suppressed")
    answered = [one.answer.order for one in scene.done(Answer)]
    assert answered == [f"o{number}" for number in range(1, chaos.orders + 1)]
    scene.passes(1.0)
    assert len(scene.receipts(evidence.FloorDecision)) == chaos.finals
    comes_to_rest(scene)


def comes_to_rest(scene: Scene) -> None:
    """Left alone, with nobody answering, the floor is free again: no longer than the longest speech and what
    waited behind it, each given up in its time. Then nothing is waited for, and no timer goes on ticking."""
    limits = scene.settings
    behind = 10 * (limits.answer_limit + limits.membership_wait)
    scene.passes(limits.speech_limit + limits.cut_limit + behind)
    state = scene.state
    assert not state.busy()
    assert (state.voices, state.waiting, state.wish, state.results, state.works) == ((), (), None, (), ())
    assert (state.greeting, state.membership.since, state.close_ears) == (None, None, ())
    assert (state.sayings, state.hushed_until) == ((), None)
    assert state.engagement.holder is None
    assert (scene.due, state.timer_due) == ([], None)
    assert state.quiet_told is state.leaving


def one_turn_at_a_time_each_over_once(scene: Scene) -> None:
    in_flight: str | None = None
    seen: set[str] = set()
    for decision in scene.decisions:
        if isinstance(decision, TurnOver):
            assert decision.turn == in_flight
            in_flight = None
        elif isinstance(message := getattr(decision, "message", None), TurnAsked):
            assert in_flight is None
            assert message.turn not in seen
            seen.add(in_flight := message.turn)
    assert in_flight == (scene.state.flight.id if scene.state.flight else None)
