"""Every kind of trouble: how often it comes, how long it lasts, whom it meets and how soon it heals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What can go wrong."""

    ACTOR_CRASHES = "an actor crashes"
    TWO_CRASH = "two actors crash at once"
    BUDGET_NEARLY_SPENT = "an actor crashes nearly too often"
    MEDIA_KILLED = "the media process is killed"
    MEDIA_STOPPED = "the media process stands still"
    CUT = "a line is cut"
    HALF_OPEN = "a line is half open"
    STALLED = "a line reads no more"
    GARBAGE = "a line is fed garbage"
    SOUND_LOST = "no packet of sound passes"
    SOUND_LOSSY = "a third of the sound is lost"
    SOUND_REORDERED = "sound comes out of order"
    SOUND_DOUBLED = "sound comes twice"
    SOUND_GARBAGE = "datagrams of garbage"
    SOUND_REPORTS = "datagrams of RTCP"
    SERVER_MOVES = "the voice server moves twice"
    RESUME_REFUSED = "the voice server refuses to resume"
    VOICE_CLOSED = "the voice server closes the line"
    ASKED_TO_RECONNECT = "the gateway asks to reconnect"
    SESSION_INVALID = "the gateway calls the session invalid"
    KICKED = "he is put out"
    MOVED = "he is moved and comes back"
    NO_HEARTBEAT = "heartbeats are not answered"
    FLAPPING = "somebody comes and goes"
    LEAVES = "somebody leaves for a while"
    ELSEWHERE = "somebody looks into another room"
    CONSENT_FLIPS = "somebody withdraws and consents"
    STRANGER = "a newcomer without consent talks"
    STREAM_REUSED = "a stream number is handed on"
    SECOND_DEVICE = "somebody comes with a second device"
    TOO_MANY = "a provider answers 429"
    KEY_REFUSED = "a provider refuses the key"
    SERVER_ERROR = "a provider answers 500 or 503"
    QUOTA = "a provider's quota is spent"
    SESSION_EXPIRES = "a session expires in mid-answer"
    NO_HANDSHAKE = "a handshake is never answered"
    SLOW = "the first token is slow"
    CONTEXT_CAP = "no further context is to be had"
    DISK_FULL = "the disk is full"
    DISK_READ_ONLY = "the disk takes nothing"
    RECORD_DELETED = "the record is deleted underneath"
    RECORD_RENAMED = "the record is moved away underneath"
    CLOCK_STEPS = "the clock is put"
    SUSPENDED = "the machine sleeps"
    ORDER_SAY = "ordered to say something"
    ORDER_HUSH = "ordered to hush"
    ORDER_INTERRUPT = "ordered to break off"
    ORDER_WITHDRAW = "ordered to withdraw a consent"
    ORDER_ASK = "ordered to ask the captain"
    ORDER_RESTART = "ordered to restart an actor"
    ORDER_ELSEWHERE = "ordered into another room and back"
    ORDER_LEAVE = "ordered to leave and to join again"
    ORDER_FLUSH = "ordered to flush"
    ORDER_NONSENSE = "ordered nonsense"
    ORDER_FORGED = "ordered with a wrong key"
    VIEWER_STUCK = "a viewer reads no more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`ground` is what it happens to: two troubles on the same ground are kept `apart`."""

    ground: str
    targets: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    heals: float = 0.0
    weight: float = 1.0
    apart: float = 1.0

    def fits(self, room: float) -> bool:
        return room - self.heals >= max(2.0, self.seconds[0])


ROOMS: Final = ("voice", "floor", "playback", "tts", "realtime", "ears")
"""Whoever lives and dies with a stay."""
OF_THE_ROOT: Final = ("captain", "evidence", "console", "meter")
"""With four falls of these in a minute the program ends, as it promises; a service manager begins it anew."""
ACTORS: Final = ("gateway", "stay", *ROOMS, *OF_THE_ROOT)
DISCORD: Final = ("gateway", "voice")
CLOUD: Final = ("conversation", "transcription", "tts", "captain")
GUESTS: Final = ("Ada", "Ben", "Cleo", "Dan")
CODES: Final = ("4006", "4009", "4014", "4015", "4022")

SHAPES: Final[Mapping[Kind, Shape]] = {
    Kind.ACTOR_CRASHES: Shape(ground="actors", targets=ACTORS, heals=5.0, weight=6.0),
    Kind.TWO_CRASH: Shape(ground="actors", targets=ROOMS, heals=5.0, weight=2.0),
    Kind.BUDGET_NEARLY_SPENT: Shape(ground="actors", targets=ROOMS, seconds=(2.0, 4.0), heals=8.0, apart=5.0),
    Kind.MEDIA_KILLED: Shape(ground="link", heals=6.0, weight=2.0, apart=4.0),
    Kind.MEDIA_STOPPED: Shape(ground="link", seconds=(1.0, 6.0), heals=8.0, weight=2.0, apart=4.0),
    Kind.CUT: Shape(ground="lines", targets=DISCORD + CLOUD, heals=5.0, weight=4.0),
    Kind.HALF_OPEN: Shape(
        ground="lines", targets=DISCORD + CLOUD, seconds=(3.0, 8.0), heals=10.0, weight=2.0
    ),
    Kind.STALLED: Shape(ground="lines", targets=DISCORD + CLOUD, seconds=(3.0, 8.0), heals=10.0, weight=2.0),
    Kind.GARBAGE: Shape(ground="lines", targets=DISCORD + CLOUD, seconds=(0.0, 2.0), heals=5.0, weight=4.0),
    Kind.SOUND_LOST: Shape(ground="sound", seconds=(2.0, 6.0), heals=6.0),
    Kind.SOUND_LOSSY: Shape(ground="sound", seconds=(4.0, 8.0)),
    Kind.SOUND_REORDERED: Shape(ground="sound", seconds=(4.0, 8.0)),
    Kind.SOUND_DOUBLED: Shape(ground="sound", seconds=(4.0, 8.0)),
    Kind.SOUND_GARBAGE: Shape(ground="sound", seconds=(2.0, 6.0)),
    Kind.SOUND_REPORTS: Shape(ground="sound", seconds=(2.0, 6.0)),
    Kind.SERVER_MOVES: Shape(ground="link", seconds=(0.5, 3.0), heals=6.0, weight=2.0, apart=4.0),
    Kind.RESUME_REFUSED: Shape(ground="link", heals=6.0, apart=4.0),
    Kind.VOICE_CLOSED: Shape(ground="link", targets=CODES, heals=8.0, weight=3.0, apart=4.0),
    Kind.ASKED_TO_RECONNECT: Shape(ground="account", heals=5.0, apart=4.0),
    Kind.SESSION_INVALID: Shape(ground="account", heals=8.0, apart=4.0),
    Kind.KICKED: Shape(ground="link", seconds=(2.0, 4.0), heals=8.0, apart=4.0),
    Kind.MOVED: Shape(ground="link", seconds=(3.0, 6.0), heals=8.0, apart=4.0),
    Kind.NO_HEARTBEAT: Shape(ground="lines", targets=DISCORD, seconds=(4.0, 8.0), heals=8.0),
    Kind.FLAPPING: Shape(ground="people", targets=("Eve", "Finn", "Dan"), seconds=(2.0, 6.0)),
    Kind.LEAVES: Shape(ground="people", targets=GUESTS, seconds=(2.0, 6.0), heals=2.0),
    Kind.ELSEWHERE: Shape(ground="people", targets=GUESTS, seconds=(2.0, 6.0), heals=2.0),
    Kind.CONSENT_FLIPS: Shape(ground="people", targets=GUESTS, seconds=(1.0, 5.0), heals=2.0),
    Kind.STRANGER: Shape(ground="people", seconds=(3.0, 6.0), weight=2.0),
    Kind.STREAM_REUSED: Shape(ground="people", targets=GUESTS, seconds=(3.0, 5.0), heals=3.0),
    Kind.SECOND_DEVICE: Shape(ground="people", targets=GUESTS, seconds=(2.0, 5.0), heals=3.0),
    Kind.TOO_MANY: Shape(ground="providers", targets=CLOUD, seconds=(2.0, 6.0), heals=8.0, weight=2.0),
    Kind.KEY_REFUSED: Shape(ground="providers", targets=CLOUD, seconds=(2.0, 6.0), heals=10.0),
    Kind.SERVER_ERROR: Shape(ground="providers", targets=CLOUD, seconds=(2.0, 6.0), heals=8.0),
    Kind.QUOTA: Shape(ground="providers", targets=CLOUD, seconds=(2.0, 6.0), heals=10.0),
    Kind.SESSION_EXPIRES: Shape(
        ground="providers", targets=("conversation", "transcription"), heals=5.0, weight=2.0
    ),
    Kind.NO_HANDSHAKE: Shape(
        ground="providers", targets=("conversation", "transcription", "tts"), seconds=(2.0, 6.0), heals=10.0
    ),
    Kind.SLOW: Shape(ground="providers", targets=CLOUD, seconds=(3.0, 8.0), heals=5.0),
    Kind.CONTEXT_CAP: Shape(ground="providers", targets=("tts",), seconds=(2.0, 6.0), heals=5.0),
    Kind.DISK_FULL: Shape(ground="disk", seconds=(2.0, 8.0), heals=3.0, weight=2.0),
    Kind.DISK_READ_ONLY: Shape(ground="disk", seconds=(2.0, 8.0), heals=3.0),
    Kind.RECORD_DELETED: Shape(ground="disk"),
    Kind.RECORD_RENAMED: Shape(ground="disk"),
    Kind.CLOCK_STEPS: Shape(
        ground="clock", targets=("+3600", "-3600", "+3", "-3"), seconds=(3.0, 8.0), weight=2.0
    ),
    Kind.SUSPENDED: Shape(ground="link", seconds=(8.0, 8.0), heals=10.0, apart=5.0),
    Kind.ORDER_SAY: Shape(ground="console", weight=2.0),
    Kind.ORDER_HUSH: Shape(ground="console", seconds=(1.0, 4.0)),
    Kind.ORDER_INTERRUPT: Shape(ground="console", weight=2.0),
    Kind.ORDER_WITHDRAW: Shape(ground="people", targets=GUESTS, seconds=(2.0, 4.0), heals=2.0),
    Kind.ORDER_ASK: Shape(ground="console", weight=2.0),
    Kind.ORDER_RESTART: Shape(ground="actors", targets=ACTORS, heals=5.0, weight=2.0),
    Kind.ORDER_ELSEWHERE: Shape(ground="link", seconds=(3.0, 6.0), heals=8.0, apart=5.0),
    Kind.ORDER_LEAVE: Shape(ground="link", seconds=(1.0, 3.0), heals=8.0, weight=2.0, apart=5.0),
    Kind.ORDER_FLUSH: Shape(ground="console"),
    Kind.ORDER_NONSENSE: Shape(ground="console", weight=2.0),
    Kind.ORDER_FORGED: Shape(ground="console", weight=2.0),
    Kind.VIEWER_STUCK: Shape(ground="console", seconds=(4.0, 8.0)),
}
"""Every kind's shape. Seconds; `targets` are drawn with the same chance each."""
