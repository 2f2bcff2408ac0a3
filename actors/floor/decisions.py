"""What the floor may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.capture import CaptureMessage, ListenClosely
from messages.evidence import PrivateWords, Receipt
from messages.floor import FloorTick, Outcome, Trigger
from messages.ids import TurnId
from messages.mailbox import Mailbox
from messages.orders import StayOrderAnswered
from messages.playback import CutSpeech, Duck, Unduck
from messages.realtime import CancelTurn, LineOverheard, RoomObserved, TurnAsked
from messages.stay import FloorQuiet
from messages.tts import DropSpeech


@dataclass(frozen=True, slots=True, kw_only=True)
class TellRealtime:
    """Tell the conversation."""

    message: TurnAsked | LineOverheard | RoomObserved | CancelTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class TellPlayback:
    """Tell playback."""

    message: Duck | Unduck | CutSpeech


@dataclass(frozen=True, slots=True, kw_only=True)
class TellTts:
    """Tell the synthesizer."""

    message: DropSpeech


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell the stay."""

    message: FloorQuiet


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCapture:
    """Tell an ear."""

    mailbox: Mailbox[CaptureMessage]
    message: ListenClosely


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Tell whoever gave an order what became of it."""

    mailbox: Mailbox[StayOrderAnswered]
    answer: StayOrderAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt | PrivateWords


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver:
    """A turn has its outcome; there is one for each that was asked."""

    turn: TurnId
    trigger: Trigger
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: FloorTick


Decision: TypeAlias = (
    TellRealtime | TellPlayback | TellTts | TellStay | TellCapture | Answer | Record | TurnOver | Wake
)
