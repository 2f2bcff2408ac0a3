"""All that the house and its media process may say to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """The first letter to the child: which language is spoken, and how he shall sound."""

    version: int
    ca_file: str | None
    proxy: str | None
    opus_library: str | None
    bitrate: int
    complexity: int
    trailing_silence_frames: int
    audible_dbfs: float
    queue_seconds: float
    starved_seconds: float
    dave_seconds: float
    secure_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A new connection begins, as this user in this channel; what belongs to an older one is over."""

    connection: int
    user: int
    guild: int
    channel: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceState:
    """His own voice state in this connection's channel; without a session he is out of voice."""

    connection: int
    session: str | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceServer:
    """Where to connect to, and with what; without an endpoint he has to wait."""

    connection: int
    token: str = field(repr=False)
    endpoint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shut:
    """Let go of a connection; answered with the last Tally and IsShut."""

    connection: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Microphone:
    """Decode this user from now on, or no longer."""

    user: int
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """At most MOST_FRAMES frames of his speech, s16le 24 kHz mono."""

    connection: int
    utterance: int
    pcm: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """No more sound of this utterance is coming."""

    connection: int
    utterance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Drop all that waits of this utterance."""

    connection: int
    utterance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """Ramp the loudness to `decibels` over `seconds`."""

    connection: int
    utterance: int
    decibels: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Stop sending, or go on at the very same sample."""

    connection: int
    utterance: int
    held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """Answered with itself."""

    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """Say what everybody's packets came to, and end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The first of the news, all of which follow: everything is loaded. `priority` is fifo, nice or none."""

    version: int
    priority: str
    opus: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Up:
    """Sound flows both ways on this connection, or would if he were not alone there."""

    connection: int
    dave_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """The voice server has taken him in; the encrypted group may still be forming."""

    connection: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The newest line of this connection is gone. `plan` is one of close_codes.Plan."""

    connection: int
    plan: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """A line was resumed after so many milliseconds; its sound never stopped."""

    connection: int
    milliseconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Secured:
    """The encrypted group has changed; the code is empty while there is none."""

    connection: int
    privacy_code: str


class Heard(NamedTuple):
    """20 ms of a user who may be heard, read in monotonic second `at`, or made up for one that was lost."""

    user: int
    pcm: bytes
    at: float
    timestamp: int
    concealed: bool

    def __repr__(self) -> str:
        return f"Heard(user={self.user}, at={self.at})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """At most MOST_FRAMES, of anybody, in order."""

    frames: tuple[Heard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """News of an utterance. `what` is started, sent, underrun, drained, cut or failed."""

    connection: int
    utterance: int
    what: str
    frames: int
    dropped: int
    at: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """Every second: sums since this connection came up; `alone` where a line is up and names nobody."""

    connection: int
    arrived: int
    decoded: int
    waiting: int
    sent: int
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came of one user's packets since the child began."""

    user: int
    decoded: int
    unread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IsShut:
    """The connection is let go of; its Tallies were sent before."""

    connection: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A line for the log, without secrets and without words."""

    text: str


Order: TypeAlias = (
    Begin | Open | VoiceState | VoiceServer | Shut | Microphone | Sound | End | Cut | Gain | Hold | Ping | Bye
)
News: TypeAlias = (
    Hello | Up | Reached | Lost | Resumed | Secured | Voices | Spoken | Pulse | Tally | IsShut | Ping | Note
)
Letter: TypeAlias = Order | News
