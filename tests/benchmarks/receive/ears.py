"""His ears as the media process has them, from the socket to the pipe; the voice server is only a socket."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from typing import Final, Self

from actors.voice.media import acts, ipc, mail
from actors.voice.media.cipher import AES_GCM, KEY_BYTES, Cipher
from actors.voice.media.credentials import Credentials
from actors.voice.media.line import Line
from actors.voice.media.pipe import Pipe, socket_pair
from actors.voice.media.process import MediaProcess
from actors.voice.media.web import Network
from actors.voice.settings import VoiceSettings
from tests.actors.voice.media.call import Call
from tests.benchmarks.receive.people import FIRST_SSRC, in_turn, packets

HIMSELF: Final = 1
FIRST_USER: Final = 11
SSRC: Final = 99
KEY: Final = bytes(KEY_BYTES)
DEADLINE_SECONDS: Final = 10.0


class Ears:
    """A media process inside this one, on a line that is up, with so many people whom it may hear.

    Use it as a context manager on a running loop.
    """

    def __init__(self, people: int) -> None:
        users = range(FIRST_USER, FIRST_USER + people)
        call, road = Call(), Cipher(AES_GCM, KEY)
        # Whoever is last knows of no older keys, as is the rule ten seconds after anybody came.
        call.join(*users, HIMSELF)
        group = call.seats[HIMSELF].group
        self.groups = {user: call.seats[user].group for user in users}
        self.coming: Iterator[bytes] = in_turn(
            [packets(place, call.seats[user].group.seal, road) for place, user in enumerate(users)]
        )
        self._server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._server.bind(("127.0.0.1", 0))
        near, far = socket_pair()
        self.house = Pipe(near, lambda: None)
        network = Network(tls=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), proxy=None, webs=set())
        self._process = MediaProcess(
            far, _begin(VoiceSettings()), network=network, make_group=lambda _: group, ended=lambda _: None
        )
        opened = mail.Open(connection=1, user=HIMSELF, guild=2, channel=3)
        self._process._obey(opened)
        assert self._process._connected is not None
        lines = self._process._connected._lines
        credentials = Credentials(session="session", token="token", endpoint="127.0.0.1:1")
        line = Line(call=opened, credentials=credentials, group=group, network=network, owner=lines)
        line._abort()
        lines._lines.append(line)
        host, port = self._server.getsockname()
        line._do(
            (
                acts.OpenUdp(ip=host, port=port),
                acts.Up(ssrc=SSRC, mode=AES_GCM, secret_key=KEY, dave_version=1),
                *(acts.Speaker(ssrc=FIRST_SSRC + place, user=user) for place, user in enumerate(users)),
            )
        )
        for user in users:
            self._process._obey(mail.Microphone(user=user, open=True))
        assert line.way._udp is not None
        self._server.connect(line.way._udp._socket.getsockname())
        self._tally = self._process._listening.tally

    @property
    def heard(self) -> int:
        """Packets that became sound."""
        return self._tally.decoded

    async def hear(self, datagrams: Sequence[bytes]) -> float:
        """Let all of these come at once; the seconds of CPU that it took to have them on the pipe."""
        for datagram in datagrams:
            self._server.send(datagram)
        wanted, deadline = self.heard + len(datagrams), time.monotonic() + DEADLINE_SECONDS
        began = time.thread_time()
        while self.heard < wanted:
            await asyncio.sleep(0)
            assert time.monotonic() < deadline, dict(self._tally.dropped)
        return time.thread_time() - began

    def letters(self) -> list[mail.Letter]:
        """What lies on the pipe."""
        found: list[mail.Letter] = []
        while came := self.house.receive():
            found += map(ipc.decode, came)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process._obey(mail.Shut(connection=1))
        self._process._loop.remove_reader(self._process._pipe.fileno())
        self._process._pipe.close()
        self.house.close()
        self._server.close()


def _begin(settings: VoiceSettings) -> mail.Begin:
    return mail.Begin(
        version=ipc.VERSION,
        ca_file=None,
        proxy=None,
        opus_library=None,
        bitrate=settings.bitrate,
        complexity=settings.complexity,
        trailing_silence_frames=settings.trailing_silence_frames,
        audible_dbfs=settings.audible_dbfs,
        queue_seconds=settings.queue_seconds,
        starved_seconds=settings.starved_seconds,
        dave_seconds=settings.dave_seconds,
        secure_seconds=10.0,
    )
