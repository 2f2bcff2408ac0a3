"""News of his own sound on its way through the pipe: the same words on both sides, ids made numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.voice.media.mail import Spoken
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


def written(connection: int, utterance: int, event: SoundEvent) -> Spoken:
    """The letter for an event."""
    letter = Spoken(
        connection=connection, utterance=utterance, what="", frames=0, dropped=0, at=0.0, reason=""
    )
    match event:
        case SoundStarted():
            return replace(letter, what="started", at=event.at)
        case SoundSent():
            return replace(letter, what="sent", frames=event.frames)
        case SoundUnderrun():
            return replace(letter, what="underrun", frames=event.frames)
        case SoundDrained():
            return replace(letter, what="drained", frames=event.frames)
        case SoundCut():
            return replace(letter, what="cut", frames=event.frames, dropped=event.dropped, at=event.at)
        case SoundFailed():
            return replace(letter, what="failed", frames=event.frames, reason=event.reason)
        case _:
            assert_never(event)


def read(connection: Connection, utterance: UtteranceId, letter: Spoken) -> SoundEvent | None:
    """The event in a letter, None if it is of no known kind."""
    match letter.what:
        case "started":
            return SoundStarted(connection=connection, utterance=utterance, at=letter.at)
        case "sent":
            return SoundSent(connection=connection, utterance=utterance, frames=letter.frames)
        case "underrun":
            return SoundUnderrun(connection=connection, utterance=utterance, frames=letter.frames)
        case "drained":
            return SoundDrained(connection=connection, utterance=utterance, frames=letter.frames)
        case "cut":
            return SoundCut(
                connection=connection,
                utterance=utterance,
                frames=letter.frames,
                dropped=letter.dropped,
                at=letter.at,
            )
        case "failed":
            return SoundFailed(
                connection=connection, utterance=utterance, frames=letter.frames, reason=letter.reason
            )
        case _:
            return None
