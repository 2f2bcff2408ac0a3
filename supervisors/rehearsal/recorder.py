"""Two recordings with one time base: what the room heard, and what it heard of him alone."""

from __future__ import annotations

import importlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.audio.opus import OpusDecoder
from actors.audio.pcm import FRAME_BYTES, FRAME_SECONDS, RATE, frames, rms_dbfs, write_wav
from messages.ids import PersonId
from supervisors.rehearsal.seat import Start

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME_BREATH_SECONDS: Final = 0.06
"""A frame that comes within this time of its predecessor's end follows it without a seam."""
STUTTER_SECONDS: Final = 0.5
"""A busy machine may be silent for so long in the middle of a word."""
LONGEST_CHUNK_SECONDS: Final = 24.0
"""What a transcriber gets at once."""
AUDIBLE_DBFS: Final = -55.0
PAUSE_SECONDS: Final = 1.0
"""A longer silence ends a chunk: transcribers invent words for it, or lose their own."""
AROUND_SECONDS: Final = 0.2
CLANKIE: Final = PersonId("")
"""His own track."""


class _Track:
    """One voice: its frames, each at the sample where it was heard."""

    def __init__(self) -> None:
        self.frames: list[tuple[int, bytes]] = []
        self._end = -RATE

    def add(self, at: float, pcm: bytes) -> None:
        wanted = round(at * RATE)
        if abs(wanted - self._end) <= SAME_BREATH_SECONDS * RATE:
            wanted = self._end
        self.frames.append((max(0, wanted), pcm))
        self._end = wanted + len(pcm) // 2

    def stretches(self, apart: float = 0.0) -> list[tuple[int, bytes]]:
        """Frames that follow each other at most so many seconds apart, joined without a seam."""
        joined: list[tuple[int, list[bytes]]] = []
        end = 0
        for start, pcm in self.frames:
            if joined and 0 <= start - end <= apart * RATE:
                joined[-1][1].append(pcm)
            else:
                joined.append((start, [pcm]))
            end = start + len(pcm) // 2
        return [(start, b"".join(parts)) for start, parts in joined]


class Recorder:
    """Takes sound from any thread; times are monotonic, and `start` says which second is 0."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._tracks: dict[PersonId, _Track] = {}
        self._decoder = OpusDecoder()

    def people(self, person: PersonId, pcm: bytes, at: float) -> None:
        """20 ms of somebody, consented or not."""
        with self._lock:
            self._tracks.setdefault(person, _Track()).add(at - self._start.monotonic, pcm)

    def clankie(self, packet: bytes, at: float) -> None:
        """One of his packets, as it was sent."""
        with self._lock:
            pcm = self._decoder.decode(packet)
            self._tracks.setdefault(CLANKIE, _Track()).add(at - self._start.monotonic, pcm)

    def close(self) -> None:
        """Free the decoder; what was recorded stays."""
        self._decoder.close()

    def write(self, folder: Path, lasted: float = 0.0) -> None:
        """`room.wav` and `clankie.wav`, from second 0 to second `lasted` or the last sound of all."""
        with self._lock:
            tracks = {who: track.stretches() for who, track in self._tracks.items()}
        stretches = [one for track in tracks.values() for one in track]
        length = max((start + len(pcm) // 2 for start, pcm in stretches), default=RATE)
        length = max(length, round(lasted * RATE))
        write_wav(folder / "room.wav", _mixed(stretches, length))
        write_wav(folder / "clankie.wav", _mixed(tracks.get(CLANKIE, []), length))

    def chunks(self) -> tuple[bytes, ...]:
        """His voice without its silences and stutters, none longer than a transcriber takes at once."""
        with self._lock:
            his = self._tracks.get(CLANKIE, _Track())
            stretches = his.stretches(STUTTER_SECONDS)
        return tuple(part for _, pcm in stretches for spoken in voiced(pcm) for part in parts(spoken))


def voiced(pcm: bytes) -> tuple[bytes, ...]:
    """The stretches of house sound in which something is to be heard, with a little silence on both sides."""
    around, found = round(AROUND_SECONDS / FRAME_SECONDS), list[list[int]]()
    for number, frame in enumerate(frames(pcm)):
        if rms_dbfs(frame) <= AUDIBLE_DBFS:
            continue
        if found and number - found[-1][1] <= round(PAUSE_SECONDS / FRAME_SECONDS):
            found[-1][1] = number
        else:
            found.append([number, number])
    return tuple(
        pcm[max(0, first - around) * FRAME_BYTES : (last + 1 + around) * FRAME_BYTES] for first, last in found
    )


def parts(pcm: bytes) -> tuple[bytes, ...]:
    """House sound in pieces of at most LONGEST_CHUNK_SECONDS, each cut where it is quiet near its end."""
    longest, frame = round(LONGEST_CHUNK_SECONDS * RATE) * 2, round(FRAME_SECONDS * RATE) * 2
    found: list[bytes] = []
    while len(pcm) > longest:
        edges = range(longest - 6 * RATE * 2, longest, 5 * frame)
        cut = min(edges, key=lambda at: rms_dbfs(pcm[at : at + 5 * frame])) + 2 * frame
        found.append(pcm[:cut])
        pcm = pcm[cut:]
    return (*found, pcm) if pcm else tuple(found)


def _mixed(stretches: list[tuple[int, bytes]], length: int) -> bytes:
    np_ = importlib.import_module("numpy")
    mix: NDArray[np.int32] = np_.zeros(length, np_.int32)
    for start, pcm in stretches:
        mix[start : start + len(pcm) // 2] += np_.frombuffer(pcm, "<i2")
    return bytes(np_.clip(mix, -32768, 32767).astype("<i2").tobytes())
