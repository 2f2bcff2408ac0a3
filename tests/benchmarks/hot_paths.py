"""The paths of sound, of a letter and of a turn through the product, alone and as fast as they go."""

from __future__ import annotations

import asyncio
import functools
import itertools
import random
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Self

from loguru import logger

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import frames, read_wav
from actors.base import Life, Worker
from actors.realtime.script import ScriptedReply
from actors.voice.media import ipc, mail
from actors.voice.media.acts import Up
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.dave import DaveGroup
from actors.voice.media.mouth import Mouth
from actors.voice.media.pipe import Pipe, socket_pair
from actors.voice.media.process import MediaProcess
from actors.voice.media.rtp import Outgoing
from actors.voice.media.way import Way
from actors.voice.media.web import Network
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from messages.lifecycle import Ending
from messages.voice import SoundEvent
from tests.actors.voice.media.call import Call
from tests.speech.clips import HUMAN
from tests.stories.world import World

HIMSELF: Final = 1
TWIN: Final = 2
"""Somebody in the same group who can open the same packets, for whoever compares."""
SSRC: Final = 99
KEY: Final = bytes(range(32))
FRAMES_A_LETTER: Final = 10
"""As playback sends them to the media process."""
AT_ONCE: Final = 300
"""Packets whose sound fits into a pipe that nobody reads."""
DEADLINE_SECONDS: Final = 10.0
QUESTION: Final = ScriptedReply(heard="what time is it", text="It is nine. It will be ten in an hour.")


@functools.cache
def speech() -> tuple[bytes, ...]:
    """Frames of a person who reads aloud."""
    return tuple(frames(b"".join(read_wav(clip.path) for clip in HUMAN[:3])))


@functools.cache
def spoken() -> tuple[bytes, ...]:
    """The same as Opus."""
    encoder = OpusEncoder()
    try:
        return tuple(map(encoder.encode, speech()))
    finally:
        encoder.close()


class Talker:
    """One of the people: an endless stream of packets, locked for the group and for the road."""

    def __init__(self, user: int, group: DaveGroup, road: Cipher) -> None:
        self.user, self.ssrc = user, 1_000 + user
        self._group, self._road = group, road
        self._headers = Outgoing(self.ssrc, random.Random(user).getrandbits)
        self._frames = itertools.cycle(spoken())

    def packet(self) -> bytes:
        """The next one."""
        return self._road.seal(self._headers.next(), self._group.seal(next(self._frames)))


class Receiving:
    """A media process in this one, some people whom it may hear, and the house's end of its pipe."""

    def __init__(self, people: int = 3) -> None:
        users = range(11, 11 + people)
        call, road = Call(), Cipher(AES_GCM, KEY)
        call.join(HIMSELF, TWIN, *users)
        self.twin = call.seats[TWIN].group
        self.talkers = tuple(Talker(user, call.seats[user].group, road) for user in users)
        near, far = socket_pair()
        self.house = Pipe(near, lambda: None)
        self._loop = asyncio.new_event_loop()
        self.process = self._loop.run_until_complete(_media_process(far, call.seats[HIMSELF].group))
        self._listening = self.process._listening
        self._listening.line(Cipher(AES_GCM, KEY), call.seats[HIMSELF].group, SSRC)
        for talker in self.talkers:
            self._listening.microphone(talker.user, True)
            self._listening.speaker(talker.ssrc, talker.user)

    def packets(self, count: int) -> list[bytes]:
        """Everybody's next packets in turn."""
        return [
            talker.packet() for talker, _ in zip(itertools.cycle(self.talkers), range(count), strict=False)
        ]

    def hear(self, packets: list[bytes]) -> None:
        """What is measured: from datagrams to letters on the pipe."""
        hear = self._listening.datagram
        for packet in packets:
            hear(packet, time.monotonic())

    def letters(self) -> list[mail.Letter]:
        """What lies on the pipe."""
        found: list[mail.Letter] = []
        while came := self.house.receive():
            found += map(ipc.decode, came)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for talker in self.talkers:
            self._listening.microphone(talker.user, False)
        self._loop.remove_reader(self.process._pipe.fileno())
        self.process._pipe.close()
        self.house.close()
        self._loop.close()


class Sending:
    """His mouth with a real encoder and real keys, and the socket of a voice server."""

    def __init__(self) -> None:
        call = Call()
        call.join(HIMSELF, TWIN)
        self.group = call.seats[HIMSELF].group
        self.twin = call.seats[TWIN].group
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

    def say(self, utterance: str, pcm: tuple[bytes, ...]) -> None:
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


async def _media_process(end: socket.socket, group: DaveGroup) -> MediaProcess:
    begin = mail.Begin(
        version=ipc.VERSION,
        ca_file=None,
        proxy=None,
        opus_library=None,
        bitrate=64_000,
        complexity=5,
        trailing_silence_frames=5,
        audible_dbfs=-50.0,
        queue_seconds=2.0,
        starved_seconds=15.0,
        dave_seconds=5.0,
        secure_seconds=10.0,
    )
    network = Network(tls=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), proxy=None, webs=set())
    return MediaProcess(end, begin, network=network, make_group=lambda _: group, ended=lambda _: None)


def _receive() -> Generator[None]:
    with Receiving() as path:
        while True:
            path.hear(path.packets(AT_ONCE))
            yield
            path.letters()


def _send() -> Generator[None]:
    with Sending() as path:
        for number in itertools.count(1):
            path.say(str(number), speech()[:AT_ONCE])
            yield
            path.arrived()
            path.news.clear()


def _hop() -> Generator[None]:
    with Hopping() as path:
        while True:
            path.play(AT_ONCE)
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
