"""What the floor may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.capture import CaptureMessage
from messages.evidence import PrivateWords, Receipt
from messages.floor import Outcome, Trigger
from messages.ids import Token, TurnId
from messages.mailbox import Mailbox
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
class Listen:
    """Tell an ear to listen closely, or no longer."""

    ear: Mailbox[CaptureMessage]
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    entry: Receipt | PrivateWords


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver:
    """A turn has its outcome; there is one for each that was asked."""

    turn: TurnId
    trigger: Trigger
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class WakeAfter:
    """Tell the floor FloorTick(token) after so many seconds."""

    token: Token
    seconds: float


Decision: TypeAlias = (
    TellRealtime | TellPlayback | TellTts | TellStay | Listen | Record | TurnOver | WakeAfter
)
