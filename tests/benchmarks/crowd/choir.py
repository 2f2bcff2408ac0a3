"""Everybody who talks at the moment: one thread sends their packets, evenly spread over the 20 ms."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Sequence
from time import monotonic

from messages.audio import FRAME_SECONDS
from tests.benchmarks.crowd.speakers import Speaker


class Choir:
    """Sends from this socket; who sings is changed from one thread.

    A packet is sent up to `grain` seconds too early rather than that the thread wakes once more for it.
    """

    def __init__(self, sender: socket.socket, grain: float) -> None:
        self._sender, self._grain = sender, grain
        self._changed = threading.Condition()
        self._singing: tuple[Speaker, ...] = ()
        self._over = False
        self._thread = threading.Thread(target=self._sing, name="choir", daemon=True)
        self._thread.start()

    def join(self, speakers: Sequence[Speaker]) -> None:
        """These have something to say."""
        with self._changed:
            self._singing = (*self._singing, *(one for one in speakers if one not in self._singing))
            self._changed.notify_all()

    def wait_until_silent(self, speakers: Sequence[Speaker], seconds: float) -> bool:
        """Whether all these have said everything within so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not set(speakers) & set(self._singing), seconds)

    def close(self) -> None:
        """End at once."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._thread.join(1.0)

    def _sing(self) -> None:
        slot = 0.0
        while True:
            with self._changed:
                if not self._singing:
                    self._changed.wait_for(lambda: self._singing or self._over)
                    slot = monotonic()
                if self._over:
                    return
                singing = self._singing
            silent = self._round(singing, slot)
            slot += FRAME_SECONDS
            if silent:
                with self._changed:
                    self._singing = tuple(one for one in self._singing if one not in silent)
                    self._changed.notify_all()

    def _round(self, singing: Sequence[Speaker], slot: float) -> set[Speaker]:
        step, silent, sender = FRAME_SECONDS / len(singing), set[Speaker](), self._sender
        for place, speaker in enumerate(singing):
            ahead = slot + place * step - monotonic()
            if ahead > self._grain:
                select.select((), (), (), ahead)
            if not speaker.send(sender):
                silent.add(speaker)
        return silent
