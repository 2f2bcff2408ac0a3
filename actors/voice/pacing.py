"""Every 20 ms one frame is due, at a time fixed in advance; whoever is late goes on in time, never faster."""

from __future__ import annotations

from actors.audio.pcm import FRAME_BYTES, FRAME_SECONDS, SILENCE, peak_dbfs
from actors.voice.settings import VoiceSettings
from actors.voice.track import Track
from messages.ids import Connection, UtteranceId
from messages.voice import (
    SoundCut,
    SoundDrained,
    SoundEvent,
    SoundFailed,
    SoundSent,
    SoundStarted,
    SoundUnderrun,
)

REPORT_EVERY = 5
"""Frames between two SoundSent."""


class Speaker:
    """What to send when, on one connection; touches neither clock nor wire.

    Whoever owns the wire asks `take` once `due` (a monotonic second, None while there is nothing to say) has
    come, sends what it gets, and says `sent`, or `postpone`. Who wants to prepare the next frame earlier asks
    `coming`. All else may be said in between, by the same thread. Most methods return the news for playback.
    """

    def __init__(self, connection: Connection, settings: VoiceSettings) -> None:
        self._connection = connection
        self._settings = settings
        self._most_frames = round(settings.queue_seconds / FRAME_SECONDS)
        self._most_starving = round(settings.starved_seconds / FRAME_SECONDS)
        self._track: Track | None = None
        self._silence_left = 0
        self._silent_slot = True
        self._audible = False
        self.due: float | None = None
        self.skipped = 0
        """Slots that were missed because of a stall."""
        self.overflowed = 0
        """Frames that were dropped because more was given than may wait."""

    def play(self, utterance: UtteranceId, pcm: bytes, now: float) -> tuple[SoundEvent, ...]:
        """Queue sound. A new utterance ends an unfinished one, whose giver must have died."""
        news: tuple[SoundEvent, ...] = ()
        track = self._track
        if track is None or track.utterance != utterance:
            news = () if track is None else self.cut(track.utterance, now)
            track = self._track = Track(utterance=utterance)
        track.loose += pcm
        whole = len(track.loose) - len(track.loose) % FRAME_BYTES
        for at in range(0, whole, FRAME_BYTES):
            if len(track.frames) < self._most_frames:
                track.frames.append(track.loose[at : at + FRAME_BYTES])
            else:
                self.overflowed += 1
        track.loose = track.loose[whole:]
        if track.ready():
            self._begin(now)
        return news

    def end(self, utterance: UtteranceId, now: float) -> tuple[SoundEvent, ...]:
        """No more sound is coming."""
        track = self._of(utterance)
        if track is not None and not track.ended:
            track.ended = True
            if track.loose:
                track.frames.append(track.loose.ljust(FRAME_BYTES, b"\0"))
                track.loose = b""
            self._silence_left = self._settings.trailing_silence_frames
            self._begin(now)
        return ()

    def cut(self, utterance: UtteranceId, now: float) -> tuple[SoundEvent, ...]:
        """Silence it: nothing of it is sent any more, only the trailing silence."""
        track = self._of(utterance)
        if track is None:
            return ()
        # The frame that was sent last sounds until the next one would be due.
        silent_at = now if self.due is None or self._silent_slot else max(now, self.due)
        self._drop()
        return (
            SoundCut(
                connection=self._connection,
                utterance=utterance,
                frames=track.sent,
                dropped=track.waiting(),
                at=silent_at,
            ),
        )

    def gain(self, utterance: UtteranceId, decibels: float, seconds: float) -> tuple[SoundEvent, ...]:
        """Ramp the loudness, beginning with the next frame."""
        if track := self._of(utterance):
            track.gain.aim(decibels, seconds)
        return ()

    def hold(self, utterance: UtteranceId, held: bool, now: float) -> tuple[SoundEvent, ...]:
        """Stop, or go on at the same sample."""
        track = self._of(utterance)
        if track is None or track.held == held:
            return ()
        track.held = held
        if held or track.ended:
            self._silence_left = self._settings.trailing_silence_frames
        if not held:
            self._begin(now)
        return ()

    def take(self, now: float) -> bytes | None:
        """The frame for the slot that is due; None when it is not time yet."""
        if self.due is None or now < self.due:
            return None
        missed = int((now - self.due) / FRAME_SECONDS)
        self.skipped += missed
        self.due += missed * FRAME_SECONDS
        track = self._track
        pcm = None if track is None or track.held else track.coming()
        self._silent_slot = pcm is None
        if track is None or pcm is None:
            return SILENCE
        self._audible = not track.started and peak_dbfs(pcm) > self._settings.audible_dbfs
        return pcm

    def sent(self, at: float) -> tuple[SoundEvent, ...]:
        """The frame last taken is on the wire since `at`."""
        if self.due is None:
            return ()
        self.due += FRAME_SECONDS
        track = self._track
        if track is None or self._silent_slot:
            return self._silence_sent(track)
        track.next = None
        track.sent += 1
        track.starving = 0
        news: list[SoundEvent] = []
        if self._audible:
            track.started, self._audible = True, False
            news.append(SoundStarted(connection=self._connection, utterance=track.utterance, at=at))
        if track.sent % REPORT_EVERY == 0:
            news.append(self._progress(track))
        return (*news, *self._drained(track))

    def postpone(self) -> None:
        """The frame last taken was not sent: it is due again in the next slot, and no slot was missed."""
        if self.due is not None:
            self.due += FRAME_SECONDS

    def coming(self) -> bytes | None:
        """The frame of sound that goes out next, None if silence does; its loudness is settled by this."""
        track = self._track
        return None if track is None or track.held else track.coming()

    @property
    def silent(self) -> bool:
        """Whether what was last taken is a silence of the speaker's own making."""
        return self._silent_slot

    @property
    def waiting(self) -> int:
        """Frames that could be sent now."""
        return 0 if self._track is None or self._track.held else self._track.ready()

    def fail(self, reason: str) -> tuple[SoundEvent, ...]:
        """What is being sent cannot be, for this bounded reason; only the trailing silence is."""
        track = self._track
        if track is None:
            return ()
        self._drop()
        return (
            SoundFailed(
                connection=self._connection,
                utterance=track.utterance,
                frames=track.sent,
                reason=reason,
            ),
        )

    def _silence_sent(self, track: Track | None) -> tuple[SoundEvent, ...]:
        if track is not None and not track.held and not track.ended:
            return self._starved(track)
        self._silence_left = max(0, self._silence_left - 1)
        if track is None or track.held:
            if not self._silence_left:
                self.due = None
            return ()
        return self._drained(track)

    def _drained(self, track: Track) -> tuple[SoundEvent, ...]:
        if track.ready() or not track.ended or self._silence_left:
            return ()
        self._track, self.due = None, None
        return (SoundDrained(connection=self._connection, utterance=track.utterance, frames=track.sent),)

    def _starved(self, track: Track) -> tuple[SoundEvent, ...]:
        track.starving += 1
        if track.starving >= self._most_starving:
            return self.fail("starved")
        if track.starving > 1:
            return ()
        underrun = SoundUnderrun(connection=self._connection, utterance=track.utterance, frames=track.sent)
        return underrun, self._progress(track)

    def _progress(self, track: Track) -> SoundSent:
        return SoundSent(connection=self._connection, utterance=track.utterance, frames=track.sent)

    def _drop(self) -> None:
        self._track = None
        self._silence_left = self._settings.trailing_silence_frames
        if not self._silence_left:
            self.due = None

    def _begin(self, now: float) -> None:
        if self.due is None:
            self.due = now

    def _of(self, utterance: UtteranceId) -> Track | None:
        track = self._track
        return track if track is not None and track.utterance == utterance else None
