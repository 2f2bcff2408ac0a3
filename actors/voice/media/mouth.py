"""Every frame of his is ready one slot early, locked in the slot itself, and held while there is no key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from actors.audio.pcm import FRAME_SECONDS
from actors.voice.media.group import SILENCE
from actors.voice.pacing import Speaker
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from messages.voice import SoundEvent

NOBODY_THERE: Final = "nobody_there"
"""The obstacle that is not waited for: nobody is in the call, and what is said now nobody will ever hear."""
LONG_AGO: Final = float("-inf")


class Encoder(Protocol):
    """PCM to Opus."""

    def encode(self, pcm: bytes) -> bytes:
        """One packet from one frame."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


class Outlet(Protocol):
    """The line on which his sound leaves."""

    def obstacle(self) -> str | None:
        """Why no sound can be sent now, a bounded code; None if it can."""
        ...

    def send(self, frame: bytes, slots: int) -> bool:
        """Lock and send one Opus frame, `slots` slots after the last try; false if it did not leave."""
        ...

    def speaking(self, on: bool) -> None:
        """Say that sound begins, or that it is over."""
        ...


class Mouth:
    """One connection's speech. All methods belong to one thread; `due` is when `turn` wants to be called."""

    def __init__(
        self,
        connection: Connection,
        settings: VoiceSettings,
        encoder: Encoder,
        outlet: Callable[[], Outlet | None],
        tell: Callable[[SoundEvent], None],
    ) -> None:
        """`outlet` names the line to speak on at this moment, None while none is up."""
        self._connection, self._settings = connection, settings
        self._speaker = Speaker(connection, settings)
        self._encoder = encoder
        self._outlet = outlet
        self._tell = tell
        self._ahead: tuple[bytes, bytes] | None = None
        self._spoke_on: Outlet | None = None
        self._last_slot = LONG_AGO
        self._held_since: float | None = None
        self.sent = 0
        """Frames of speech that left."""
        self.lost = 0
        """Frames that could not be sent although nothing stood in their way."""

    @property
    def due(self) -> float | None:
        """The monotonic second of the next slot; None while there is nothing to say."""
        return self._speaker.due

    @property
    def paces(self) -> bool:
        """Whether packets leave at the moment, so that other work should choose its time."""
        return self._speaker.due is not None and self._held_since is None

    @property
    def waiting(self) -> int:
        """Frames that could be sent now, and are not yet."""
        return 0 if self._held_since is not None else self._speaker.waiting

    @property
    def missed(self) -> tuple[int, int]:
        """Slots that were skipped because they were late, and frames that were too many to keep."""
        return self._speaker.skipped, self._speaker.overflowed

    def play(self, utterance: UtteranceId, pcm: bytes, now: float) -> None:
        """Queue sound."""
        self._say(self._speaker.play(utterance, pcm, now))

    def end(self, utterance: UtteranceId, now: float) -> None:
        """Let it drain."""
        self._say(self._speaker.end(utterance, now))

    def cut(self, utterance: UtteranceId, now: float) -> None:
        """Be silent; nothing of it leaves after the news of it."""
        self._say(self._speaker.cut(utterance, now))

    def gain(self, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        """Get quieter or louder, from the next frame on that is not ready yet."""
        self._say(self._speaker.gain(utterance, decibels, seconds))

    def hold(self, utterance: UtteranceId, held: bool, now: float) -> None:
        """Pause, or go on at the very same sample."""
        self._say(self._speaker.hold(utterance, held, now))

    def turn(self, now: float) -> bool:
        """Send what is due; whether a packet left."""
        pcm = self._speaker.take(now)
        due = self._speaker.due
        if pcm is None or due is None:
            return False
        outlet = self._outlet()
        if self._speaker.silent:
            self._held_since = None
            went = outlet is not None and self._send(outlet, SILENCE, due)
        else:
            obstacle = "link_down" if outlet is None else outlet.obstacle()
            if outlet is None or obstacle is not None:
                self._wait(obstacle or "link_down", now)
                return False
            self._held_since = None
            went = self._send(outlet, self._encoded(pcm), due)
            if not went:
                self.lost += 1
                self._speaker.postpone()
                return False
            self.sent += 1
        self._say(self._speaker.sent(now))
        if self._speaker.due is None:
            self._fall_silent()
        return went

    def prepare(self) -> None:
        """Encode the frame of the next slot now, while there is time."""
        pcm = self._speaker.coming()
        if pcm is not None:
            self._ahead = (pcm, self._encoded(pcm))

    def close(self) -> None:
        """Free the encoder; nothing is sent any more."""
        self._fall_silent()
        self._speaker = Speaker(self._connection, self._settings)
        self._encoder.close()

    def _encoded(self, pcm: bytes) -> bytes:
        ahead = self._ahead
        return ahead[1] if ahead is not None and ahead[0] is pcm else self._encoder.encode(pcm)

    def _send(self, outlet: Outlet, frame: bytes, due: float) -> bool:
        if self._spoke_on is not outlet:
            self._spoke_on = outlet
            outlet.speaking(True)
        slots = 1 if self._last_slot == LONG_AGO else max(1, round((due - self._last_slot) / FRAME_SECONDS))
        self._last_slot = due
        return outlet.send(frame, slots)

    def _wait(self, obstacle: str, now: float) -> None:
        """Hold the frame for the next slot, if somebody will hear it before the room has moved on."""
        if self._held_since is None:
            self._held_since = now
        if obstacle != NOBODY_THERE and now - self._held_since < self._settings.dave_seconds:
            self._speaker.postpone()
            return
        self._held_since = None
        self._say(self._speaker.fail(obstacle))

    def _fall_silent(self) -> None:
        self._held_since = None
        if self._spoke_on is not None:
            self._spoke_on.speaking(False)
            self._spoke_on = None

    def _say(self, news: tuple[SoundEvent, ...]) -> None:
        for event in news:
            self._tell(event)
