"""A line that he speaks on: whoever ends it, and in whatever way, it ends once."""

from __future__ import annotations

from typing import Protocol

from actors.net.line import Dial, Ended, Line, Loop, Target, Timer
from actors.tts.live.context import Job
from actors.tts.live.contexts import Contexts, Output
from actors.tts.live.dialects import FAREWELL
from actors.tts.live.wire import Frame, Refusal, decode
from messages.ids import Connection, UtteranceId
from messages.tts import TtsPortEvent, VoiceSpent


class Owner(Protocol):
    """Who is told what becomes of a line, on the I/O thread."""

    def tell(self, event: TtsPortEvent, /) -> None:
        """Something was said on it."""

    def spent(self, mouth: Mouth, /) -> None:
        """Nobody speaks on it, and it has no more place for anybody."""

    def closed(self, mouth: Mouth, /) -> None:
        """It was retired, and is done with what it still did."""

    def lost(self, mouth: Mouth, reason: str, busy: bool, /) -> None:
        """It failed, and whether anybody was speaking on it."""


class Mouth:
    """One line and its contexts. It has a line from `dial` until it is closed, is done, or fails."""

    def __init__(self, contexts: Contexts, loop: Loop, owner: Owner) -> None:
        self._contexts = contexts
        self._loop = loop
        self._owner = owner
        self._line: Line | None = None
        self._timer: Timer | None = None
        self._retired = False
        self._unsent: list[VoiceSpent] | None = []
        """What is spent once the line stands; None from then on."""

    @property
    def connection(self) -> Connection:
        """The room's number for it."""
        return self._contexts.connection

    def dial(self, dial: Dial, target: Target) -> None:
        """Begin to exist."""
        self._line = dial(target, self, decode)

    def speak(self, job: Job) -> None:
        """Have a unit spoken."""
        self._carry_out(self._contexts.speak(job))

    def forget(self, utterance: UtteranceId) -> None:
        """Stop speaking it."""
        self._carry_out(self._contexts.forget(utterance, self._loop.now()))

    def hand_over(self) -> tuple[Job, ...]:
        """Give away what waits for a place here."""
        return self._contexts.hand_over()

    def retire(self) -> None:
        """Close it as soon as nobody speaks on it."""
        self._retired = True
        self._settle()

    def close(self) -> None:
        """Hang up."""
        self._hang_up(FAREWELL)

    # --- actors.net.line.Listener

    def opened(self) -> None:
        """What was sent meanwhile is on its way."""
        spent, self._unsent = self._unsent, None
        for event in spent or ():
            self._owner.tell(event)

    def came(self, frame: Frame) -> None:
        """The provider's answer."""
        if isinstance(frame, Refusal):
            self._fail(frame.reason)
        elif frame is not None and self._line is not None:
            self._carry_out(self._contexts.heard(frame, self._loop.now()))

    def ended(self, ended: Ended) -> None:
        """It is over; no news, if it was us."""
        self._fail(ended.reason)

    # --- what follows

    def _carry_out(self, outputs: list[Output]) -> None:
        for output in outputs:
            if isinstance(output, VoiceSpent) and self._unsent is not None:
                self._unsent.append(output)
            elif not isinstance(output, str):
                self._owner.tell(output)
            elif self._line is not None:
                self._line.send(output)
        self._settle()

    def _settle(self) -> None:
        """See what is left to do here."""
        if self._line is None:
            return
        if self._retired and not self._contexts.busy:
            self._hang_up(FAREWELL)
            self._owner.closed(self)
            return
        now = self._loop.now()
        if self._contexts.spent(now):
            self._owner.spent(self)
            return
        self._set_timer(now)

    def _set_timer(self, now: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        moment = self._contexts.next_tick(now)
        self._timer = None if moment is None else self._loop.after(moment - now, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._carry_out(self._contexts.tick(self._loop.now()))

    def _fail(self, reason: str) -> None:
        if self._line is None:
            return
        busy = self._contexts.busy
        self._hang_up(None)
        self._owner.lost(self, reason, busy)

    def _hang_up(self, farewell: str | None) -> None:
        line, self._line = self._line, None
        if self._timer is not None:
            self._timer.cancel()
        if line is not None:
            line.close(farewell)
