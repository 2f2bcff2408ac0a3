"""What may be said to the voice link, and what it says of sound that really left or arrived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.audio import SoundSink
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId

# --- orders ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLink:
    """Connect to this room's sound; answered to the stay with LinkReady or LinkGone."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseLink:
    """Close every microphone and the link; answered to the stay with LinkClosed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMicrophone:
    """This person consented: decode him from now on, into this sink."""

    person: PersonId
    capture: CaptureId
    sink: SoundSink


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseMicrophone:
    """Decode this person no longer; what arrives from now on is counted unread."""

    person: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySound:
    """Up to ten frames of his speech, played in order after what was given before."""

    utterance: UtteranceId
    pcm: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSound:
    """No more sound of this utterance: five frames of silence follow, then SoundDrained."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSound:
    """Silence this utterance now: nothing after the frame being sent; answered with SoundCut."""

    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class SetGain:
    """Ramp his loudness to `decibels` (0 is whole) over `seconds`."""

    utterance: UtteranceId
    decibels: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldSound:
    """Stop sending (`held`) or go on at the very same sample."""

    utterance: UtteranceId
    held: bool


# --- what the port reports (each bound to one connection) -----------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUp:
    """Sound can flow both ways."""

    connection: Connection
    encryption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDown:
    """The link broke; `terminal` means that no further try can help."""

    connection: Connection
    reason: str
    terminal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFaltered:
    """No sound passes, or none yet, and the port tries to get it (back): LinkUp or LinkDown follows."""

    connection: Connection
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSecured:
    """The encrypted group has changed: people compare `privacy_code`, which is empty while there is none."""

    connection: Connection
    privacy_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPulse:
    """Told every second by a port that crosses a network: sums since the connection came up.

    `arrived` and `decoded` are packets of people who are heard, `waiting` frames of his that could be sent
    now, `sent` those that were; `alone` says that the other end names nobody else who is there.
    """

    connection: Connection
    arrived: int
    decoded: int
    waiting: int
    sent: int
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundStarted:
    """The first audible frame of this utterance was sent, at this monotonic second."""

    connection: Connection
    utterance: UtteranceId
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundSent:
    """So many frames of this utterance have been sent in all; told every five frames and on underrun."""

    connection: Connection
    utterance: UtteranceId
    frames: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundUnderrun:
    """The speaker had nothing to send for this utterance when a frame was due."""

    connection: Connection
    utterance: UtteranceId
    frames: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundDrained:
    """Everything was sent, the trailing silence included."""

    connection: Connection
    utterance: UtteranceId
    frames: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundCut:
    """From `at` on nothing of this utterance sounds: `frames` were sent, `dropped` never will be."""

    connection: Connection
    utterance: UtteranceId
    frames: int
    dropped: int
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFailed:
    """Nothing more of this utterance can be sent: `frames` were, and why (a bounded code)."""

    connection: Connection
    utterance: UtteranceId
    frames: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MicrophoneCount:
    """What came from one person since the port was opened: packets decoded, and packets dropped unread."""

    person: PersonId
    decoded: int
    unread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkShut:
    """The port has closed this connection; the counts are those of all its connections so far."""

    connection: Connection
    counts: tuple[MicrophoneCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenDue:
    """Timer: try the link again."""

    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyOverdue:
    """Timer: the link did not come up in time."""

    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutOverdue:
    """Timer: the port did not say in time that the link is shut."""

    token: int


SoundEvent: TypeAlias = SoundStarted | SoundSent | SoundUnderrun | SoundDrained | SoundCut | SoundFailed
VoicePortEvent: TypeAlias = LinkUp | LinkFaltered | LinkDown | LinkShut | LinkSecured | LinkPulse | SoundEvent
SoundOrder: TypeAlias = PlaySound | EndSound | CutSound | SetGain | HoldSound
VoiceOrder: TypeAlias = OpenLink | CloseLink | OpenMicrophone | CloseMicrophone | SoundOrder
VoiceTimer: TypeAlias = ReopenDue | ReadyOverdue | ShutOverdue
VoiceMessage: TypeAlias = VoiceOrder | VoicePortEvent | VoiceTimer
