"""Who may be heard and what came of whose packets: a media process may die with its own books."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from actors.voice.media import mail
from actors.voice.media.people import MOST
from messages.audio import Frame, SoundSink
from messages.ids import CaptureId, PersonId, UtteranceId
from messages.voice import MicrophoneCount

MOST_UTTERANCES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class _Microphone:
    person: PersonId
    capture: CaptureId
    sink: SoundSink


class Microphones:
    """Whose frames go into which sink; a frame of anybody else goes nowhere."""

    def __init__(self) -> None:
        self._open: dict[int, _Microphone] = {}

    def set(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> mail.Microphone | None:
        """Open or close one; the order for the media process, None for somebody who is no user."""
        if not person.isdecimal():
            return None
        user = int(person)
        if sink is None:
            self._open.pop(user, None)
        else:
            self._open[user] = _Microphone(person=person, capture=capture, sink=sink)
        return mail.Microphone(user=user, open=sink is not None)

    def orders(self) -> tuple[mail.Microphone, ...]:
        """What a new media process has to be told."""
        return tuple(mail.Microphone(user=user, open=True) for user in self._open)

    def clear(self) -> tuple[mail.Microphone, ...]:
        """Close every one; the orders for it."""
        closed = tuple(mail.Microphone(user=user, open=False) for user in self._open)
        self._open = {}
        return closed

    def put(self, heard: mail.Heard) -> None:
        """Pass a frame on to whom it was heard for."""
        microphone = self._open.get(heard.user)
        if microphone is not None:
            microphone.sink.put(
                Frame(person=microphone.person, capture=microphone.capture, pcm=heard.pcm, at=heard.at)
            )


class Counts:
    """What everybody's packets came to, over all media processes."""

    def __init__(self) -> None:
        self._past: dict[int, tuple[int, int]] = {}
        self._present: dict[int, tuple[int, int]] = {}

    def take(self, tally: mail.Tally) -> None:
        """The present process has come so far; of more people than there can be nothing is counted."""
        if len(self._present) < MOST or tally.user in self._present:
            self._present[tally.user] = (tally.decoded, tally.unread)

    def bury(self) -> None:
        """The present process is gone; the next one counts from nothing."""
        self._past, self._present = self._sums(), {}

    def told(self) -> tuple[MicrophoneCount, ...]:
        """The sums."""
        return tuple(
            MicrophoneCount(person=PersonId(str(user)), decoded=decoded, unread=unread)
            for user, (decoded, unread) in self._sums().items()
        )

    def _sums(self) -> dict[int, tuple[int, int]]:
        sums = dict(self._past)
        for user, (decoded, unread) in self._present.items():
            before = sums.get(user, (0, 0))
            sums[user] = before[0] + decoded, before[1] + unread
        return sums


class Utterances:
    """Utterances have numbers on the pipe; the last MOST_UTTERANCES are known by theirs."""

    def __init__(self) -> None:
        self._known: deque[tuple[int, UtteranceId]] = deque(maxlen=MOST_UTTERANCES)
        self._last = 0

    def number(self, utterance: UtteranceId) -> int:
        """Its number, a new one if it has none yet."""
        for number, known in reversed(self._known):
            if known == utterance:
                return number
        self._last += 1
        self._known.append((self._last, utterance))
        return self._last

    def name(self, number: int) -> UtteranceId | None:
        """The utterance with this number."""
        return next((known for one, known in reversed(self._known) if one == number), None)
