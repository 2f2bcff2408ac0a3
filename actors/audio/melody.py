"""What Whisper sees of a sound: eighty bands of the mel scale, a hundred times a second."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE: Final = 16_000
HOP: Final = 160
WINDOW: Final = 400
BANDS: Final = 80
DYNAMIC_RANGE: Final = 8.0
"""In powers of ten below the loudest band; what is quieter is raised to it."""
LINEAR_HERTZ: Final = 1000.0
"""Slaney's mel scale: straight up to here, then a factor of 6.4 every 27 mels."""
MELS_BELOW: Final = 15.0
OCTAVE_OF_MELS: Final = 27.0


class MelBands:
    """The log-mel spectrogram of Radford et al. (2022), in numpy; constructing it imports numpy."""

    def __init__(self) -> None:
        self._np = importlib.import_module("numpy")
        self._hann = self._np.hanning(WINDOW + 1)[:-1].astype("float32")
        self._filters = self._triangles()

    def of(self, sound: NDArray[np.float32], frames: int) -> NDArray[np.float32]:
        """float32 [samples] at 16 kHz in -1..1, cut or filled up to `frames` of 10 ms -> [80, frames]."""
        np_ = self._np
        padded = np_.zeros(frames * HOP, np_.float32)
        kept = sound[: frames * HOP]
        padded[: len(kept)] = kept
        padded = np_.pad(padded, WINDOW // 2, mode="reflect")
        slices = np_.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][:frames]
        power = np_.abs(np_.fft.rfft(slices * self._hann, axis=1)).astype("float32") ** 2
        bands = np_.log10(np_.maximum(self._filters @ power.T, 1e-10))
        seen: NDArray[np.float32] = (np_.maximum(bands, bands.max() - DYNAMIC_RANGE) + 4.0) / 4.0
        return seen

    def _triangles(self) -> NDArray[np.float32]:
        np_ = self._np
        highest = MELS_BELOW + OCTAVE_OF_MELS * np_.log(RATE / 2 / LINEAR_HERTZ) / np_.log(6.4)
        edges = self._hertz(np_.linspace(0.0, highest, BANDS + 2))
        bins = np_.fft.rfftfreq(WINDOW, 1 / RATE)
        width = np_.diff(edges)[:, None]
        rising = (bins - edges[:-2, None]) / width[:-1]
        falling = (edges[2:, None] - bins) / width[1:]
        triangles = np_.maximum(0.0, np_.minimum(rising, falling))
        filters: NDArray[np.float32] = (triangles * 2.0 / (edges[2:] - edges[:-2])[:, None]).astype("float32")
        return filters

    def _hertz(self, mels: NDArray[np.float64]) -> NDArray[np.float64]:
        np_ = self._np
        curved = LINEAR_HERTZ * np_.exp(np_.log(6.4) / OCTAVE_OF_MELS * (mels - MELS_BELOW))
        hertz: NDArray[np.float64] = np_.where(mels < MELS_BELOW, mels * LINEAR_HERTZ / MELS_BELOW, curved)
        return hertz
