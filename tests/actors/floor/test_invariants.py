"""Whatever happens in whatever order, some things are always true of the floor."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.floor.settings import FloorSettings, ReplyPolicy, Talkativeness
from actors.floor.state import TurnOver
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
    TurnAnswered,
    WorkBegan,
)
from messages.ids import HandoffId, SegmentId, TurnId, UtteranceId
from messages.people import Person
from messages.playback import CutSpeech
from messages.realtime import TurnAsked
from tests.actors.floor.scene import ANNA, BEN, CLEO, Scene, here

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

    def speech(self, news: str) -> None:
        scene = self.scene
        turn = scene.state.flight.id if scene.state.flight else TurnId("none")
        last = UtteranceId(f"u{self.spoken}")
        match news:
            case "queued":
                self.spoken += 1
                scene.happens(SpeechQueued(utterance=UtteranceId(f"u{self.spoken}"), turn=turn))
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


NEWS = ("queued", "started", "drained", "cut", "failed", "spoke", "silent", "tool")
EVENTS = st.one_of(
    st.tuples(st.just("begin"), PEOPLE),
    st.tuples(st.just("words"), st.sampled_from(TEXTS), st.booleans()),
    st.tuples(st.just("speech"), st.sampled_from(NEWS)),
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
            JustJoined() | AwaitQuiet() | ConversationRestarted() | ResultWaiting() | WorkBegan() as told,
        ):
            chaos.scene.happens(told)
        case _:
            raise AssertionError(event)


@settings(max_examples=120, deadline=None)
@given(st.lists(EVENTS, max_size=60), st.sampled_from(list(ReplyPolicy)))
def test_the_floor_keeps_its_promises(events: list[tuple[object, ...]], policy: ReplyPolicy) -> None:
    mood = FloorSettings(reply_policy=policy, volition=Talkativeness.CHATTY)
    chaos = Chaos(Scene(settings=mood, people=here(ANNA, BEN, CLEO)))
    for event in events:
        happen(chaos, event)
    scene = chaos.scene
    one_turn_at_a_time_each_over_once(scene)
    for receipt in scene.receipts(evidence.Interrupted):
        assert chaos.began[receipt.segment_id] > chaos.started[receipt.utterance_id]
    cuts = [order.utterance for order in scene.done(CutSpeech)]
    interrupted = [receipt.utterance_id for receipt in scene.receipts(evidence.Interrupted)]
    assert len(interrupted) == len(set(interrupted))
    assert set(interrupted) <= set(cuts)
    gate = [receipt.outcome for receipt in scene.receipts(evidence.Volition)]
    assert gate.count("offered") >= gate.count("taken") + gate.count("suppressed")
    scene.passes(1.0)
    assert len(scene.receipts(evidence.FloorDecision)) == chaos.finals
    scene.passes(700.0)
    assert not scene.state.leaving or not scene.state.busy()
    assert (scene.state.speeches, scene.state.voices) == ((), ())


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
