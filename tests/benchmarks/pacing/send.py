"""CPU of a frame on its way out, through his own mouth: PCM in, a sealed packet on the socket."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Sequence

from actors.audio.opus import OpusEncoder
from actors.voice.media.acts import Up
from actors.voice.media.cipher import AES_GCM, KEY_BYTES
from actors.voice.media.mouth import Mouth
from actors.voice.media.way import Way
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from tests.actors.voice.media.call import Call
from tests.actors.voice.media.line import ADA, BEA
from tests.benchmarks.bench import tell
from tests.benchmarks.pacing.speech import frames

SECONDS, PASSES = 8.0, 5
GIVEN_AT_ONCE = 50


class Straight:
    """A way on which nothing ever stands."""

    def __init__(self, way: Way) -> None:
        self.send = way.send

    def obstacle(self) -> str | None:
        """Nothing does."""
        return None

    def speaking(self, on: bool) -> None:
        """Nobody has to be told."""


async def _measure(speech: Sequence[bytes]) -> float:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as nobody:
        nobody.bind(("127.0.0.1", 0))
        call = Call()
        call.join(ADA, BEA)
        way = Way(call.seats[ADA].group)
        way.open("127.0.0.1", nobody.getsockname()[1], lambda _: None)
        way.lock(Up(ssrc=1, mode=AES_GCM, secret_key=bytes(KEY_BYTES), dave_version=1))
        settings, outlet = VoiceSettings(), Straight(way)
        encoder = OpusEncoder(bitrate=settings.bitrate, complexity=settings.complexity)
        mouth = Mouth(Connection(1), settings, encoder, lambda: outlet, lambda _: None)
        _say(mouth, speech)
        began = time.thread_time()
        for _ in range(PASSES):
            _say(mouth, speech)
        spent = time.thread_time() - began
        mouth.close()
        way.close()
    return 1e6 * spent / (PASSES * len(speech))


def _say(mouth: Mouth, speech: Sequence[bytes]) -> None:
    """All of it, one slot after the other without waiting for any."""
    for at in range(0, len(speech), GIVEN_AT_ONCE):
        given = speech[at : at + GIVEN_AT_ONCE]
        mouth.play(UtteranceId("u"), b"".join(given), 1.0)
        for _ in given:
            due = mouth.due
            assert due is not None
            assert mouth.turn(due)
            mouth.prepare()


def main() -> None:
    """Measure once."""
    tell({"us": asyncio.run(_measure(frames(SECONDS)))})


if __name__ == "__main__":
    main()
