"""The pulse of one voice websocket: when to beat, and when a peer that keeps silent is dead."""

from __future__ import annotations


class Heart:
    """Beats every `beat` seconds, the first after a random part of it, while each one is answered."""

    def __init__(self, jitter: float) -> None:
        self._jitter = jitter
        self._beat: float | None = None
        self._unanswered = False
        self.due: float | None = None
        """When the next beat is due, monotonic seconds; None while there is no pulse."""

    def start(self, now: float) -> None:
        """A new websocket stands. It begins with the pulse of the last one, until its own hello comes."""
        self._unanswered = False
        self.due = None if self._beat is None else now + self._jitter * self._beat

    def stop(self) -> None:
        """There is no websocket."""
        self.due = None

    def hello(self, beat: float, now: float) -> None:
        """The server's pulse in seconds; a repeated one changes nothing that is already due."""
        self._beat = beat
        first = now + self._jitter * beat
        self.due = first if self.due is None else min(self.due, first)

    def acknowledged(self) -> None:
        """The server has answered."""
        self._unanswered = False

    def beat(self, now: float) -> bool:
        """Called when due: True to send a beat, False if the last one was never answered."""
        if self._unanswered or self._beat is None:
            return False
        self._unanswered = True
        self.due = now + self._beat
        return True
