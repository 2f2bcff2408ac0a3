"""Asking a voice server from which address his own datagrams come, some times, because one may be lost."""

from __future__ import annotations

from typing import Final

from actors.voice.media import opening
from actors.voice.media.acts import Acts, SendText, SendUdp

QUESTIONS: Final = 5
PATIENCE: Final = 1.0
"""Seconds between two questions, and after the last."""


class Discovery:
    """The questions for one stream, whose sound will be encrypted by `mode`."""

    def __init__(self, ssrc: int, mode: str) -> None:
        self._ssrc = ssrc
        self._mode = mode
        self._asked = 0
        self.due = 0.0
        """When the next question, or the end of patience, is due; monotonic seconds."""

    def ask(self, now: float) -> Acts:
        """The next question; nothing if enough were asked."""
        if self._asked == QUESTIONS:
            return ()
        self._asked += 1
        self.due = now + PATIENCE
        return (SendUdp(datagram=opening.discovery(self._ssrc)),)

    def answer(self, datagram: bytes) -> SendText | None:
        """The choice of the protocol with his own address, if this datagram says it."""
        found = opening.discovered(datagram, self._ssrc)
        return found and opening.select(address=found[0], port=found[1], mode=self._mode)
