"""Sound does not wait for the line, nor the line for each frame of sound, and all of it stays in order."""

from __future__ import annotations

from typing import Final

from actors.capture.live import wire
from actors.net.line import Line
from messages.audio import FRAME_BYTES, RATE

LONGEST_BYTES: Final = 35 * RATE * 2
"""So much sound is kept for a line that does not stand yet."""
SENT_AT_ONCE: Final = 4 * FRAME_BYTES
"""So much sound makes a frame on a line that stands; one for each 20 ms would cost more than twice that."""
LARGEST_BYTES: Final = 5 * RATE * 2
"""No frame holds more: some proxies end a connection for one of a megabyte."""


class Outlet:
    """What is on its way to the provider over one line."""

    def __init__(self) -> None:
        self._line: Line | None = None
        self._held: list[str] = []
        self._kept = 0
        self._sent = 0
        self._waiting = bytearray()

    @property
    def uncommitted(self) -> int:
        """Bytes of sound since the last commit or clear, sent or not."""
        return self._sent + len(self._waiting)

    def stands(self, line: Line, hello: str) -> None:
        """The line stands: send `hello`, and everything that has waited for it."""
        line.send(hello)
        for frame in self._held:
            line.send(frame)
        self._line, self._held = line, []
        self._flush()

    def sound(self, pcm: bytes) -> bool:
        """More sound of the piece that is growing; false if too much waits for the line already."""
        if self._line is None:
            self._kept += len(pcm)
            if self._kept > LONGEST_BYTES:
                return False
        self._waiting += pcm
        if self._line is not None and len(self._waiting) >= SENT_AT_ONCE:
            self._flush()
        return True

    def commit(self, order: str) -> None:
        """Have the sound since the last commit or clear written down."""
        self._flush()
        self._sent = 0
        self._send(wire.commit(order))

    def forget(self) -> bool:
        """Keep back what was not sent yet; whether the provider has some that must be cleared."""
        sent, self._sent = self._sent, 0
        self._waiting.clear()
        return sent > 0

    def clear(self, order: str) -> None:
        """Have the provider forget the sound since the last commit."""
        self._send(wire.clear(order))

    def _flush(self) -> None:
        for begin in range(0, len(self._waiting), LARGEST_BYTES):
            self._send(wire.append(self._waiting[begin : begin + LARGEST_BYTES]))
        self._sent += len(self._waiting)
        self._waiting.clear()

    def _send(self, frame: str) -> None:
        if self._line is None:
            self._held.append(frame)
        else:
            self._line.send(frame)
