"""CPU of a packet on its way in with discord-ext-voice-recv, to 24 kHz mono; argument: our own Python."""

import audioop
import itertools
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import davey
from discord.ext.voice_recv import BasicSink
from discord.ext.voice_recv.reader import AudioReader
from speaker import CHANNEL, USER, _read
from telling import tell

ROOT = Path(__file__).parents[3]
FIRST_SSRC, FIRST_USER, PEOPLE = 1_000, 11, 8
AT_ONCE, WARM_UP, ROUNDS = 64, 5, 25
NARROW, WIDE = 24_000, 48_000
DEADLINE_SECONDS = 10.0


class Group:
    """The extension's own decryptor for the road, and davey for what is left: it knows of no groups."""

    def __init__(self, road, session: davey.DaveSession) -> None:
        self._road, self._session = road, session

    def decrypt_rtp(self, packet) -> bytes:
        """Open one packet twice."""
        user = FIRST_USER + packet.ssrc - FIRST_SSRC
        return self._session.decrypt(user, davey.MediaType.audio, self._road.decrypt_rtp(packet))


class Narrowing:
    """What anybody does who wants 24 kHz mono of it."""

    def __init__(self) -> None:
        self.frames = 0
        self.enough = threading.Event()
        self._states, self._wanted = {}, 0

    def want(self, frames: int) -> None:
        """Ring `enough` at this number of frames."""
        self.enough.clear()
        self._wanted = frames
        if self.frames >= frames:
            self.enough.set()

    def take(self, user: object, data) -> None:
        """One frame of somebody."""
        ssrc = data.packet.ssrc
        mono = audioop.tomono(data.pcm, 2, 0.5, 0.5)
        _, self._states[ssrc] = audioop.ratecv(mono, 2, 1, WIDE, NARROW, self._states.get(ssrc))
        self.frames += 1
        if self.frames == self._wanted:
            self.enough.set()


def main(python: str) -> None:
    """Measure once."""
    logging.disable()
    session, datagrams = joined(python, AT_ONCE * (WARM_UP + ROUNDS))
    ears = Narrowing()
    reader = AudioReader(BasicSink(ears.take), client())
    reader.decryptor = Group(reader.decryptor, session)
    for thread in (reader.speaking_timer, reader.event_router, reader.packet_router):
        thread.start()
    inside, outside = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    inside.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    inside.bind(("127.0.0.1", 0))
    outside.connect(inside.getsockname())
    spent = 0.0
    for turn in range(WARM_UP + ROUNDS):
        for datagram in itertools.islice(datagrams, AT_ONCE):
            outside.send(datagram)
        # Its buffer keeps the newest packet of everybody to itself.
        ears.want(AT_ONCE * (turn + 1) - PEOPLE)
        began = time.process_time()
        for _ in range(AT_ONCE):
            reader.callback(inside.recv(2048))
        assert ears.enough.wait(DEADLINE_SECONDS), ears.frames
        spent += time.process_time() - began if turn >= WARM_UP else 0.0
    tell({"us": 1e6 * spent / (AT_ONCE * ROUNDS)})
    os._exit(0)


def client() -> SimpleNamespace:
    """What a reader asks of its client."""
    owners = {FIRST_SSRC + place: FIRST_USER + place for place in range(PEOPLE)}
    people = {user: SimpleNamespace(id=user) for user in owners.values()}
    return SimpleNamespace(
        mode="aead_xchacha20_poly1305_rtpsize",
        secret_key=[7] * 32,
        _ssrc_to_id=owners,
        _get_id_from_ssrc=owners.get,
        guild=SimpleNamespace(get_member=people.get),
        client=SimpleNamespace(get_user=people.get),
        dispatch_sink=lambda *_: None,
    )


def joined(python: str, count: int):
    """Join the people whom `python` of the project makes talk; the session, and what they say."""
    session = davey.DaveSession(1, USER, CHANNEL)
    with subprocess.Popen(
        [python, "-m", "tests.benchmarks.receive.for_peer", str(count)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as people:

        def say(op: int, body: bytes) -> None:
            print(op, body.hex(), file=people.stdin, flush=True)

        say(26, session.get_serialized_key_package())
        datagrams = []
        for line in people.stdout:
            op, body = line.split()
            if op == "0":
                datagrams.append(bytes.fromhex(body))
            elif (answer := _read(session, int(op), bytes.fromhex(body))) is not None:
                say(28, answer)
            if session.ready and len(session.get_user_ids()) == PEOPLE + 1 and not people.stdin.closed:
                people.stdin.close()
    return session, iter(datagrams)


main(sys.argv[1])
