"""How patient the link to a room's sound is, and how it sounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSettings:
    """The `[voice]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    ready_seconds: float = 20.0
    """A link whose server has not taken him in by then is not coming up."""
    secure_seconds: float = 10.0
    """So long after that the encrypted group may take to form."""
    dave_seconds: float = 5.0
    """So long a frame waits for the keys of the group; what would come later has failed."""
    deaf_seconds: float = 3.0
    """Packets that come for so long while none can be heard mean that he is deaf."""
    mute_seconds: float = 2.0
    """Frames that wait for so long while none is sent mean that he is mute."""
    reopen_first_seconds: float = 1.0
    """The wait before the first try to get a lost link back; it doubles from try to try."""
    reopen_most_seconds: float = 16.0
    """The longest wait between two tries."""
    reopen_give_up_seconds: float = 120.0
    """A link that is not back by then is lost for good."""
    shut_seconds: float = 1.0
    """How long the port may take to say what a link came to."""
    bitrate: int = 64_000
    """Bits per second of his voice."""
    complexity: int = 5
    """Opus' effort, 0 to 10; 5 costs half the CPU of 10."""
    trailing_silence_frames: int = 5
    """Frames of silence after his speech, so that listeners' decoders come to rest."""
    audible_dbfs: float = -50.0
    """The peak from which on a frame counts as heard."""
    queue_seconds: float = 2.0
    """The most sound that waits to be sent; what comes on top is dropped and counted."""
    starved_seconds: float = 15.0
    """Speech that gets no more sound for so long has failed."""

    def __post_init__(self) -> None:
        for name in (
            "ready_seconds",
            "secure_seconds",
            "dave_seconds",
            "deaf_seconds",
            "mute_seconds",
            "reopen_first_seconds",
            "reopen_most_seconds",
            "reopen_give_up_seconds",
            "shut_seconds",
            "queue_seconds",
            "starved_seconds",
        ):
            _within(name, getattr(self, name), 0.01, 600.0, "give a number of seconds")
        _within("bitrate", self.bitrate, 6_000, 510_000, "64000 is what Discord expects")
        _within("complexity", self.complexity, 0, 10, "5 is enough for speech")
        _within("trailing_silence_frames", self.trailing_silence_frames, 0, 50, "Discord asks for 5")
        _within("audible_dbfs", self.audible_dbfs, -90.0, 0.0, "-50 tells speech from silence")
        if self.reopen_most_seconds < self.reopen_first_seconds:
            raise ValueError(
                f"reopen_most_seconds must be at least reopen_first_seconds, got {self.reopen_most_seconds}; "
                "raise the one or lower the other"
            )


def _within(key: str, value: float, least: float, most: float, remedy: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{key} must be between {least} and {most}, got {value}; {remedy}")
