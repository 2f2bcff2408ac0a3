"""A client of Discord's sends five frames of silence and then nothing; so does a seat."""

from __future__ import annotations

from collections import deque
from typing import Final

from actors.audio.pcm import FRAME_SECONDS, SILENCE, rms_dbfs

QUIET_DBFS: Final = -60.0
"""A frame below this is silence: muted, or what the noise suppression of a browser leaves of a quiet room."""
LINGER_FRAMES: Final = round(0.4 / FRAME_SECONDS)
"""With the frames of silence and the wait for the next packet, this is as long a silence as ends a segment
anyway, so that people who pause are not cut off sooner than by an ear that hears all of their silence."""
SILENT_FRAMES: Final = 5
PRE_ROLL_FRAMES: Final = round(0.1 / FRAME_SECONDS)
"""The breath before a word is below any level, and belongs to it."""


class Gate:
    """Lets sound through, and of a silence its beginning and its end; it begins closed."""

    def __init__(self) -> None:
        self._before: deque[bytes] = deque(maxlen=PRE_ROLL_FRAMES)
        self._quiet = LINGER_FRAMES + SILENT_FRAMES

    def through(self, frame: bytes) -> tuple[bytes, ...]:
        """What is to be sent now that this frame was recorded: nothing, a frame, or the pre-roll as well."""
        if rms_dbfs(frame) >= QUIET_DBFS:
            sent = (*self._before, frame)
            self._before.clear()
            self._quiet = 0
            return sent
        self._quiet += 1
        if self._quiet <= LINGER_FRAMES:
            return (frame,)
        if self._quiet <= LINGER_FRAMES + SILENT_FRAMES:
            return (SILENCE,)
        self._before.append(frame)
        return ()
