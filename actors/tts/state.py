"""What the synthesizer's room remembers of each utterance, and what it can decide to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.tts.settings import TtsSettings
from messages.evidence import Failed
from messages.ids import Connection, StayId, Token, TurnId, UtteranceId
from messages.playback import PlaybackMessage
from messages.tts import TtsTick

_FIRST = Connection(1)
_NO_TIMER = Token(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """One utterance on its way from text to sound."""

    utterance: UtteranceId
    turn: TurnId
    text: str = ""
    """What is not speakable yet."""
    units: tuple[str, ...] = ()
    """What is speakable and waits."""
    text_ended: bool = False
    wanted: bool = True
    """Whether playback has room for another unit."""
    speaking: str | None = None
    """The unit in flight."""
    unit: int = 0
    """Its number, or that of the next one."""
    connection: Connection = _FIRST
    """Where it is in flight, or last was."""
    sounded: bool = False
    retried: bool = False
    broken: str | None = None
    """Why it failed, while the rest of its text is awaited."""
    token: Token = _NO_TIMER


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All utterances in hand; `gone` names the last ones that are over, of which nothing is heard again."""

    settings: TtsSettings
    stay: StayId
    connection: Connection = _FIRST
    token: Token = _NO_TIMER
    speeches: tuple[Speech, ...] = ()
    gone: tuple[UtteranceId, ...] = ()
    old_letters: int = 0

    def named(self, utterance: UtteranceId) -> Speech | None:
        """This utterance, while it is in hand."""
        return next((speech for speech in self.speeches if speech.utterance == utterance), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """Have the port synthesize a unit."""

    connection: Connection
    utterance: UtteranceId
    unit: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Have the port forget an utterance."""

    connection: Connection
    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class TellPlayback:
    """Tell playback."""

    message: PlaybackMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: TtsTick


Decision: TypeAlias = Speak | Forget | TellPlayback | Record | Wake
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
