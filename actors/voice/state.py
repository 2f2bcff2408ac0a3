"""What a voice link remembers from one letter to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from actors.voice.settings import VoiceSettings
from actors.voice.watch import Watch
from messages.ids import Connection, RoomId, StayId, UtteranceId
from messages.voice import MicrophoneCount, OpenMicrophone, SoundOrder

_NOWHERE = RoomId("")
_NONE = Connection(0)


class Phase(StrEnum):
    """How the link stands."""

    IDLE = "idle"
    CONNECTING = "connecting"
    UP = "up"
    WAITING = "waiting"
    GONE = "gone"
    CLOSING = "closing"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One link over all its connections; `token` is the timer that counts, `give_up_at` monotonic seconds."""

    settings: VoiceSettings
    stay: StayId
    phase: Phase = Phase.IDLE
    room: RoomId = _NOWHERE
    connection: Connection = _NONE
    token: int = 0
    tries: int = 0
    was_up: bool = False
    give_up_at: float = 0.0
    faltering: str = ""
    """Why no sound passes although the link is up: the port is getting it back."""
    trouble: str = ""
    """What has kept a link from coming up at all, as far as the port could say."""
    microphones: tuple[OpenMicrophone, ...] = ()
    counts: tuple[MicrophoneCount, ...] = ()
    speaking: UtteranceId | None = None
    """Whose sound the port holds, or waits for it."""
    held: tuple[SoundOrder, ...] = ()
    """What he says while the link is away."""
    refused: UtteranceId | None = None
    """Whose failure playback has been told, so that it is told once."""
    watch: Watch = field(default_factory=Watch)
    hurried_at: float = float("-inf")
    """When a lost link was last tried again without a pause."""
    old_letters: int = 0
