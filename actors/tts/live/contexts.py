"""Who speaks on a line, and who still takes up a place there although nobody listens any more."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

from actors.tts.live.context import Context, Job
from actors.tts.live.dialects import Dialect
from actors.tts.live.timing import Sound
from actors.tts.live.wire import Heard
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, UnitSpoken, VoiceSpent
from messages.usage import Spending

MOST: Final = 4
"""The provider allows five, and hangs up on the sixth."""
MOST_WAITING: Final = 8
LEFTOVER_SECONDS: Final = 2.0
"""Places that are taken by nothing but contexts closed so long ago are not waited for."""
DRAIN_SECONDS: Final = 30.0
"""A context that has not ended so long after it was closed never will."""

Output: TypeAlias = str | SoundMade | UnitSpoken | SynthesisFailed | VoiceSpent
"""A frame to send, or an event to tell."""


class Contexts:
    """The contexts of one line, and all of the provider's rules about them.

    A context has one of the `names`, which no other ever had; it is opened once, and in no frame before that
    or after its close. Each unit is said and flushed. With the last one it is closed, at once where what was
    flushed is spoken all the same, else after the answer. It takes a place until the provider ends it.

    Speaking, forgetting, hearing and a tick return what is to be done, in order; `now` is in seconds.
    """

    def __init__(self, connection: Connection, dialect: Dialect, names: Iterator[str]) -> None:
        self.connection = connection
        self._dialect = dialect
        self._names = names
        self._live: dict[str, Context] = {}
        self._waiting: deque[Job] = deque()

    @property
    def busy(self) -> bool:
        """Whether a unit is being spoken or waits for a place."""
        return bool(self._waiting) or any(context.unit is not None for context in self._live.values())

    def speak(self, job: Job) -> list[Output]:
        """Speak a unit, in the context of its utterance; if there is none, once there is place for one."""
        for context in self._live.values():
            if context.utterance == job.utterance and not context.closed:
                return self._say(context, job)
        if len(self._live) < MOST:
            return self._begin(job)
        if len(self._waiting) == MOST_WAITING:
            return [
                SynthesisFailed(connection=self.connection, utterance=job.utterance, reason="too_many_voices")
            ]
        self._waiting.append(job)
        return []

    def forget(self, utterance: UtteranceId, now: float) -> list[Output]:
        """Close what is open of it; what comes of it from now on is dropped."""
        self._waiting = deque(job for job in self._waiting if job.utterance != utterance)
        outputs: list[Output] = []
        for context in self._live.values():
            if context.utterance == utterance:
                if not context.closed:
                    outputs.append(self._dialect.closing(context.name))
                context.leave(now)
        return outputs

    def heard(self, news: Heard, now: float) -> list[Output]:
        """News from the provider; that of a context nobody listens to is only of its end."""
        context = self._live.get(news.context)
        if context is None:
            return []
        outputs = self._told(context, context.hear(news.pcm, news.letters, now))
        flushed = news.turn_over and context.acknowledged()
        if news.over:
            del self._live[news.context]
        if news.over or flushed or context.told_all:
            outputs += self._spoken(context, now)
        while self._waiting and len(self._live) < MOST:
            outputs += self._begin(self._waiting.popleft())
        return outputs

    def tick(self, now: float) -> list[Output]:
        """Time has passed."""
        outputs: list[Output] = []
        for context in self._live.values():
            if context.silent_at is not None and context.silent_at <= now:
                outputs += self._spoken(context, now)
        return outputs

    def next_tick(self, now: float) -> float | None:
        """When time alone will change something."""
        moments = [context.silent_at for context in self._live.values() if context.silent_at is not None]
        for left in self._left():
            moments += (left + LEFTOVER_SECONDS, left + DRAIN_SECONDS)
        return min((moment for moment in moments if moment > now), default=None)

    def spent(self, now: float) -> bool:
        """Whether the line is of no more use: nobody speaks on it, and nothing gives its place free."""
        if any(context.unit is not None for context in self._live.values()):
            return False
        left = self._left()
        if any(moment + DRAIN_SECONDS <= now for moment in left):
            return True
        full = bool(self._waiting) and len(left) == MOST
        return full and all(moment + LEFTOVER_SECONDS <= now for moment in left)

    def hand_over(self) -> tuple[Job, ...]:
        """Those who wait for a place, and will wait elsewhere."""
        jobs = tuple(self._waiting)
        self._waiting.clear()
        return jobs

    def _left(self) -> list[float]:
        return [context.left_at for context in self._live.values() if context.left_at is not None]

    def _begin(self, job: Job) -> list[Output]:
        context = Context(next(self._names), job.utterance)
        self._live[context.name] = context
        return [self._dialect.opening(context.name), *self._say(context, job, self._dialect.padding)]

    def _say(self, context: Context, job: Job, padding: int = 0) -> list[Output]:
        said = padding + len(job.text) + 1  # with the space that has to end it
        spent = Spending(provider="elevenlabs", model=self._dialect.model, characters=said)
        outputs: list[Output] = list(self._dialect.saying(context.name, job.text))
        outputs.append(VoiceSpent(connection=self.connection, utterance=job.utterance, spent=spent))
        closes = job.last and not self._dialect.acknowledges
        if closes:
            outputs.append(self._dialect.closing(context.name))
        late = context.begin(job, closes=closes, patient=self._dialect.acknowledges)
        return [*outputs, *self._told(context, late)]

    def _told(self, context: Context, sounds: list[Sound]) -> list[Output]:
        if context.unit is None or context.utterance is None:
            return []
        return [
            SoundMade(
                connection=self.connection,
                utterance=context.utterance,
                unit=context.unit.number,
                pcm=sound.pcm,
                text=sound.text,
            )
            for sound in sounds
        ]

    def _spoken(self, context: Context, now: float) -> list[Output]:
        if context.unit is None or context.utterance is None:
            return []
        unit = context.unit.number
        spoken = UnitSpoken(connection=self.connection, utterance=context.utterance, unit=unit)
        context.finish(now)
        return [spoken]
