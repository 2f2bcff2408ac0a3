"""What may be said to playback: sound to queue, duck, resume, cut, and what the voice link really sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.ids import Token, TurnId, UtteranceId
from messages.voice import SoundEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSpeech:
    """An utterance is coming; it plays after those queued before it."""

    utterance: UtteranceId
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSound:
    """More sound of an utterance (24 kHz mono, any length)."""

    utterance: UtteranceId
    pcm: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignText:
    """All sound of this text has now been queued: so a position in the sound is a position in the text."""

    utterance: UtteranceId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskForMore:
    """All sound of one unit has been queued: say MoreWanted as soon as there is room for another."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSpeech:
    """That was all the sound of this utterance."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakSpeech:
    """There will be no more sound of this utterance; `unheard` is the text that was never synthesized."""

    utterance: UtteranceId
    turn: TurnId
    reason: str
    unheard: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Duck:
    """Somebody is talking over him: get quieter (or hold, as configured)."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Unduck:
    """It was nothing: be as loud as before, from the same sample."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSpeech:
    """Silence this utterance now; answered with SpeechCut (one cut per playback). `reason` goes on record."""

    utterance: UtteranceId
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRestarted:
    """The voice link began a new life: what it had been given is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybackTick:
    """Timer of playback."""

    token: Token


PlaybackMessage: TypeAlias = (
    QueueSpeech
    | QueueSound
    | AlignText
    | AskForMore
    | EndSpeech
    | BreakSpeech
    | Duck
    | Unduck
    | CutSpeech
    | LinkRestarted
    | SoundEvent
    | PlaybackTick
)
