"""Whoever did not consent is counted, never decoded: his packet is dropped before anything looks inside."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from actors.audio.opus import BadPacket, OpusDecoder
from actors.audio.pcm import frames
from messages.audio import Frame, SoundSink
from messages.ids import CaptureId, PersonId
from messages.voice import MicrophoneCount

MOST_WAITING: Final = 100
"""Packets of one person that wait to be decoded: 2 s."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Microphone:
    """One consent and its packets; another consent of the same person is another microphone."""

    person: PersonId
    capture: CaptureId
    sink: SoundSink
    waiting: deque[tuple[bytes, float]] = field(default_factory=deque)


class Ears:
    """Packets in from any thread, frames out on the thread of `decode_some`, which owns the decoders.

    People take turns, a packet each: whoever sends too many loses his own.
    """

    def __init__(self, make_decoder: Callable[[], OpusDecoder], wake: Callable[[], None]) -> None:
        self._make_decoder = make_decoder
        self._wake = wake
        self._lock = threading.Lock()
        self._open: dict[PersonId, _Microphone] = {}
        self._turns: deque[_Microphone] = deque()
        self._decoders: dict[PersonId, tuple[_Microphone, OpusDecoder]] = {}
        self._decoded: dict[PersonId, int] = {}
        self._unread: dict[PersonId, int] = {}
        self.broken = 0
        """Packets that were no Opus."""
        self.overflowed = 0
        """Packets that fell out because decoding did not keep up."""

    def open(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """From now on decode this person into `sink`, or not at all."""
        with self._lock:
            if sink is None:
                self._open.pop(person, None)
            else:
                self._open[person] = _Microphone(person=person, capture=capture, sink=sink)

    def take(self, person: PersonId, packet: bytes, at: float) -> None:
        """One packet as it arrives, at monotonic second `at`."""
        with self._lock:
            microphone = self._open.get(person)
            if microphone is None:
                _count(self._unread, person)
                return
            if not microphone.waiting:
                self._turns.append(microphone)
            elif len(microphone.waiting) == MOST_WAITING:
                microphone.waiting.popleft()
                _count(self._unread, person)
                self.overflowed += 1
            microphone.waiting.append((packet, at))
        self._wake()

    def decode_some(self, most: int) -> bool:
        """Decode at most `most` packets; true if more are waiting."""
        for _ in range(most):
            with self._lock:
                if not self._turns:
                    return False
                microphone = self._turns.popleft()
                packet, at = microphone.waiting.popleft()
                if microphone.waiting:
                    self._turns.append(microphone)
                allowed = self._open.get(microphone.person) is microphone
                _count(self._decoded if allowed else self._unread, microphone.person)
            if allowed:
                self._decode(microphone, packet, at)
        return bool(self._turns)

    def counts(self) -> tuple[MicrophoneCount, ...]:
        """What everybody's packets have come to so far."""
        with self._lock:
            return tuple(
                MicrophoneCount(
                    person=person,
                    decoded=self._decoded.get(person, 0),
                    unread=self._unread.get(person, 0),
                )
                for person in {**self._decoded, **self._unread}
            )

    def forget_closed(self) -> None:
        """Free the decoders of those who are not decoded any more."""
        with self._lock:
            gone = [person for person in self._decoders if person not in self._open]
        for person in gone:
            self._decoders.pop(person)[1].close()

    def close(self) -> None:
        """Free everything; nobody is decoded any more."""
        with self._lock:
            self._open.clear()
            for microphone in self._turns:
                _count(self._unread, microphone.person, len(microphone.waiting))
            self._turns.clear()
        self.forget_closed()

    def _decode(self, microphone: _Microphone, packet: bytes, at: float) -> None:
        decoder = self._decoder(microphone)
        try:
            pcm = decoder.decode(packet)
        except BadPacket:
            self.broken += 1
            decoder.reset()
            return
        for frame in frames(pcm):
            microphone.sink.put(Frame(person=microphone.person, capture=microphone.capture, pcm=frame, at=at))

    def _decoder(self, microphone: _Microphone) -> OpusDecoder:
        known = self._decoders.get(microphone.person)
        if known is not None and known[0] is microphone:
            return known[1]
        if known is not None:
            known[1].close()
        decoder = self._make_decoder()
        self._decoders[microphone.person] = (microphone, decoder)
        return decoder


def _count(counts: dict[PersonId, int], person: PersonId, packets: int = 1) -> None:
    counts[person] = counts.get(person, 0) + packets
