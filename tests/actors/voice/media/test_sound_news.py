"""News of his sound survive the pipe."""

import pytest

from actors.voice.media.ipc import decode, encode
from actors.voice.media.mail import Spoken
from actors.voice.media.sound_news import read, written
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

C, U = Connection(3), UtteranceId("u")
NEWS: list[SoundEvent] = [
    SoundStarted(connection=C, utterance=U, at=12.5),
    SoundSent(connection=C, utterance=U, frames=5),
    SoundUnderrun(connection=C, utterance=U, frames=6),
    SoundDrained(connection=C, utterance=U, frames=7),
    SoundCut(connection=C, utterance=U, frames=8, dropped=9, at=13.25),
    SoundFailed(connection=C, utterance=U, frames=10, reason="dave_not_ready"),
]


@pytest.mark.parametrize("event", NEWS)
def test_what_is_written_is_read_again(event: SoundEvent) -> None:
    letter = decode(encode(written(3, 44, event)))
    assert isinstance(letter, Spoken)
    assert letter.utterance == 44
    assert read(C, U, letter) == event


def test_news_of_an_unknown_kind_are_no_news() -> None:
    letter = Spoken(connection=3, utterance=1, what="sung", frames=0, dropped=0, at=0.0, reason="")
    assert read(C, U, letter) is None
