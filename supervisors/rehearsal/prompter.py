"""The prompter sits with the text: whose step is due, which cue has come, whether the play is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from messages.evidence import Handoff, Joined, Left, ModelResponse, Receipt, TextIngress, TextReply
from messages.ids import HandoffId, MessageId
from supervisors.rehearsal.kinds import fits
from supervisors.rehearsal.scenario import Step

QUIET_SECONDS: Final = 3.0
"""So long after the last thing that happened a scenario without `end` is over."""
FAREWELL_SECONDS: Final = 0.5
"""So long after he has left: what is still on its way may arrive."""
FORGOTTEN_TURN_SECONDS: Final = 10.0
"""A turn that nobody answered in this time died with the conversation."""


class Prompter:
    """Knows the steps of one scenario; seconds are those of the rehearsal. Told the time, never asking."""

    def __init__(self, steps: Sequence[Step], *, apart: bool = False) -> None:
        self._steps = steps
        self._due = {i: step.at + step.delay for i, step in enumerate(steps) if step.at is not None}
        self._seen = {i: 0 for i, step in enumerate(steps) if step.after is not None}
        self._active = 0.0
        self._turn_since: float | None = None
        self._asked: set[HandoffId | MessageId] = set()
        """What the captain still owes an answer to."""
        self._apart = apart
        self._left_at: float | None = None
        self.here = False
        """Whether his coming is on record, and no leaving since."""

    def raise_curtain(self, now: float) -> None:
        """Steps `at` a second count from here; before it, none of them is due."""
        self._due = {index: due + now for index, due in self._due.items()}

    @property
    def waiting(self) -> tuple[int, ...]:
        """The steps whose cue has not come."""
        return tuple(self._seen)

    def saw(self, receipt: Receipt, now: float) -> None:
        """A receipt: perhaps somebody's cue, certainly a sign of life."""
        self.happened(now)
        for index in tuple(self._seen):
            step = self._steps[index]
            if step.after is None or not fits(receipt, step.after.receipt, step.after.where):
                continue
            self._seen[index] += 1
            if self._seen[index] == (step.after.nth or 1):
                del self._seen[index]
                self._due[index] = now + step.delay
        match receipt:
            case ModelResponse(phase=phase):
                self._turn_since = now if phase == "requested" else None
            case Handoff(phase="began", handoff_id=handoff):
                self._asked.add(handoff)
            case Handoff(handoff_id=handoff):
                self._asked.discard(handoff)
            case TextIngress(outcome="admitted", message_id=message):
                self._asked.add(message)
            case TextReply(message_id=message):
                self._asked.discard(message)
            case Joined():
                self.here, self._left_at = True, None
            case Left():
                self.here, self._left_at = False, now
            case _:
                pass

    def happened(self, now: float) -> None:
        """Something went on at this second: a word, a step, a packet of his."""
        self._active = max(self._active, now)

    def asked(self, handoff: HandoffId) -> None:
        """The operator asks."""
        self._asked.add(handoff)

    def answered(self, handoff: HandoffId, now: float) -> None:
        """The operator has his answer, or will get none."""
        self.happened(now)
        self._asked.discard(handoff)

    def take_due(self, now: float) -> tuple[int, ...]:
        """The steps to do now, in order of their time; each is given once."""
        ready = sorted((due, index) for index, due in self._due.items() if due <= now)
        for _, index in ready:
            del self._due[index]
        return tuple(index for _, index in ready)

    def has_left(self, now: float) -> bool:
        """Whether he has left, unless he comes and goes in this play, and everybody had time to say so."""
        if self._left_at is None or self._apart:
            return False
        patience = FORGOTTEN_TURN_SECONDS if self._asked else FAREWELL_SECONDS
        return now >= self._left_at + patience

    def is_over(self, now: float) -> bool:
        """Whether every step is done and nothing has gone on, or is about to, for a while."""
        if self._due or self._seen or self._asked:
            return False
        return self._turn_over(now) and now >= self._active + QUIET_SECONDS

    def next_look(self, now: float) -> float:
        """The second at which to look again if nothing is heard until then."""
        looks = [self._active + QUIET_SECONDS, now + QUIET_SECONDS, *self._due.values()]
        if self._left_at is not None:
            looks.append(self._left_at + FAREWELL_SECONDS)
        return min((look for look in looks if look > now), default=now + QUIET_SECONDS)

    def _turn_over(self, now: float) -> bool:
        return self._turn_since is None or now >= self._turn_since + FORGOTTEN_TURN_SECONDS
