"""What the libraries alone cost on the same bytes, called with nothing of the product around them."""

from __future__ import annotations

import ctypes
import queue
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

import davey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from actors.audio.opus import OpusDecoder, OpusEncoder, load_opus
from actors.audio.pcm import FRAME_SAMPLES
from actors.voice.media.rtp import COUNTER_BYTES, Outgoing, Packet, parse
from tests.benchmarks.hot_paths import DEADLINE_SECONDS, Receiving, Sending
from tests.benchmarks.receive.ears import KEY
from tests.benchmarks.receive.people import FIRST_SSRC

MOST_SAMPLES: Final = 2_880
MOST_BYTES: Final = 4_000
REST: Final = bytes(8)
"""What follows the counter in a nonce."""


class Sealed(NamedTuple):
    """A packet cut into what its cipher is given."""

    user: int
    nonce: bytes
    sealed: bytes
    header: bytes


class BareReceiving:
    """Opens, with the keys of the last of the people, the packets of all others."""

    def __init__(self, path: Receiving) -> None:
        *others, last = path.ears.groups
        self._users = {FIRST_SSRC + place: user for place, user in enumerate(others)}
        self._decoders = {user: OpusDecoder() for user in self._users.values()}
        self._states = {user: decoder._state for user, decoder in self._decoders.items()}
        self._opus: Any = load_opus()
        self._room = ctypes.create_string_buffer(2 * MOST_SAMPLES)
        self._session = _session(path.ears.groups[last])
        self._aead = AESGCM(KEY)

    def cut(self, packets: Sequence[bytes]) -> list[Sealed]:
        """What `open` takes."""
        parsed = ((packet, parse(packet)) for packet in packets)
        return [
            self._cut(packet, envelope)
            for packet, envelope in parsed
            if isinstance(envelope, Packet) and envelope.ssrc in self._users
        ]

    def open(self, packets: Sequence[Sealed]) -> None:
        """What is measured: the lock of the road, that of the group, and Opus."""
        decrypt, decode, audio = self._aead.decrypt, self._opus.opus_decode, davey.MediaType.audio
        for user, nonce, sealed, header in packets:
            opus = self._session.decrypt(user, audio, decrypt(nonce, sealed, header))
            decode(self._states[user], opus, len(opus), self._room, MOST_SAMPLES, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for decoder in self._decoders.values():
            decoder.close()

    def _cut(self, packet: bytes, envelope: Packet) -> Sealed:
        clear, end = envelope.header, len(packet) - COUNTER_BYTES
        return Sealed(self._users[envelope.ssrc], packet[end:] + REST, packet[clear:end], packet[:clear])


class BareSending:
    """Encodes, locks and sends the same frames with the keys of the twin, to the same voice server."""

    def __init__(self, path: Sending) -> None:
        self._encoder = OpusEncoder()
        self._opus: Any = load_opus()
        self._packet = ctypes.create_string_buffer(MOST_BYTES)
        self._session = _session(path.twin)
        self._aead = AESGCM(KEY)
        self._headers = Outgoing(7, lambda _: 0)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.connect(path.server.getsockname())

    def headers(self, count: int) -> list[bytes]:
        """What `say` takes beside sound."""
        return [self._headers.next() for _ in range(count)]

    def say(self, pcm: Sequence[bytes], headers: Sequence[bytes]) -> None:
        """What is measured: Opus, the lock of the group, that of the road, and the socket."""
        encode, encrypt, state, packet = (
            self._opus.opus_encode,
            self._aead.encrypt,
            self._encoder._state,
            self._packet,
        )
        for number, (frame, header) in enumerate(zip(pcm, headers, strict=True)):
            length = encode(state, frame, FRAME_SAMPLES, packet, MOST_BYTES)
            sealed = self._session.encrypt_opus(ctypes.string_at(packet, length))
            counter = number.to_bytes(COUNTER_BYTES, "big")
            self._socket.send(header + encrypt(counter + REST, sealed, header) + counter)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._encoder.close()
        self._socket.close()


def _session(group: Any) -> davey.DaveSession:
    session = group._session
    assert isinstance(session, davey.DaveSession)
    return session


class BareHopping:
    """Two threads who play the same ball with a queue each, and nothing of an actor."""

    def __init__(self) -> None:
        self._queues = tuple(queue.SimpleQueue[int]() for _ in range(2))
        self._spent: queue.SimpleQueue[float] = queue.SimpleQueue()

    def play(self, hops: int) -> float:
        """What is measured: so many hops; the CPU of both, in seconds."""
        ends = (self._queues, self._queues[::-1])
        threads = [threading.Thread(target=self._return, args=queues) for queues in ends]
        for thread in threads:
            thread.start()
        self._queues[0].put(hops)
        for thread in threads:
            thread.join(DEADLINE_SECONDS)
        return sum(self._spent.get(timeout=DEADLINE_SECONDS) for _ in threads)

    def _return(self, mine: queue.SimpleQueue[int], other: queue.SimpleQueue[int]) -> None:
        left = mine.get()
        began = time.thread_time()
        while left > 0:
            other.put(left - 1)
            if left == 1:
                break
            left = mine.get()
        self._spent.put(time.thread_time() - began)
