"""What every room of this ElevenLabs shares: its key, its voice, its manners, and the bill."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tests.loopback.elevenlabs.sound import sentences
from tests.loopback.humming import Speak
from tests.loopback.providers import Frame, Ground

CHUNK_BYTES = 9_600
VOICE_THREADS = 2


@dataclass(slots=True, kw_only=True)
class Manners:
    """How this ElevenLabs behaves, as switches that any thread may throw at any time."""

    chunk_bytes: int = CHUNK_BYTES
    """How much sound a frame has; an odd number cuts samples in two."""
    alignments: bool = True
    """Whether sound comes with the times of its characters."""
    first_chunk_seconds: float = 0.0
    """What passes before the first sound of each batch."""
    times_real: float | None = None
    """How fast sound is made, as a multiple of how fast it is heard; None is at once."""
    hold_after: int | None = None
    """After so many chunks a socket makes no sound until `Session.release`."""
    hold_finals: bool = False
    """Whether finals are kept back until `Session.release_finals`; their slots are taken until then."""
    final_seconds: float = 0.0
    """What passes before a final goes out; its slot is taken until then."""
    ignores_close_socket: bool = False
    discards: bool = True
    """Whether closing the context of a dialogue drops what was flushed and has not begun to sound."""
    clock: float = 1.0
    """What a second of idleness takes, on sockets that are opened from now on; 0.01 makes 20 s into 0.2 s."""
    most_at_once: int | None = None
    """How many generations, or dialogue sockets, there may be at once."""
    character_limit: int = 1_000_000
    """How many characters may be spoken, of all there ever were."""
    forbidden_formats: set[str] = field(default_factory=set[str])
    """Formats that the plan does not include."""


class Place(Ground):
    """The thread, the port, and what is known of the account."""

    def __init__(self, key: str, speak: Speak, voices: Mapping[str, str]) -> None:
        super().__init__("elevenlabs")
        self.key = key
        self.manners = Manners()
        self.voices = dict(voices)
        self.characters = 0
        """How many were spoken, and have been paid for."""
        self.generating = 0
        self._speak = speak
        self._throats = ThreadPoolExecutor(VOICE_THREADS, thread_name_prefix="loopback-elevenlabs-voice")

    def close(self) -> None:
        """End everything, the threads of the voice last."""
        try:
            super().close()
        finally:
            self._throats.shutdown(wait=True, cancel_futures=True)

    def charge(self, text: str) -> bool:
        """Pay for a text; false, and nothing is paid, if there is no money left for it."""
        affordable = self.characters + len(text) <= self.manners.character_limit
        self.characters += len(text) if affordable else 0
        return affordable

    @property
    def crowded(self) -> bool:
        """Whether one more generation would be one too many."""
        most = self.manners.most_at_once
        return most is not None and self.generating >= most

    async def spoken(self, text: str) -> AsyncIterator[tuple[str, bytes]]:
        """Yield each sentence and all of its sound, at 24 kHz, as soon as it is made."""
        loop = asyncio.get_running_loop()
        for sentence in sentences(text):
            pieces = await loop.run_in_executor(self._throats, self._speak, sentence)
            sound = bytearray()
            while (piece := await loop.run_in_executor(self._throats, next, pieces, None)) is not None:
                sound += piece
            yield sentence, bytes(sound)


def detail(code: str, message: str) -> Frame:
    """The body of a refused request."""
    return {"detail": {"status": code, "message": message}}
