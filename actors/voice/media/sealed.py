"""Letters to nobody known: kept unopened for a second, in case somebody turns up who may be heard."""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

MOST_PACKETS: Final = 25
"""Packets kept of one unknown stream."""
MOST_STREAMS: Final = 16
"""Unknown streams of which packets are kept."""
KEPT_SECONDS: Final = 1.0

Letters: TypeAlias = deque[tuple[float, bytes]]
"""Monotonic second of arrival, and the encrypted datagram as it came."""


class Sealed:
    """Encrypted packets of unknown streams: of each the newest MOST_PACKETS, for at most a second."""

    def __init__(self) -> None:
        self._streams: dict[int, Letters] = {}

    @property
    def due(self) -> float | None:
        """When `expire` has to be called, in monotonic seconds."""
        if not self._streams:
            return None
        return min(letters[0][0] for letters in self._streams.values()) + KEPT_SECONDS

    def keep(self, ssrc: int, datagram: bytes, at: float) -> int:
        """Keep one packet; how many (0 or 1) could not be kept for it."""
        letters = self._streams.get(ssrc)
        if letters is None:
            if len(self._streams) >= MOST_STREAMS:
                return 1
            letters = self._streams[ssrc] = deque()
        letters.append((at, datagram))
        if len(letters) <= MOST_PACKETS:
            return 0
        letters.popleft()
        return 1

    def take(self, ssrc: int) -> Letters:
        """Hand over what is kept of a stream, in order."""
        return self._streams.pop(ssrc, deque())

    def expire(self, now: float) -> int:
        """Throw away what has been kept for a second; how many packets that was."""
        thrown = 0
        for ssrc, letters in tuple(self._streams.items()):
            while letters and now >= letters[0][0] + KEPT_SECONDS:
                letters.popleft()
                thrown += 1
            if not letters:
                del self._streams[ssrc]
        return thrown

    def clear(self) -> int:
        """Throw everything away; how many packets that was."""
        thrown = sum(map(len, self._streams.values()))
        self._streams.clear()
        return thrown
