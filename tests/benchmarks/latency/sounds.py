"""What people say here, ready to be sent, and what the loopback ear understands of it by how it sounds."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import FRAME_BYTES, SILENCE, frames, read_wav
from tests.speech.clips import FOLDER

QUESTION, STORY, STOP, CHATTER = "Clankie, what now?", "Clankie, a story!", "Stop.", "and so it went on"
"""What is understood: of what is said loudly, of that if it is long, of what is said low, and of the rest."""
LOUD, LOW, SOFT = 24_000, 8_000, 2_600
"""The peaks of those three."""
LOUDER_THAN_LOW, LOUDER_THAN_SOFT = 14_000, 4_600
SHORT_FRAMES, LONG_FRAMES, STOP_FRAMES = 18, 36, 18
MANY_FRAMES: Final = 28
"""A loud sound of more frames is a long one."""
_CLIP: Final = FOLDER / "human" / "ps_numbers.wav"
_EVEN_FRAMES: Final = 5
"""Over so many frames the loudness is made even, so that every sound of one kind is like the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sounds:
    """Opus packets of 20 ms each."""

    question: tuple[bytes, ...]
    story: tuple[bytes, ...]
    stop: tuple[bytes, ...]
    chatter: tuple[bytes, ...]
    silence: bytes


def recorded() -> Sounds:
    """Real speech, each at its own loudness."""
    speech = _voiced(read_wav(_CLIP))
    return Sounds(
        question=_packets(speech[:SHORT_FRAMES], LOUD),
        story=_packets(speech[:LONG_FRAMES], LOUD),
        stop=_packets(speech[:STOP_FRAMES], LOW),
        chatter=_packets(speech, SOFT),
        silence=_packets([SILENCE] * 3, 0)[-1],
    )


def understood(pcm: bytes) -> str:
    """What the ear makes of a whole sound; nothing where there is none."""
    peaks = peaks_of(pcm)
    highest = max(peaks, default=0)
    if highest >= LOUDER_THAN_LOW:
        loud = sum(peak >= LOUDER_THAN_SOFT for peak in peaks)
        return STORY if loud > MANY_FRAMES else QUESTION
    if highest >= LOUDER_THAN_SOFT:
        return STOP
    return CHATTER if highest > LOUDER_THAN_SOFT // 8 else ""


def begun(peaks: Sequence[int]) -> str:
    """What the ear makes of a sound that grows: of a loud one also how many frames it has by now."""
    highest = max(peaks, default=0)
    if highest < LOUDER_THAN_SOFT:
        return ""
    if highest < LOUDER_THAN_LOW:
        return STOP
    first = next(place for place, peak in enumerate(peaks) if peak >= LOUDER_THAN_SOFT)
    return f"Clankie, {len(peaks) - first}"


def peaks_of(pcm: bytes) -> list[int]:
    """The highest sample of each whole frame."""
    whole = len(pcm) - len(pcm) % FRAME_BYTES
    return [_peak(pcm[at : at + FRAME_BYTES]) for at in range(0, whole, FRAME_BYTES)]


def _peak(pcm: bytes) -> int:
    samples = array("h", pcm)
    return max(max(samples), -min(samples))  # noqa: PLW3301 - all samples as arguments would cost more


def _voiced(pcm: bytes) -> list[bytes]:
    """The frames in which somebody speaks, one behind the other."""
    return [frame for frame in frames(pcm) if len(frame) == FRAME_BYTES and _peak(frame) > 2_000]


def _packets(speech: Sequence[bytes], peak: int) -> tuple[bytes, ...]:
    encoder = OpusEncoder()
    try:
        return tuple(encoder.encode(frame) for frame in _even(speech, peak))
    finally:
        encoder.close()


def _even(speech: Sequence[bytes], peak: int) -> list[bytes]:
    made: list[bytes] = []
    for at, frame in enumerate(speech):
        near = speech[max(0, at - _EVEN_FRAMES) : at + _EVEN_FRAMES + 1]
        highest = max(1, *map(_peak, near))
        made.append(array("h", (sample * peak // highest for sample in array("h", frame))).tobytes())
    return made
