"""Lends a rehearsal an OpenAI and an ElevenLabs on this machine, whose ears and voices are real."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

from actors.captain.local import read_notes
from actors.captain.settings import CaptainSettings
from supervisors.rehearsal.kinds import Plain, Setting
from supervisors.rehearsal.minds import Scripted
from supervisors.rehearsal.scenario import BadScenario
from supervisors.rehearsal.stage import Lender, Lent, Overrides, Speech
from supervisors.secrets import Keys
from supervisors.theatre import captained, scripted
from tests.loopback.bills import Bill, billed
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.captain_script import scripted_captain
from tests.loopback.openai.minds import Brains
from tests.loopback.openai.responses_asked import CaptainBrain
from tests.loopback.openai.script import scripted as scripted_mind
from tests.loopback.openai.server import OpenAi

COMMON: Final = {"capture": {"provider": "openai"}, "captain": {"provider": "openai"}}
OFFERS: Final[Mapping[str, Mapping[str, Mapping[str, Plain]]]] = {
    "loopback": {**COMMON, "realtime": {"provider": "openai"}, "tts": {"provider": "elevenlabs"}},
    "loopback-dialogue": {
        **COMMON,
        "realtime": {"provider": "openai"},
        "tts": {"provider": "elevenlabs", "model": "eleven_v4_turbo"},
    },
    "loopback-chat": {
        **COMMON,
        "realtime": {"provider": "chat", "model": "gpt-realtime-2.1"},
        "tts": {"provider": "openai"},
    },
}
"""Who hears, thinks and speaks, by the name of the offer."""


def lender(offer: str, bills: list[Bill] | None = None) -> Lender:
    """Return who lends this offer, one of OFFERS; what a play has cost is added to `bills`."""

    def lend(
        speech: Speech, replies: tuple[Scripted, ...], settings: Overrides, /
    ) -> AbstractContextManager[Lent]:
        return _lent(offer, _Shared(speech), replies, settings, [] if bills is None else bills)

    return lend


@contextmanager
def _lent(
    offer: str, shared: _Shared, replies: tuple[Scripted, ...], settings: Overrides, bills: list[Bill]
) -> Generator[Lent]:
    """Both servers, up until the play is over; raises BadScenario if a rule of theirs was broken."""
    think = scripted_mind(scripted(replies))
    captain = _captain(replies, settings.get("captain", {}))
    brains = Brains(think=think, speak=shared.speak, hear=shared.hear, captain=captain)
    with (
        OpenAi(think=think, hear=shared.hear, live=True, brains=brains) as openai,
        ElevenLabs(speak=shared.speak) as elevenlabs,
    ):
        places: Mapping[str, Mapping[str, Plain]] = {
            "openai": {"base_url": openai.service.base_url},
            "elevenlabs": {"base_url": elevenlabs.service.base_url},
        }
        chosen = {table: dict(values) for table, values in OFFERS[offer].items()}
        if chosen["realtime"]["provider"] == "chat":
            chosen["realtime"]["base_url"] = openai.service.base_url
        keys = Keys(openai=openai.service.key, elevenlabs=elevenlabs.service.key, chat=openai.service.key)
        yield Lent(settings={**chosen, **places}, keys=keys)
        bills.append(billed(openai, elevenlabs))
        broken = (*openai.violations, *elevenlabs.violations)
    if broken:
        raise BadScenario(f"a provider's rule was broken: {broken[0]}")


def _captain(replies: tuple[Scripted, ...], settings: Mapping[str, Setting]) -> CaptainBrain:
    """As slow as the local captain would be in this play, and with the same page of notes."""
    notes, delay = settings.get("notes_file"), settings.get("delay_seconds", CaptainSettings().delay_seconds)
    return scripted_captain(
        captained(replies),
        notes=read_notes(Path(notes)) if isinstance(notes, str) and notes else None,
        delay=delay if isinstance(delay, int | float) else 0.0,
    )


class _Shared:
    """One voice and one ear for whoever asks, one after the other."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._hearing, self._speaking = threading.Lock(), threading.Lock()

    def hear(self, pcm: bytes) -> str:
        """The words in house PCM."""
        with self._hearing:
            return self._speech.transcribe(pcm)

    def speak(self, text: str) -> Iterator[bytes]:
        """House PCM, sentence by sentence."""
        sentences = self._speech.speak(text, 1.0)
        while True:
            with self._speaking:
                pcm = next(sentences, None)
            if pcm is None:
                return
            yield pcm
