"""The paths of sound, of a letter and of a turn through the product, alone and as fast as they go."""

from __future__ import annotations

import asyncio
import itertools
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Self

from loguru import logger

from actors.audio.opus import OpusEncoder
from actors.base import Life, Worker
from actors.realtime.script import ScriptedReply
from actors.voice.media import mail
from actors.voice.media.acts import Up
from actors.voice.media.cipher import AES_GCM
from actors.voice.media.mouth import Mouth
from actors.voice.media.udp import MOST_AT_ONCE
from actors.voice.media.way import Way
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_SECONDS
from messages.ids import Connection, UtteranceId
from messages.lifecycle import Ending
from messages.voice import SoundEvent
from tests.actors.voice.media.call import Call
from tests.benchmarks.hearing import PAUSE, WORD, Hearing
from tests.benchmarks.pacing.speech import frames
from tests.benchmarks.receive.ears import HIMSELF, KEY, SSRC, Ears
from tests.stories.world import World

TWIN: Final = 2
"""Somebody in the same group, for whoever compares."""
FRAMES_A_LETTER: Final = 10
"""As playback sends them to the media process."""
AT_ONCE: Final = 300
"""Packets whose sound fits into a pipe that nobody reads."""
DEADLINE_SECONDS: Final = 10.0
QUESTION: Final = ScriptedReply(heard="what time is it", text="It is nine. It will be ten in an hour.")


class Receiving:
    """A media process in this one, with some people whom it may hear."""

    def __init__(self, people: int = 4) -> None:
        self._runner = asyncio.Runner()
        self.ears = self._runner.run(_open_ears(people))
        self._hear = self.ears._process._listening.datagram
        self._listened = self.ears._process._listened

    def packets(self, count: int) -> list[bytes]:
        """Everybody's next packets in turn."""
        return list(itertools.islice(self.ears.coming, count))

    def hear(self, packets: Sequence[bytes]) -> None:
        """What is measured: from datagrams, as many at a time as are read at once, to letters on the pipe."""
        for first in range(0, len(packets), MOST_AT_ONCE):
            for packet in packets[first : first + MOST_AT_ONCE]:
                self._hear(packet, time.monotonic())
            self._listened()

    def letters(self) -> list[mail.Voices]:
        """What of them lies on the pipe."""
        return [letter for letter in self.ears.letters() if isinstance(letter, mail.Voices)]

    def __enter__(self) -> Self:
        self.ears.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.ears.__exit__()
        self._runner.close()


class Sending:
    """His mouth with a real encoder and real keys, and the socket of a voice server."""

    def __init__(self) -> None:
        call = Call()
        call.join(HIMSELF, TWIN)
        self.group, self.twin = (call.seats[user].group for user in (HIMSELF, TWIN))
        self.server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.server.bind(("127.0.0.1", 0))
        self.server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.server.setblocking(False)
        self.news: list[SoundEvent] = []
        self._now = 50.0
        self._way = Way(self.group)
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self._open())
        self.mouth = Mouth(Connection(1), VoiceSettings(), OpusEncoder(), lambda: self, self.news.append)

    def say(self, utterance: str, pcm: Sequence[bytes]) -> None:
        """What is measured: from letters of sound to datagrams, a slot after the other."""
        mouth, whose = self.mouth, UtteranceId(utterance)
        for at in range(0, len(pcm), FRAMES_A_LETTER):
            letter = b"".join(pcm[at : at + FRAMES_A_LETTER])
            mouth.play(whose, letter, self._now)
            for _ in range(FRAMES_A_LETTER):
                self.slot()

    def slot(self) -> None:
        """The time of the next packet has come, and passes."""
        self._now = self.mouth.due or self._now
        if self.mouth.turn(self._now):
            self.mouth.prepare()

    def arrived(self) -> list[bytes]:
        """What the voice server has received."""
        found: list[bytes] = []
        try:
            while True:
                found.append(self.server.recv(2_048))
        except BlockingIOError:
            return found

    # --- as his mouth sees its line

    def obstacle(self) -> str | None:
        """Nothing is in the way."""
        return None

    def send(self, frame: bytes, slots: int) -> bool:
        """By the real way."""
        return self._way.send(frame, slots)

    def speaking(self, on: bool) -> None:
        """Nobody is told."""

    async def _open(self) -> None:
        host, port = self.server.getsockname()
        self._way.open(host, port, lambda _: None)
        self._way.lock(Up(ssrc=SSRC, mode=AES_GCM, secret_key=KEY, dave_version=1))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.mouth.close()
        self._way.close()
        self._loop.close()
        self.server.close()


class Player(Worker[int]):
    """Returns every ball, until there are none left; notes the CPU of its thread between two balls."""

    def __init__(self, life: Life) -> None:
        super().__init__(life)
        self.other: Player | None = None
        self.over = threading.Event()
        self.seconds = 0.0
        self._began = 0.0

    def receive(self, message: int) -> None:
        """Return it, one less."""
        if not self._began:
            self._began = time.thread_time()
        if message > 0 and self.other is not None:
            self.other.here.tell(message - 1)
        if message <= 1:
            self.seconds, self._began = time.thread_time() - self._began, 0.0
            self.over.set()


class Hopping:
    """Two actors in threads of their own who play ball."""

    def __init__(self) -> None:
        self.players = tuple(Player(Life.alone(name)) for name in ("one", "other"))
        for player, other in zip(self.players, reversed(self.players), strict=True):
            player.other = other
            player.life.begin(player)
            assert player.life.wait_opened(DEADLINE_SECONDS)

    def play(self, hops: int) -> float:
        """What is measured: so many hops; the CPU of both, in seconds."""
        self.players[0].here.tell(hops)
        for player in self.players:
            assert player.over.wait(DEADLINE_SECONDS)
            player.over.clear()
        return sum(player.seconds for player in self.players)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self.players:
            player.life.ask_to_stop(Ending.SHUTDOWN, DEADLINE_SECONDS)
            assert player.life.wait_gone(DEADLINE_SECONDS)


class Turning:
    """A whole house on a stage, and somebody who asks him the same thing again and again."""

    def __init__(self) -> None:
        self.world = World(1, replies=[QUESTION] * 10_000)
        self.turns = 0

    def ask(self) -> None:
        """What is measured: a question, its answer, and the silence after it."""
        self.world.say("anna", "Clankie what time is it")
        self.world.run(8.0)
        self.turns += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.world.__exit__(None)


async def _open_ears(people: int) -> Ears:
    return Ears(people)


def _receive() -> Generator[None]:
    with Receiving() as path:
        while True:
            path.hear(path.packets(AT_ONCE))
            yield
            path.letters()


def _send() -> Generator[None]:
    pcm = frames(AT_ONCE * FRAME_SECONDS)
    with Sending() as path:
        for number in itertools.count(1):
            path.say(str(number), pcm)
            yield
            path.arrived()
            path.news.clear()


def _hop() -> Generator[None]:
    with Hopping() as path:
        while True:
            path.play(AT_ONCE)
            yield


def _capture() -> Generator[None]:
    path = Hearing()
    while True:
        path.hear(WORD + PAUSE)
        path.forget()
        yield


def _turn() -> Generator[None]:
    with Turning() as path:
        while True:
            path.ask()
            yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """What goes a path once with every step, and the functions below which it lies."""

    steps: Callable[[], Generator[None]]
    below: tuple[str, ...]


PATHS: Final[Mapping[str, Path]] = {
    "receive": Path(steps=_receive, below=("Receiving.hear",)),
    "send": Path(steps=_send, below=("Sending.say",)),
    "hop": Path(steps=_hop, below=("Actor._actor_loop_running",)),
    "capture": Path(steps=_capture, below=("Hearing.hear",)),
    "turn": Path(steps=_turn, below=("Turning.ask",)),
}


def go(name: str, seconds: float) -> int:
    """Go one path for so long, at least once; how often it was gone."""
    with closing(PATHS[name].steps()) as steps:
        next(steps)
        times, until = 1, time.monotonic() + seconds
        while time.monotonic() < until:
            next(steps)
            times += 1
    return times


def main() -> None:
    """Go one path for so many seconds."""
    logger.remove()
    name, seconds = sys.argv[1:]
    go(name, float(seconds))


if __name__ == "__main__":
    main()
