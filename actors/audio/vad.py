"""Whether somebody is speaking, asked thirty-one times a second; keys, coughs and doors answer no."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, cast

from actors.audio.models import import_onnxruntime, packaged_file, require_whole
from actors.audio.pcm import RATE
from actors.audio.resample import Resampler

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL_RATE: Final = 16_000
WINDOW_SAMPLES: Final = 512
WINDOW_SECONDS: Final = 0.032
CONTEXT_SAMPLES: Final = 64
"""What the network sees again of the window before."""
MEMORY_SHAPE: Final = (1, 1, 128)
WINDOW_BYTES: Final = 2 * WINDOW_SAMPLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How probably (0..1) the 32 ms from `start` (seconds since the stream began) hold speech."""

    probability: float
    start: float


class _Session(Protocol):
    def run(self, outputs: None, inputs: dict[str, NDArray[np.float32]], /) -> list[NDArray[np.float32]]: ...


class Silero:
    """Silero VAD v6, the file that comes inside faster-whisper: loaded once, shared by all streams.

    Safe to use from several threads. Raises ModelMissing.
    """

    def __init__(self) -> None:
        path = packaged_file("faster_whisper", "assets/silero_vad_v6.onnx", "faster-whisper")
        require_whole("faster-whisper", "faster_whisper/assets/silero_vad_v6.onnx")
        runtime = import_onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        providers = ["CPUExecutionProvider"]
        self.session = cast(_Session, runtime.InferenceSession(str(path), options, providers=providers))


class VoiceActivity:
    """One microphone's stream through the shared network; belongs to one thread at a time."""

    def __init__(self, silero: Silero) -> None:
        self._numpy = importlib.import_module("numpy")
        self._session = silero.session
        self._resampler = Resampler(RATE, MODEL_RATE, "LQ")
        self.reset()

    def reset(self) -> None:
        """Begin anew, as after a gap: no memory of what was heard, and the next window starts at 0.0."""
        self._resampler.reset()
        self._waiting = b""
        self._heard = 0
        self._memory = (
            self._numpy.zeros(MEMORY_SHAPE, "float32"),
            self._numpy.zeros(MEMORY_SHAPE, "float32"),
        )
        self._context = self._numpy.zeros(CONTEXT_SAMPLES, "float32")

    def feed(self, pcm: bytes) -> tuple[Window, ...]:
        """House sound of any length -> the windows that it completed, in order: none, one or more."""
        self._waiting += self._resampler.feed(pcm)
        windows: list[Window] = []
        while len(self._waiting) >= WINDOW_BYTES:
            sound, self._waiting = self._waiting[:WINDOW_BYTES], self._waiting[WINDOW_BYTES:]
            windows.append(Window(probability=self._ask(sound), start=self._heard * WINDOW_SECONDS))
            self._heard += 1
        return tuple(windows)

    def _ask(self, sound: bytes) -> float:
        samples = self._numpy.frombuffer(sound, "<i2").astype("float32") / 32768
        seen = self._numpy.concatenate((self._context, samples))[None]
        self._context = samples[-CONTEXT_SAMPLES:]
        hidden, cell = self._memory
        probability, hidden, cell = self._session.run(None, {"input": seen, "h": hidden, "c": cell})
        self._memory = (hidden, cell)
        return float(probability.reshape(-1)[0])
