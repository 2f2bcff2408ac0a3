"""A room in a table: who says what when, and what the floor makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from actors.floor.core import step
from actors.floor.decisions import Decision, Record, TellCapture, TellRealtime, Wake
from actors.floor.settings import FloorSettings
from actors.floor.state import State, begin
from actors.floor.words import Words, load_words
from messages import evidence
from messages.capture import CaptureMessage
from messages.evidence import EvidenceMessage
from messages.floor import (
    FloorMessage,
    FloorTick,
    LineTyped,
    Outcome,
    RosterChange,
    RosterTold,
    SpeechCut,
    SpeechDrained,
    SpeechQueued,
    SpeechStarted,
    SpeechTold,
    TurnAnswered,
    VoiceBegan,
    VoiceEnded,
    VoiceHeld,
    WordsHeard,
)
from messages.ids import LineId, PersonId, SegmentId, StayId, TurnId, UtteranceId
from messages.people import Line, LineSource, Person, Presence
from messages.realtime import TurnAsked
from tests.probe import Probe

ANNA, BEN, CLEO = (Person(id=PersonId(name), label=name.title()) for name in ("anna", "ben", "cleo"))
ROBOT = Person(id=PersonId("robot"), label="Robot", bot=True)
ENGLISH: Words = load_words("en")
D = TypeVar("D")
R = TypeVar("R", bound=EvidenceMessage)


def here(*people: Person, deaf: tuple[Person, ...] = ()) -> tuple[Presence, ...]:
    """These people, who consented, and `deaf` ones, who did not."""
    heard = tuple(Presence(person=person, consented=True) for person in people)
    return heard + tuple(Presence(person=person, consented=False) for person in deaf)


@dataclass
class Scene:
    """Drives the core; timers go off by themselves when time passes."""

    settings: FloorSettings = field(default_factory=FloorSettings)
    people: tuple[Presence, ...] = field(default_factory=lambda: here(ANNA, BEN))
    now: float = 1000.0
    decisions: list[Decision] = field(default_factory=list)
    due: list[tuple[float, FloorTick]] = field(default_factory=list)
    ear: Probe[CaptureMessage] = field(default_factory=Probe)
    segments: int = 0
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = begin(stay=StayId("stay"), life="f", settings=self.settings, words=ENGLISH, now=self.now)
        self.happens(RosterTold(people=self.people, change=None, who=None))

    def happens(self, *events: FloorMessage) -> Scene:
        """Let events happen now."""
        for event in events:
            self.state, decisions = step(self.state, event, self.now)
            self.decisions += decisions
            for decision in decisions:
                if isinstance(decision, Wake):
                    self.due.append((self.now + decision.seconds, decision.message))
                elif isinstance(decision, TellCapture):
                    decision.mailbox.tell(decision.message)
        return self

    def passes(self, seconds: float) -> Scene:
        """Let time pass, timers included."""
        end = self.now + seconds
        while self.due and min(self.due, key=lambda entry: entry[0])[0] <= end:
            first = min(self.due, key=lambda entry: entry[0])
            self.due.remove(first)
            self.now = first[0]
            self.happens(first[1])
        self.now = end
        return self

    def begins(self, person: Person) -> SegmentId:
        """Somebody begins to speak."""
        self.segments += 1
        segment = SegmentId(f"s{self.segments}")
        self.happens(VoiceBegan(person=person, segment=segment, at=self.now, ear=self.ear))
        return segment

    def held(self, person: Person, segment: SegmentId, seconds: float, before: float = 0.0) -> Scene:
        """The voice goes on for `seconds`, told every 100 ms."""
        for tenth in range(1, round(seconds * 10) + 1):
            self.passes(0.1)
            self.happens(VoiceHeld(person=person.id, segment=segment, voiced=before + tenth / 10))
        return self

    def heard(
        self, person: Person, segment: SegmentId, text: str, *, began: float, final: bool = True
    ) -> Scene:
        """Words of a segment; final ones close it first."""
        if final:
            self.happens(VoiceEnded(person=person.id, segment=segment, at=self.now, voiced=1.0))
        return self.happens(
            WordsHeard(
                person=person,
                segment=segment,
                text=text,
                final=final,
                began=began,
                ended=self.now,
                voiced=1.0,
            )
        )

    def says(self, person: Person, text: str, seconds: float = 1.0) -> Scene:
        """Somebody speaks a whole line, transcribed at once."""
        began, segment = self.now, self.begins(person)
        return self.held(person, segment, seconds).heard(person, segment, text, began=began)

    def types(self, person: Person, text: str) -> Scene:
        """Somebody writes a line."""
        self.segments += 1
        line = Line(
            id=LineId(f"t{self.segments}"),
            person=person,
            text=text,
            source=LineSource.TYPED,
            began=self.now,
            ended=self.now,
        )
        return self.happens(LineTyped(line=line))

    def arrives(self, *people: Presence, who: Person, change: RosterChange = RosterChange.ARRIVED) -> Scene:
        """The roster changes."""
        return self.happens(RosterTold(people=people, change=change, who=who))

    # --- his side

    def speaks(self, text: str = "the launch is on friday") -> UtteranceId:
        """He begins to be heard with the answer to the turn in flight."""
        turn = self.turn()
        utterance = UtteranceId(f"u-{turn}")
        self.happens(
            SpeechQueued(utterance=utterance, turn=turn),
            SpeechTold(utterance=utterance, text=text),
            TurnAnswered(turn=turn, outcome=Outcome.SPOKE, utterance=utterance),
        )
        self.passes(0.3)
        self.happens(SpeechStarted(utterance=utterance, turn=turn, at=self.now))
        self.passes(0.5)
        return utterance

    def drains(self, utterance: UtteranceId, text: str = "the launch is on friday") -> Scene:
        """He has been heard to the end."""
        turn = TurnId(utterance.removeprefix("u-"))
        return self.happens(SpeechDrained(utterance=utterance, turn=turn, started=True, text=text))

    def is_cut(self, utterance: UtteranceId, text: str = "the launch") -> Scene:
        """Playback confirms a cut."""
        turn = TurnId(utterance.removeprefix("u-"))
        return self.happens(SpeechCut(utterance=utterance, turn=turn, started=True, text=text))

    def answers(self, text: str = "the launch is on friday") -> Scene:
        """He speaks the answer to the turn in flight, to the end."""
        return self.drains(self.speaks(text), text)

    def stays_silent(self) -> Scene:
        """The model has nothing to say."""
        return self.happens(TurnAnswered(turn=self.turn(), outcome=Outcome.SILENT, utterance=None))

    def turn(self) -> TurnId:
        """The turn in flight."""
        assert self.state.flight is not None
        return self.state.flight.id

    # --- what was decided

    def done(self, kind: type[D]) -> list[D]:
        """Decisions of one kind, or messages of one kind to a neighbour."""
        inner = [getattr(decision, "message", None) for decision in self.decisions]
        return [found for found in (*self.decisions, *inner) if isinstance(found, kind)]

    def receipts(self, kind: type[R]) -> list[R]:
        """Receipts of one kind."""
        return [d.receipt for d in self.decisions if isinstance(d, Record) and isinstance(d.receipt, kind)]

    def turns(self) -> list[TurnAsked]:
        """Every turn that was asked."""
        return self.done(TurnAsked)

    def verdicts(self) -> list[tuple[str, str]]:
        """Decision and rule of every line."""
        return [(receipt.decision, receipt.rule) for receipt in self.receipts(evidence.FloorDecision)]

    def forget(self) -> Scene:
        """Look only at what is decided from now on."""
        self.decisions.clear()
        return self


def talking_with_anna(
    settings: FloorSettings | None = None, text: str = "the launch is on friday"
) -> tuple[Scene, UtteranceId]:
    """Anna has asked him something in a room of three, and he is being heard."""
    scene = Scene(settings=settings or FloorSettings(), people=here(ANNA, BEN, CLEO))
    scene.says(ANNA, "Clankie, when is the launch?")
    utterance = scene.speaks(text)
    return scene.forget(), utterance


def told(scene: Scene) -> list[object]:
    """Everything the conversation was told."""
    return [decision.message for decision in scene.decisions if isinstance(decision, TellRealtime)]


def with_settings(**changes: object) -> FloorSettings:
    """The defaults, changed."""
    return replace(FloorSettings(), **changes)  # type: ignore[arg-type]
