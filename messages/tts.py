"""What may be said to the synthesizer: text of an utterance, its end, its death, and more of it please."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.ids import Connection, Token, TurnId, UtteranceId
from messages.usage import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class SayText:
    """More text of this utterance, in any portions; the first one begins the utterance."""

    utterance: UtteranceId
    turn: TurnId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SayEnd:
    """That was all the text of this utterance."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class DropSpeech:
    """Forget this utterance: nothing of it may be heard of again."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreWanted:
    """Playback has room for more sound of this utterance: it is under its high-water mark."""

    utterance: UtteranceId


# --- from the port --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundMade:
    """Sound of one speakable unit of an utterance (24 kHz mono); units are numbered from 0."""

    connection: Connection
    utterance: UtteranceId
    unit: int
    pcm: bytes
    text: str = ""
    """What of the unit's text ends with this sound, where the synthesizer says so; the rest ends with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSpoken:
    """All sound of this unit has been given."""

    connection: Connection
    utterance: UtteranceId
    unit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisFailed:
    """This utterance could not be synthesized any further, and why (a bounded code)."""

    connection: Connection
    utterance: UtteranceId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizerLost:
    """The connection died; only utterances in flight notice."""

    connection: Connection
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSpent:
    """So much of this utterance was given to be spoken, and is paid for even if nobody hears it."""

    connection: Connection
    utterance: UtteranceId
    spent: Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsTick:
    """Timer of the synthesizer."""

    token: Token


TtsPortEvent: TypeAlias = SoundMade | UnitSpoken | SynthesisFailed | SynthesizerLost | VoiceSpent
TtsMessage: TypeAlias = SayText | SayEnd | DropSpeech | MoreWanted | TtsPortEvent | TtsTick
