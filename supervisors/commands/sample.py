"""A sentence of two seconds goes once around: spoken by his voice, and written down by his ears."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from actors.audio.models import ModelMissing
from actors.audio.pcm import peak_dbfs
from actors.audio.pcm import seconds as seconds_of
from actors.gateway.port import Finding
from actors.net.checkup.answers import Answer, Got, Refusal, Sound
from actors.net.reasons import NOT_FOUND
from actors.net.sdk import NOT_INSTALLED
from supervisors.commands import prescriptions
from supervisors.commands.apparatus import INSTALL_LOCAL
from supervisors.commands.prescriptions import Company
from supervisors.settings import Settings
from supervisors.speech import LocalSpeech

SENTENCES: Final = {
    "en": "The lamp is in the second room on the left.",
    "de": "Die Lampe steht im zweiten Zimmer auf der linken Seite.",
    "es": "La lámpara está en la segunda habitación a la izquierda.",
    "fr": "La lampe est dans la deuxième pièce à gauche.",
}
LISTENERS: Final = ("gpt-live-", "gpt-realtime-")
"""Models of sockets, which write down no file; one of their family does it for them."""
WRITER: Final = "gpt-transcribe"
_WRONG_WISH: Final = ("http_400", "http_422", NOT_FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mouth:
    """Who speaks a text; `company` is None for this machine."""

    company: Company | None
    speak: Callable[[str], Answer[Sound]]
    unproved_voice: str | None = None
    """A voice of which nobody could say yet whether it exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ears:
    """Who writes down a sound, by the name of the model; `company` is None for this machine."""

    company: Company | None
    name: str
    write_down: Callable[[bytes], Answer[str]]
    stands_in: bool = False
    """Whether it is another model than the one that was chosen."""


def language_of(settings: Settings) -> str:
    """The language of the sentence: his own, if mouth and ears both know it; else English."""
    wanted = (settings.tts.language or settings.floor.language)[:2].lower()
    speaks = settings.tts.provider != "local"
    hears = settings.capture.provider != "local" or settings.speech.whisper_folder is not None
    return wanted if speaks and hears and wanted in SENTENCES else "en"


def writer_of(model: str) -> str:
    """The model that writes down a file where `model` listens to a socket."""
    return WRITER if model.startswith(LISTENERS) else model


def sample(text: str, mouth: Mouth, ears: Ears | None) -> Iterator[Finding]:
    """Have a sentence spoken and written down; of the sentence and what came back nothing is told."""
    said = mouth.speak(text)
    if isinstance(said, Refusal):
        yield _unspoken(said, mouth)
        return
    if mouth.unproved_voice is not None:
        yield prescriptions.well("voice", f"{prescriptions.printable(mouth.unproved_voice)} speaks")
    pcm = said.value.pcm
    judged = prescriptions.spoken(seconds_of(pcm), peak_dbfs(pcm), said.value.first_seconds, said.seconds)
    yield judged
    if judged.ok and ears is not None:
        yield _heard(text, ears, ears.write_down(pcm))


def _unspoken(refusal: Refusal, mouth: Mouth) -> Finding:
    if mouth.company is None:
        return _no_models("voice sample")
    if mouth.unproved_voice is not None and refusal.reason in _WRONG_WISH:
        return prescriptions.no_voice(mouth.unproved_voice, mouth.company)
    return prescriptions.refused("voice sample", refusal, mouth.company, "tts")


def _heard(text: str, ears: Ears, answer: Answer[str]) -> Finding:
    if isinstance(answer, Got):
        return prescriptions.understood(text, answer.value, ears.name, answer.seconds)
    if ears.company is None:
        return _no_models("sample heard")
    if ears.stands_in and answer.reason == NOT_FOUND:
        says = f"not written down: the account has no {ears.name}, which is not needed for anything else"
        return prescriptions.well("sample heard", says)
    return prescriptions.refused("sample heard", answer, ears.company, "capture")


def _no_models(name: str) -> Finding:
    says = "left out: the models of this machine are missing"
    return prescriptions.well(name, says, advice=INSTALL_LOCAL)


# --- on this machine ------------------------------------------------------------------------------


def local_mouth(speech: LocalSpeech, pitch: float) -> Mouth:
    """The voice of this machine."""

    def speak(text: str) -> Answer[Sound]:
        began, first, pcm = time.monotonic(), 0.0, b""
        try:
            speech.voice()
            began = time.monotonic()  # he has it loaded when he comes
            for piece in speech.speak(text, pitch):
                first = first or time.monotonic() - began
                pcm += piece
        except ModelMissing:
            return Refusal(reason=NOT_INSTALLED, seconds=time.monotonic() - began)
        return Got(value=Sound(pcm=pcm, first_seconds=first), seconds=time.monotonic() - began)

    return Mouth(company=None, speak=speak)


def local_ears(speech: LocalSpeech) -> Ears:
    """The ears of this machine."""

    def write_down(pcm: bytes) -> Answer[str]:
        began = time.monotonic()
        try:
            speech.hearing.whisper()
            began = time.monotonic()
            text = speech.transcribe(pcm)
        except ModelMissing:
            return Refusal(reason=NOT_INSTALLED, seconds=time.monotonic() - began)
        return Got(value=text, seconds=time.monotonic() - began)

    return Ears(company=None, name="Whisper on this machine", write_down=write_down)
