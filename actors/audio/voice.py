"""The voice that needs no account: eight megabytes of network that answer before a breath is over."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Protocol, cast

from actors.audio.models import import_onnxruntime, packaged_file, require_whole
from actors.audio.pcm import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAD_SECONDS: Final = 0.04
"""What is left of the silence that the network puts before each sentence (0.15 to 0.3 s)."""
TAIL_SECONDS: Final = 0.16
"""What is left of the silence after each sentence; it is the pause before the next one."""
AUDIBLE: Final = 0.004
"""The amplitude (-48 dBFS) at which a sentence begins and ends."""
GAIN: Final = 2.0
"""The network speaks at about -30 dBFS; people in a voice channel are at about -24."""
SEED: Final = 0
"""Of the noise in the voice; fixed, so that the same words are the same sound."""
LOWEST_PITCH: Final = 0.6
HIGHEST_PITCH: Final = 1.6


class _Hibari(Protocol):
    def split_sentences(self, text: str) -> list[str]: ...

    def phonemize(self, text: str) -> list[str]: ...

    def from_phonemes(self, phonemes: str, speed: float = 1.0, seed: int = 0) -> NDArray[np.float32]: ...


class LocalVoice:
    """hibari-tts, English, one speaker. Loading takes about a second and 60 MB; raises ModelMissing.

    Threads take turns, sentence by sentence: its dictionary fills as it speaks.
    """

    def __init__(self) -> None:
        packaged_file("hibari", "assets/hibari.onnx", "hibari-tts")
        require_whole("hibari-tts", "hibari/assets/")
        import_onnxruntime()
        self._numpy = importlib.import_module("numpy")
        self._turn = threading.Lock()
        self._hibari = cast(_Hibari, importlib.import_module("hibari").Hibari(threads=1))
        tuple(self.stream("Hello."))  # the lexicon takes a second to load: now, not at the first reply

    def stream(self, text: str, pitch: float = 1.0) -> Iterator[bytes]:
        """House PCM, one piece a sentence, each as soon as it is made; nothing for text without words.

        `pitch` above 1.0 is a smaller speaker, below it a bigger one, at the same pace; outside 0.6 to 1.6 it
        is a ValueError.
        """
        if not LOWEST_PITCH <= pitch <= HIGHEST_PITCH:
            raise ValueError(f"a pitch of {pitch} is outside {LOWEST_PITCH} to {HIGHEST_PITCH}")
        for sentence in self._hibari.split_sentences(text):
            with self._turn:
                spelled = tuple(self._hibari.phonemize(sentence))
            for phonemes in spelled:
                if any(sign.isalpha() for sign in phonemes):
                    with self._turn:
                        sound = self._hibari.from_phonemes(phonemes, speed=1 / pitch, seed=SEED)
                    if pcm := self._house_sound(sound, pitch):
                        yield pcm

    def _house_sound(self, sound: NDArray[np.float32], pitch: float) -> bytes:
        if pitch != 1.0:
            sound = importlib.import_module("soxr").resample(sound, RATE * pitch, RATE)
        audible = self._numpy.flatnonzero(self._numpy.abs(sound) > AUDIBLE)
        if not len(audible):
            return b""
        first = max(0, int(audible[0]) - round(LEAD_SECONDS * RATE))
        last = int(audible[-1]) + round(TAIL_SECONDS * RATE)
        loud = self._numpy.clip(sound[first:last] * (GAIN * 32767), -32768, 32767)
        return cast(bytes, loud.astype("<i2").tobytes())
