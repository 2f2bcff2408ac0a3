"""A resampler that forgets nothing between frames, so that twenty milliseconds have no seams."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Quality: TypeAlias = Literal["HQ", "LQ", "QQ"]


class _Stream(Protocol):
    def resample_chunk(self, x: NDArray[np.float32], last: bool = False) -> NDArray[np.float32]: ...

    def clear(self) -> None: ...


class Resampler:
    """One direction of one stream: mono s16le at `source` Hz in, mono s16le at `target` Hz out.

    "HQ" holds back up to 40 ms, "LQ" 13 ms, "QQ" nothing. Belongs to one thread at a time.
    Raises ImportError when soxr or numpy are missing.
    """

    def __init__(self, source: int, target: int, quality: Quality = "HQ") -> None:
        soxr = importlib.import_module("soxr")
        self._numpy = importlib.import_module("numpy")
        self._stream = cast(_Stream, soxr.ResampleStream(source, target, 1, dtype="float32", quality=quality))

    def feed(self, pcm: bytes) -> bytes:
        """What is ready after these bytes; the filter keeps some milliseconds back until more arrives."""
        return self._chunk(pcm, last=False)

    def flush(self) -> bytes:
        """The rest, at the end of the stream; afterwards the resampler is as new."""
        rest = self._chunk(b"", last=True)
        self._stream.clear()
        return rest

    def reset(self) -> None:
        """Forget what is held back: the next bytes begin a new stream."""
        self._stream.clear()

    def _chunk(self, pcm: bytes, *, last: bool) -> bytes:
        # In floats, because soxr dithers 16-bit output, and the same sound must give the same transcript.
        sound = self._numpy.frombuffer(pcm, "<i2").astype("float32")
        out = self._stream.resample_chunk(sound, last=last)
        return cast(bytes, self._numpy.clip(self._numpy.rint(out), -32768, 32767).astype("<i2").tobytes())
