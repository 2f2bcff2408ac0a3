"""A good client of a voice server, as a person's own application is: websocket, sound and group."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import aiohttp

from tests.loopback.discord.voice import rtp, wire
from tests.loopback.discord.voice.member import Answer, Member
from tests.loopback.discord.voice.session import RESUMABLE
from tests.loopback.discord.voice.wire import Body, Op, number

SLOT_SAMPLES: Final = 960
_DISCOVERY_SECONDS: Final = 0.2
_OPEN_SECONDS: Final = 3.0
_TRIES: Final = 5
"""How many lines in a row may fail before he gives up."""
_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One packet of somebody else that could be read; `at` is monotonic, `user` 0 where nobody named him."""

    at: float
    user: int
    ssrc: int
    sequence: int
    timestamp: int
    opus: bytes

    @property
    def silent(self) -> bool:
        """Whether it is the packet that says nothing."""
        return self.opus == rtp.SILENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What lets somebody in: from the main gateway."""

    user: int
    guild: int
    channel: int
    session: str
    token: str
    endpoint: str


class Client:
    """One visit to a channel, with its resumes; only on the loop's thread."""

    def __init__(
        self,
        admitted: Pass,
        *,
        http: aiohttp.ClientSession,
        modes: tuple[str, ...],
        dave: int,
        hear: Callable[[Heard], None],
        changed: Callable[[], None],
    ) -> None:
        self.member = Member(admitted.user, admitted.channel)
        self.known: set[int] = set()
        """Who else is there."""
        self.speakers: dict[int, int] = {}
        """Users by SSRC."""
        self.identify_with: Body = {}
        """What he says in his IDENTIFY instead of what is right."""
        self.up = False
        """Whether he may send and hear: from the session description on."""
        self.ssrc = 0
        self.resumed = 0
        self.closed_with: int | None = None
        self.unreadable: Counter[str] = Counter()
        """Packets of others that could not be read, by kind; `Plain` is the one that must not be."""
        self.withheld = 0
        """Frames that did not leave because the group was not ready."""
        self.admitted = admitted
        self._http = http
        self._modes = modes
        self._dave = dave
        self._hear = hear
        self._changed = changed
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._transport: asyncio.Transport | None = None
        self._out: asyncio.Queue[str | bytes] = asyncio.Queue(10_000)
        self._seq = -1
        self._udp: socket.socket | None = None
        self._cipher: rtp.Cipher | None = None
        self._sequence = random.getrandbits(16)
        self._timestamp = random.getrandbits(32)
        self._counter = 0
        self._interval = 5.0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._kept_alive = 0

    # --- his life ---------------------------------------------------------------------------------

    async def run(self) -> None:
        """Connect, come back after every break that allows it, and end when he is shut out."""
        attempts = 0
        try:
            while attempts <= _TRIES:
                before = self.resumed
                try:
                    code = await self._one_line(resume=self._seq >= 0 and self.up)
                except (aiohttp.ClientError, OSError, TimeoutError):
                    code = 1006
                    await self._pause(0.1)
                self.closed_with = code
                self._changed()
                attempts = 0 if self.resumed > before else attempts + 1
                if code not in RESUMABLE:
                    return
        finally:
            self._end()

    def leave(self) -> None:
        """Say goodbye, if the connection is still there."""
        if self._socket is not None:
            task = asyncio.ensure_future(self._socket.close(code=1000))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def abort(self) -> None:
        """Break his own TCP connection."""
        if self._transport is not None:
            self._transport.abort()

    # --- sound ------------------------------------------------------------------------------------

    def send(self, opus: bytes, *, open_to_all: bool = False) -> bool:
        """Send one packet of 20 ms; false if it had to be withheld. `open_to_all` skips his own sealing."""
        sealed = opus if open_to_all else self.member.seal(opus)
        self._timestamp += SLOT_SAMPLES
        if sealed is None or self._cipher is None or self._udp is None:
            self.withheld += 1
            return False
        self._sequence += 1
        self._counter += 1
        header = rtp.header(self._sequence, self._timestamp, self.ssrc)
        self.throw(self._cipher.seal(header, sealed, self._counter))
        return True

    def throw(self, datagram: bytes) -> None:
        """Send any bytes to the server."""
        if self._udp is not None:
            try:
                self._udp.send(datagram)
            except OSError:
                self.unreadable["refused"] += 1

    def speaking(self, *, on: bool) -> None:
        """Op 5."""
        self._say(Op.SPEAKING, {"speaking": int(on), "delay": 0, "ssrc": self.ssrc})

    # --- the websocket ----------------------------------------------------------------------------

    async def _one_line(self, *, resume: bool) -> int:
        url = f"wss://{self.admitted.endpoint}/?v=8"
        async with asyncio.timeout(_OPEN_SECONDS):
            opened = await self._http.ws_connect(url, ssl=False, timeout=_QUICKLY)
        self._socket = opened
        self._transport = opened._conn.transport if opened._conn else None
        self._out = asyncio.Queue(10_000)
        writer = asyncio.get_running_loop().create_task(self._write(opened))
        try:
            self._resume() if resume else self._identify()
            self._beat()
            async for message in opened:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self._text(str(message.data))
                elif message.type is aiohttp.WSMsgType.BINARY:
                    self._binary(bytes(message.data))
                self._changed()
            return opened.close_code or 1006
        finally:
            self._socket = None
            writer.cancel()
            await asyncio.gather(writer, opened.close(), return_exceptions=True)
            self.abort()  # else TLS would still be saying goodbye when the loop ends

    async def _write(self, opened: aiohttp.ClientWebSocketResponse) -> None:
        try:
            while True:
                frame = await self._out.get()
                await (opened.send_str(frame) if isinstance(frame, str) else opened.send_bytes(frame))
        except (ConnectionError, RuntimeError):
            pass  # the reader sees it as well

    def _identify(self) -> None:
        came = self.admitted
        body: dict[str, object] = {"server_id": str(came.guild), "session_id": came.session}
        body |= {"user_id": str(came.user)}
        body |= {"token": came.token, "max_dave_protocol_version": self._dave}
        self._say(Op.IDENTIFY, {**body, **self.identify_with})

    def _resume(self) -> None:
        came = self.admitted
        body = {"server_id": str(came.guild), "session_id": came.session, "token": came.token}
        self._say(Op.RESUME, {**body, "seq_ack": self._seq})

    def _text(self, message: str) -> None:
        read = wire.read_text(message)
        if read is None:
            return
        op, body, seq = read
        self._seq = self._seq if seq is None else seq
        match op:
            case Op.HELLO:
                self._interval = min(5.0, number(body, "heartbeat_interval", 5_000) / 1000)
                self._beat()
            case Op.READY:
                self._open_udp(body)
            case Op.DESCRIPTION:
                self._described(body)
            case Op.RESUMED:
                self.resumed += 1
            case Op.SPEAKING:
                self.speakers[number(body, "ssrc")] = number(body, "user_id")
            case Op.CLIENTS_CONNECT:
                names = body.get("user_ids")
                self.known |= {int(str(name)) for name in names} if isinstance(names, list) else set()
            case Op.CLIENT_DISCONNECT:
                self.known.discard(number(body, "user_id"))
            case _:
                self._answer(self.member.hear(op, body))

    def _binary(self, frame: bytes) -> None:
        read = wire.read_binary(frame)
        if read is not None:
            self._seq, op, body = read
            self._answer(self.member.hear_binary(op, body, self.known))

    def _answer(self, answers: list[Answer]) -> None:
        for op, body in answers:
            if isinstance(body, bytes):
                self._out.put_nowait(bytes([op]) + body)
            else:
                self._say(op, body)

    def _say(self, op: Op, body: Body) -> None:
        self._out.put_nowait(wire.text(op, body))

    def _described(self, body: Body) -> None:
        key = body.get("secret_key")
        assert isinstance(key, list)
        self._cipher, self._counter = rtp.cipher(str(body.get("mode")), bytes(key)), 0
        self.up = True
        self._answer(self.member.begin(number(body, "dave_protocol_version"), self.known))
        self.speaking(on=False)

    def _beat(self) -> None:
        if self._socket is not None:
            self._say(Op.HEARTBEAT, {"t": int(time.time() * 1000), "seq_ack": self._seq})
            self._kept_alive += 1
            self.throw(self._kept_alive.to_bytes(8, "little"))
            self._later("beat", self._interval, self._beat)

    # --- UDP --------------------------------------------------------------------------------------

    def _open_udp(self, body: Body) -> None:
        self._close_udp()  # of a line that broke before it was of use
        self.ssrc = number(body, "ssrc")
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        opened.setblocking(False)
        opened.connect((str(body.get("ip")), number(body, "port")))
        self._udp = opened
        asyncio.get_running_loop().add_reader(opened, self._readable)
        self._discover(list(map(str, offered)) if isinstance(offered := body.get("modes"), list) else [])

    def _discover(self, offered: list[str]) -> None:
        self._offered = offered
        self.throw(wire.discovery_request(self.ssrc))
        self._later("discovery", _DISCOVERY_SECONDS, lambda: self._discover(offered))

    def _discovered(self, address: str, port: int) -> None:
        timer = self._timers.pop("discovery", None)
        if timer is not None:
            timer.cancel()
            mode = next(mode for mode in self._modes if mode in self._offered)
            inner = {"address": address, "port": port, "mode": mode}
            self._say(Op.SELECT_PROTOCOL, {"protocol": "udp", "data": inner})

    def _readable(self) -> None:
        for _ in range(_AT_ONCE):
            if self._udp is None:
                break
            try:
                datagram = self._udp.recv(2048)
            except (BlockingIOError, InterruptedError):
                break
            except OSError:  # the port was closed
                self.unreadable["refused"] += 1
                break
            self._came(datagram)
        self._changed()

    def _came(self, datagram: bytes) -> None:
        if found := wire.read_discovery(datagram, 2):
            self._discovered(found[1], found[2])
            return
        clear = rtp.parse(datagram)
        if clear is None or self._cipher is None:
            self.unreadable["NoPacket"] += 1
            return
        opened = self._cipher.open(clear.clear, datagram)
        if opened is None:
            self.unreadable["NotAuthentic"] += 1
            return
        user = self.speakers.get(clear.ssrc, 0)
        opus = self.member.open(user, rtp.strip(clear, opened))
        if isinstance(opus, str):
            self.unreadable[opus] += 1
            return
        at, sequence, timestamp = time.monotonic(), clear.sequence, clear.timestamp
        self._hear(
            Heard(at=at, user=user, ssrc=clear.ssrc, sequence=sequence, timestamp=timestamp, opus=opus)
        )

    # --- time -------------------------------------------------------------------------------------

    def _later(self, name: str, seconds: float, what: Callable[[], None]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, what)

    async def _pause(self, seconds: float) -> None:
        over = asyncio.Event()
        self._later("pause", seconds, over.set)
        await over.wait()

    def _end(self) -> None:
        self.up = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._close_udp()
        self._changed()

    def _close_udp(self) -> None:
        if self._udp is not None:
            asyncio.get_running_loop().remove_reader(self._udp)
            self._udp.close()
            self._udp = None


_QUICKLY: Final = aiohttp.ClientWSTimeout(ws_close=0.5)  # pyright: ignore[reportCallIssue]  # it is made by attrs
