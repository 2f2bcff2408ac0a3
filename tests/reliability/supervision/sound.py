"""A voice whose pitch says which sentence it is, ears that take any voice for words, and what is heard."""

from __future__ import annotations

import math
import re
import threading
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from actors.audio.opus import OpusDecoder
from actors.audio.pcm import RATE
from actors.audio.voice import LocalVoice
from actors.capture.decisions import Ask
from messages.capture import CapturePortEvent, TranscriptReady
from messages.ids import Connection, SegmentId
from supervisors.speech import LocalSpeech
from tests.loopback.discord.participant import Heard

SENTENCE_SECONDS: Final = 0.3
TONES: Final = 28
"""So many sentences have pitches of their own, and then they come round again."""
SAID: Final = "Clankie, are you there?"
"""What the ears write down, whatever is said."""
LOUD: Final = 500
LOWEST_HERTZ: Final = 300
STEP_HERTZ: Final = 100
"""Two bins of one packet's spectrum."""
PAUSE_SECONDS: Final = 0.1
"""Five packets that do not come are heard as a pause."""


@cache
def tone(number: int) -> bytes:
    """House sound: the sentence of this number."""
    hertz = LOWEST_HERTZ + STEP_HERTZ * (number % TONES)
    wave = (round(9_000 * math.sin(math.tau * hertz * i / RATE)) for i in range(int(RATE * SENTENCE_SECONDS)))
    return array("h", wave).tobytes()


class Tones(LocalVoice):
    """Hums one tone for each number in the text."""

    def __init__(self) -> None:
        """Nothing is loaded."""

    def stream(self, text: str, pitch: float = 1.0) -> Iterator[bytes]:
        """House PCM."""
        for number in re.findall(r"\d+", text):
            yield tone(int(number))


class ToneSpeech(LocalSpeech):
    """A voice of tones."""

    def voice(self) -> LocalVoice:
        """Tones."""
        return Tones()


class LoudIsVoice:
    """Voice activity that cannot be wrong in a room where everybody hums or is silent."""

    def __init__(self) -> None:
        self._left = b""

    def open(self) -> None:
        """Nothing is needed."""

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """One probability for each 32 ms."""
        window, sound = 2 * (RATE * 32 // 1000), self._left + pcm
        whole = len(sound) // window * window
        self._left = sound[whole:]
        return tuple(_loud(sound[at : at + window]) for at in range(0, whole, window))

    def close(self) -> None:
        """Nothing is held."""


def _loud(pcm: bytes) -> float:
    return 1.0 if max(array("h", pcm), default=0) > LOUD else 0.0


class WritesTheSame:
    """A transcriber to whom everybody says SAID; it answers at once."""

    def __init__(self) -> None:
        self._events: Callable[[CapturePortEvent], None] | None = None
        self._segments: dict[SegmentId, Connection] = {}

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        """Report there."""
        self._events = events

    def connect(self, connection: Connection) -> None:
        """At once."""

    def disconnect(self, connection: Connection) -> None:
        """At once."""

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        """Somebody speaks."""
        self._segments[segment] = connection

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """It does not matter what."""

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Answer."""
        connection = self._segments[segment]
        if ask is Ask.FINAL:
            del self._segments[segment]
        if self._events is not None:
            final = ask is Ask.FINAL
            self._events(
                TranscriptReady(
                    connection=connection, segment=segment, text=SAID, final=final, speechless=False
                )
            )

    def drop(self, segment: SegmentId) -> None:
        """Forget it."""
        self._segments.pop(segment, None)

    def close(self) -> None:
        """Report nothing any more."""
        self._events = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence as somebody heard it: its number modulo TONES, and when its first and last packet came."""

    number: int
    began: float
    ended: float
    packets: int


class Listener:
    """What one person hears of him; the voice server's thread tells it, any thread may ask."""

    def __init__(self, user: Callable[[], int]) -> None:
        self._user = user
        self._packets: list[Heard] = []
        self._changed = threading.Condition()

    def hear(self, packet: Heard) -> None:
        """One more packet of somebody."""
        if packet.user == self._user() and not packet.silent:
            with self._changed:
                self._packets.append(packet)
                self._changed.notify_all()

    def wait(self, after: float, seconds: float, packets: int = 3) -> float | None:
        """When the first of so many packets after a moment came; None if they do not come."""

        def came() -> list[float]:
            times = [one.at for one in reversed(self._packets[-200:]) if one.at > after]
            return times if len(times) >= packets else []

        with self._changed:
            times = self._changed.wait_for(came, seconds)
        return times[-1] if times else None

    def wait_for(self, number: int, after: float, seconds: float) -> float | None:
        """When the first packet of this sentence came after a moment; None if it does not come."""
        found: list[float] = []

        def came() -> bool:
            found[:] = [one.began for one in self._sentences(after) if one.number == number % TONES]
            return bool(found)

        with self._changed:
            self._changed.wait_for(came, seconds)
        return found[0] if found else None

    def sentences(self, after: float) -> tuple[Sentence, ...]:
        """Every sentence since a moment, in the order in which it came."""
        with self._changed:
            return self._sentences(after)

    def longest_pause(self, after: float, until: float) -> float:
        """Seconds without a packet of him between the first and the last of a time."""
        with self._changed:
            times = [one.at for one in self._packets if after <= one.at <= until]
        return max((later - earlier for earlier, later in pairwise(times)), default=0.0)

    def forget(self) -> None:
        """What was heard so far is of no interest."""
        with self._changed:
            self._packets.clear()

    def _sentences(self, after: float) -> tuple[Sentence, ...]:
        found: list[Sentence] = []
        for packet, number in zip(self._packets, _numbers(self._packets), strict=True):
            if packet.at < after or number is None:
                continue
            last = found[-1] if found else None
            if last is not None and last.number == number and packet.at - last.ended < PAUSE_SECONDS:
                found[-1] = Sentence(
                    number=number, began=last.began, ended=packet.at, packets=last.packets + 1
                )
            else:
                found.append(Sentence(number=number, began=packet.at, ended=packet.at, packets=1))
        # One packet alone is where two tones meet.
        return tuple(one for one in found if one.ended > one.began)


def _numbers(packets: list[Heard]) -> Iterator[int | None]:
    """Which sentence each packet is of; None for one that is of two."""
    decoder, stream = OpusDecoder(), 0
    try:
        for packet in packets:
            if packet.ssrc != stream:
                decoder.close()
                decoder, stream = OpusDecoder(), packet.ssrc
            yield _number(decoder.decode(packet.opus))
    finally:
        decoder.close()


def _number(pcm: bytes) -> int | None:
    import numpy as np

    sound = np.frombuffer(pcm, dtype="<i2").astype(float)
    if not sound.any():
        return None
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    hertz = float(np.argmax(spectrum)) * RATE / len(sound)
    number = round((hertz - LOWEST_HERTZ) / STEP_HERTZ)
    return number if 0 <= number < TONES else None
