"""Scripted people speak as people do: in real time, all at once if they like, and into an open microphone."""

from __future__ import annotations

import random
import threading
import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import FRAME_SAMPLES, FRAME_SECONDS, SILENCE, frames, read_wav, rms_dbfs
from messages.ids import PersonId
from supervisors.rehearsal.stage import Room, Speech

OPEN_MICROPHONE_SECONDS: Final = 0.7
"""How long a microphone stays open on room tone after the last word, before its owner's client closes it."""
ROOM_TONE: Final = 6
"""Amplitude of that room tone, of 32,767: about -78 dBFS."""
AUDIBLE_DBFS: Final = -50.0
"""What is quieter at the end of a speech is no longer part of it."""
OPUS_SILENCE: Final = b"\xf8\xff\xfe"
CLOSING_PACKETS: Final = 5
"""Silent packets with which a client says that its speaker has stopped."""
PITCHES: Final = (0.8, 1.25, 0.9, 1.15, 0.72, 1.35)
"""How scripted speakers, in the order of the scenario, are told from Clankie, who has 1.0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """One speech ready to be sent: packet and sound of each 20 ms; its last sound is in frame `spoken`."""

    text: str
    packets: tuple[bytes, ...]
    sound: tuple[bytes, ...]
    spoken: int


class Rehearsed:
    """Speeches prepared before the curtain rises; the same words of the same person are made once."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._made: dict[tuple[str, float], Speaking] = {}

    def recording(self, path: Path) -> Speaking:
        """A recording of any rate, or UnreadableSound."""
        key = (str(path), 0.0)
        if key not in self._made:
            self._made[key] = encoded(read_wav(path), path.name)
        return self._made[key]

    def words(self, text: str, speaker: int) -> Speaking:
        """Words in the voice of the scenario's speaker of this number."""
        key = (text, PITCHES[speaker % len(PITCHES)])
        if key not in self._made:
            self._made[key] = encoded(b"".join(self._speech.speak(*key)), text)
        return self._made[key]


def encoded(pcm: bytes, text: str) -> Speaking:
    """House sound, then an open microphone, then the closing packets, through real Opus."""
    spoken = tuple(frames(pcm))
    sound = (*spoken, *_room_tone(round(OPEN_MICROPHONE_SECONDS / FRAME_SECONDS)))
    encoder = OpusEncoder()
    try:
        packets = tuple(encoder.encode(frame) for frame in sound)
    finally:
        encoder.close()
    closing = (OPUS_SILENCE,) * CLOSING_PACKETS
    return Speaking(
        text=text,
        packets=packets + closing,
        sound=sound + (SILENCE,) * CLOSING_PACKETS,
        spoken=1 + max((at for at, frame in enumerate(spoken) if rms_dbfs(frame) > AUDIBLE_DBFS), default=-1),
    )


def _room_tone(count: int) -> Iterable[bytes]:
    chance = random.Random(7)
    for _ in range(count):
        yield array("h", [chance.randint(-ROOM_TONE, ROOM_TONE) for _ in range(FRAME_SAMPLES)]).tobytes()


@dataclass(slots=True, kw_only=True)
class _Turn:
    """What one person is saying: the frame that is due next, and when the first one was."""

    speaking: Speaking
    began: float
    sent: int = 0

    @property
    def due(self) -> float:
        return self.began + self.sent * FRAME_SECONDS


class People:
    """One thread that sends everybody's packets by absolute deadlines; `say` and `hush` from any thread.

    `heard(person, frame, at)` gets the sound of each packet sent; `finished(person, text, began, ended)` is
    told when a speech is over (`ended` is the end of its words), also when it was hushed.
    """

    def __init__(
        self,
        room: Room,
        heard: Callable[[PersonId, bytes, float], None],
        finished: Callable[[PersonId, str, float, float], None],
    ) -> None:
        self._room = room
        self._heard = heard
        self._finished = finished
        self._changed = threading.Condition()
        self._turns: dict[PersonId, list[_Turn]] = {}
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="people", daemon=True)

    def start(self) -> None:
        """Open the microphones."""
        self._thread.start()

    def say(self, person: PersonId, speaking: Speaking) -> None:
        """Begin now, or right after what this person is saying."""
        with self._changed:
            queue = self._turns.setdefault(person, [])
            last = queue[-1] if queue else None
            end = last.began + len(last.speaking.packets) * FRAME_SECONDS if last else 0.0
            queue.append(_Turn(speaking=speaking, began=max(time.monotonic(), end)))
            self._changed.notify()

    def hush(self, person: PersonId) -> None:
        """This person's microphone is gone, in the middle of a word if need be."""
        with self._changed:
            turns = self._turns.pop(person, [])
        if turns:
            self._tell_finished(person, turns[0])

    def close(self, deadline: float) -> bool:
        """Close every microphone within `deadline` seconds; false if the thread was still sending then."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(deadline)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (ready := self._next()) is not None:
            person, turn = ready
            packet, frame = turn.speaking.packets[turn.sent], turn.speaking.sound[turn.sent]
            self._heard(person, frame, turn.due)
            self._room.send(person, packet)
            self._step(person, turn)

    def _next(self) -> tuple[PersonId, _Turn] | None:
        """Wait until somebody's next packet is due; None once closing."""
        with self._changed:
            while not self._closing:
                waiting = [(queue[0].due, person) for person, queue in self._turns.items()]
                wait = None
                if waiting:
                    due, person = min(waiting)
                    if (wait := due - time.monotonic()) <= 0:
                        return person, self._turns[person][0]
                self._changed.wait(wait)
            return None

    def _step(self, person: PersonId, turn: _Turn) -> None:
        with self._changed:
            turn.sent += 1
            if turn.sent < len(turn.speaking.packets):
                return
            queue = self._turns.get(person, [])
            if turn not in queue:
                return
            queue.remove(turn)
            if not queue:
                del self._turns[person]
        self._tell_finished(person, turn)

    def _tell_finished(self, person: PersonId, turn: _Turn) -> None:
        words = min(turn.sent, turn.speaking.spoken) * FRAME_SECONDS
        self._finished(person, turn.speaking.text, turn.began, turn.began + words)
