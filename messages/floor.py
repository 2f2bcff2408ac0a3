"""What may be said to the floor: voices, words, who is here, and how his own speech is getting on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from messages.ids import HandoffId, PersonId, SegmentId, Token, TurnId, UtteranceId
from messages.orders import Hush, Interrupt, SayAloud
from messages.people import Line, Person, Presence

if TYPE_CHECKING:
    from messages.capture import CaptureMessage
    from messages.mailbox import Mailbox


class Trigger(StrEnum):
    """What a turn was asked for."""

    ADDRESS = "address"
    OFFER = "offer"
    VOLITION = "volition"
    MEMBERSHIP = "membership"
    GREETING = "greeting"
    HANDOFF_RESULT = "handoff_result"
    HANDOFF_WAIT = "handoff_wait"
    TYPED = "typed"
    OPERATOR = "operator"
    """What he says was written by the operator; no model is asked."""


class Outcome(StrEnum):
    """How a turn ended; exactly one for each."""

    SPOKE = "spoke"
    SILENT = "silent"
    TOOL = "tool"
    FAILED = "failed"
    CUT = "cut"


# --- from the ears --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceBegan:
    """Voice activity began a segment at `at` (pre-roll left out); `ear` may be told to listen closely."""

    person: Person
    segment: SegmentId
    at: float
    ear: Mailbox[CaptureMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceHeld:
    """The open segment has been voiced for so many seconds so far (told about every 100 ms of voice)."""

    person: PersonId
    segment: SegmentId
    voiced: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceEnded:
    """The segment is closed: last voice at `at`, `voiced` seconds of voice in all."""

    person: PersonId
    segment: SegmentId
    at: float
    voiced: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsHeard:
    """Words of one segment, so far or all of them (`final`); text is empty when there were none."""

    person: Person
    segment: SegmentId
    text: str
    final: bool
    began: float
    ended: float
    voiced: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsFailed:
    """There will be no words for this segment."""

    person: PersonId
    segment: SegmentId
    reason: str


# --- from the stay --------------------------------------------------------------------------------


class RosterChange(StrEnum):
    """What changed when a roster is told."""

    ARRIVED = "arrived"
    DEPARTED = "departed"
    CONSENTED = "consented"
    WITHDREW = "withdrew"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterTold:
    """Everybody who is here now; `change` and `who` say what is new, or are None for the first telling.

    When he was MOVED himself, all are new, and nothing that was being said may be heard here.
    """

    people: tuple[Presence, ...]
    change: RosterChange | None
    who: Person | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JustJoined:
    """He has just come in: one greeting turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTyped:
    """Somebody wrote in the room's chat, which counts as said here."""

    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitQuiet:
    """He is leaving: ask for no more turns; answer the stay FloorQuiet once nothing is being said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HushGoesOn:
    """To a floor that has just opened: like the one before it is hushed, for so many seconds more."""

    seconds: float


# --- from playback --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechQueued:
    """An utterance waits to be played."""

    utterance: UtteranceId
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechStarted:
    """An audible frame was sent at `at`; from now on he can be interrupted."""

    utterance: UtteranceId
    turn: TurnId
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechDrained:
    """All of it was sent; without `started` nobody can have heard it."""

    utterance: UtteranceId
    turn: TurnId
    started: bool
    text: str
    """What was heard; kept for eight seconds to know his own echo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechCut:
    """It was silenced; `text` is what had been heard of it."""

    utterance: UtteranceId
    turn: TurnId
    started: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechFailed:
    """It will not be heard (or not to its end), and why."""

    utterance: UtteranceId
    turn: TurnId
    started: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechTold:
    """Text on its way to be heard, so that an echo of it can be told from a person's words."""

    utterance: UtteranceId
    text: str


# --- from the conversation ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAnswered:
    """The model has finished a turn: what it did, and the utterance that will be heard of it, if any."""

    turn: TurnId
    outcome: Outcome
    utterance: UtteranceId | None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOrphaned:
    """An earlier life of the floor asked for this turn, and nothing has been said to it: ask for it again."""

    trigger: Trigger
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultWaiting:
    """A hand-off came back and wants a turn of its own."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkBegan:
    """The captain is at work for the room."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkEnded:
    """The captain is done with this hand-off, whatever came of it."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLost:
    """This life of the conversation ends without an answer to a turn that it had, which is on record."""

    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRestarted:
    """The conversation began a new life: whatever turn an earlier one was asked for is lost."""

    life: int = 0
    """Which; 0 if nobody counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTick:
    """Timer of the floor."""

    token: Token


FloorMessage: TypeAlias = (
    VoiceBegan
    | VoiceHeld
    | VoiceEnded
    | WordsHeard
    | WordsFailed
    | RosterTold
    | JustJoined
    | LineTyped
    | AwaitQuiet
    | SayAloud
    | Hush
    | Interrupt
    | HushGoesOn
    | SpeechQueued
    | SpeechStarted
    | SpeechDrained
    | SpeechCut
    | SpeechFailed
    | SpeechTold
    | TurnAnswered
    | TurnOrphaned
    | ResultWaiting
    | WorkBegan
    | WorkEnded
    | TurnLost
    | ConversationRestarted
    | FloorTick
)
