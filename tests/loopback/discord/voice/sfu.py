"""The forwarding unit: one UDP socket that passes everybody's packets on to everybody else in the channel."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from tests.loopback.discord.voice import rtp, wire
from tests.loopback.discord.voice.faults import Faults
from tests.loopback.discord.voice.record import Arrival, kind_of
from tests.loopback.discord.voice.session import Session

HOST: Final = "127.0.0.1"
_KERNEL_TIME: Final = 35
"""SO_TIMESTAMPNS of Linux."""
_ANCILLARY_BYTES: Final = 64
_EXTENSION: Final = b"\x10\x7f\x00\x00"
"""One element, the level of the sound, filled up to a word."""
_PADDING: Final = bytes(5) + b"\x06"
_KEEPALIVE_BYTES: Final = 8
_AT_ONCE: Final = 64

Neighbours = Callable[[Session], list[Session]]
"""Who else is in a session's channel."""


class Sfu:
    """One port of one voice server; only on the loop's thread."""

    def __init__(self, faults: Faults, neighbours: Neighbours, changed: Callable[[], None]) -> None:
        self.port = 0
        self.strays: Counter[str] = Counter()
        """Datagrams that belong to nobody."""
        self.dropped: Counter[str] = Counter()
        """Datagrams that the kernel did not take, or that the black hole took."""
        self._faults = faults
        self._neighbours = neighbours
        self._changed = changed
        self._socket: socket.socket | None = None
        self._by_ssrc: dict[int, Session] = {}
        self._by_address: dict[tuple[str, int], Session] = {}
        self._hole_until = 0.0
        self._forwarded = 0

    def open(self) -> None:
        """Bind the port: a free one the first time, the same one again after `close`."""
        if self._socket is not None:
            return
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        with contextlib.suppress(OSError):
            opened.setsockopt(socket.SOL_SOCKET, _KERNEL_TIME, 1)
        opened.bind((HOST, self.port))
        self.port = int(opened.getsockname()[1])
        self._socket = opened
        asyncio.get_running_loop().add_reader(opened, self._readable)

    def close(self) -> None:
        """Close the port: whoever sends to it is refused."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None

    def swallow(self, seconds: float) -> None:
        """Be a black hole in both directions for so long."""
        self._hole_until = time.monotonic() + seconds

    def add(self, session: Session) -> None:
        """Expect a client under his SSRC."""
        self._by_ssrc[session.ssrc] = session

    def remove(self, session: Session) -> None:
        """Expect him no more."""
        if self._by_ssrc.get(session.ssrc) is session:
            del self._by_ssrc[session.ssrc]
        if session.address and self._by_address.get(session.address) is session:
            del self._by_address[session.address]

    def throw(self, session: Session, datagram: bytes) -> None:
        """Send a client any bytes."""
        if session.address:
            self._send(session.address, datagram)

    def forward(self, clear: rtp.Packet, frame: bytes, targets: Iterable[Session]) -> None:
        """Seal a frame anew for each target, under the numbers that its speaker gave it."""
        for target in targets:
            if target.cipher is None or target.address is None or target.address != target.listens_at:
                continue
            self._make_noise(target)
            datagram = self._seal(target, clear, frame)
            for arrives in self._faults.downstream.carry(target.ssrc << 32 | clear.ssrc, datagram):
                self._send(target.address, arrives)

    # --- receiving --------------------------------------------------------------------------------

    def _readable(self) -> None:
        for _ in range(_AT_ONCE):
            if self._socket is None:
                return
            try:
                datagram, ancillary, _, address = self._socket.recvmsg(2048, _ANCILLARY_BYTES)
            except (BlockingIOError, InterruptedError):
                break
            except OSError:  # an ICMP answer to something that we sent
                self.dropped["refused"] += 1
                continue
            self._came(datagram, address, _arrived(ancillary))
        self._changed()

    def _came(self, datagram: bytes, address: tuple[str, int], at: float) -> None:
        if at < self._hole_until:
            self.dropped["hole"] += 1
            return
        asked = wire.read_discovery(datagram, 1)
        if asked:
            self._discover(asked[0], address, at)
        elif len(datagram) == _KEEPALIVE_BYTES:
            self._keep_alive(datagram, address, at)
        else:
            stream = hash(address) & 0xFFFFFFFF
            for arrives in self._faults.upstream.carry(stream, datagram):
                self._sound(arrives, address, at)

    def _discover(self, ssrc: int, address: tuple[str, int], at: float) -> None:
        session = self._by_ssrc.get(ssrc)
        if session is None:
            self.strays["discovery"] += 1
            return
        session.record.discoveries.append(at)
        if self._faults.lose_discoveries > 0:
            self._faults.lose_discoveries -= 1
            return
        session.address = address
        self._by_address[address] = session
        self._send(address, wire.discovery_reply(ssrc, *address))

    def _keep_alive(self, datagram: bytes, address: tuple[str, int], at: float) -> None:
        session = self._by_address.get(address)
        if session is None:
            self.strays["keepalive"] += 1
            return
        session.record.keepalives.append(at)
        self._send(address, datagram)

    def _sound(self, datagram: bytes, address: tuple[str, int], at: float) -> None:
        clear = rtp.parse(datagram)
        session = self._by_ssrc.get(clear.ssrc) if clear else self._by_address.get(address)
        if session is None or session.address != address:
            self.strays["sound"] += 1
        elif clear is None:
            session.record.unfit["no_packet"] += 1
        elif session.cipher is None:
            session.record.unfit["before_description"] += 1
        elif session.speaking is None:
            session.record.unfit["before_speaking"] += 1
        elif (opened := session.cipher.open(clear.clear, datagram)) is None:
            session.record.unfit["not_authentic"] += 1
        else:
            self._pass_on(session, clear, rtp.strip(clear, opened), at)

    def _pass_on(self, session: Session, clear: rtp.Packet, frame: bytes, at: float) -> None:
        others = self._neighbours(session)
        arrival = Arrival(
            at=at,
            sequence=clear.sequence,
            timestamp=clear.timestamp,
            counter=clear.counter,
            kind=kind_of(frame),
            size=len(frame),
            others=len(others),
            version=session.version,
        )
        session.record.arrivals.append(arrival)
        carries = self._faults.carries
        self.forward(clear, frame, [one for one in others if carries(session.user, one.user)])

    # --- sending ----------------------------------------------------------------------------------

    def _seal(self, target: Session, clear: rtp.Packet, frame: bytes) -> bytes:
        faults = self._faults
        self._forwarded += 1
        padded = bool(faults.padding_every) and self._forwarded % faults.padding_every == 0
        header = rtp.header(
            clear.sequence,
            clear.timestamp,
            clear.ssrc,
            csrcs=faults.csrcs,
            extended=1 if faults.extension else None,
            padded=padded,
            marker=clear.marker,
        )
        inner = (_EXTENSION if faults.extension else b"") + frame + (_PADDING if padded else b"")
        target.counter = (target.counter + 1) & 0xFFFFFFFF
        assert target.cipher
        return target.cipher.seal(header, inner, target.counter)

    def _make_noise(self, target: Session) -> None:
        faults, place = self._faults, self._forwarded
        assert target.address
        if faults.rtcp_every and place % faults.rtcp_every == 0:
            self._send(target.address, struct.pack(">BBHI", 0x80, 200, 6, target.ssrc) + os.urandom(44))
        if faults.garbage_every and place % faults.garbage_every == 0:
            self._send(target.address, os.urandom(1 + place % 90))

    def _send(self, address: tuple[str, int], datagram: bytes) -> None:
        if self._socket is None or time.monotonic() < self._hole_until:
            self.dropped["hole"] += 1
            return
        try:
            self._socket.sendto(datagram, address)
        except OSError:
            self.dropped["refused"] += 1


def _arrived(ancillary: list[tuple[int, int, bytes]]) -> float:
    """The monotonic time at which the kernel had the datagram, or now where it does not say."""
    now = time.monotonic()
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == _KERNEL_TIME and len(content) >= 16:
            seconds, nanoseconds = struct.unpack_from("qq", content)
            stamp = int(seconds) * 1_000_000_000 + int(nanoseconds)
            return now - (time.time_ns() - stamp) / 1e9
    return now
