"""One client as the voice server knows him: he outlives the connections that he comes back on."""

from __future__ import annotations

import os
from collections import deque
from typing import Final, Protocol

from tests.loopback.discord.voice.record import Record
from tests.loopback.discord.voice.rtp import Cipher, cipher
from tests.loopback.discord.voice.wire import UNNUMBERED, Body, Op, binary, text

REMEMBERED: Final = 2_000
"""How many frames can be sent again after a RESUME."""
RESUMABLE: Final = frozenset({1001, 1006, 4000, 4015})
"""Codes after which the session is still there to be resumed."""


class Line(Protocol):
    """The connection that a session is on at the moment."""

    half_open: bool
    """Whether nothing passes any more although nobody closed it."""

    def put(self, frame: str | bytes) -> None:
        """Send a frame after those that wait; never blocks."""
        ...

    def stop_reading(self) -> None:
        """Let what the client says back up; what is sent still arrives."""
        ...

    def end(self, code: int) -> None:
        """Close with a code after those that wait; 1006 aborts at once."""
        ...


class Session:
    """What was agreed with one client, and what he was told; only on the loop's thread."""

    def __init__(self, *, user: int, guild: int, channel: int, token: str, session: str, ssrc: int) -> None:
        self.user = user
        self.guild = guild
        self.channel = channel
        self.token = token
        self.session = session
        self.ssrc = ssrc
        self.dave = 0
        """The highest DAVE version of the client."""
        self.version = 0
        """The DAVE version that is in force for him."""
        self.line: Line | None = None
        self.over = False
        """Whether it can be resumed no more."""
        self.address: tuple[str, int] | None = None
        """Where his datagrams come from, since he asked for it."""
        self.listens_at: tuple[str, int] | None = None
        """Where he says (op 1) that his sound should be sent; nowhere else is it sent."""
        self.cipher: Cipher | None = None
        self.key = b""
        self.speaking: Body | None = None
        """His last op 5."""
        self.counter = 0
        self.record = Record(user=user, guild=guild, channel=channel, ssrc=ssrc)
        self.held: list[tuple[int, Body]] | None = None
        """Ops that wait until proposals have gone out; None where nothing is held back."""
        self._seq = -1
        self._sent: deque[tuple[int, str | bytes]] = deque(maxlen=REMEMBERED)

    @property
    def described(self) -> bool:
        """Whether he has a key: from then on he is in the channel."""
        return self.cipher is not None

    def describe(self, mode: str) -> None:
        """Agree on a mode, with a new random key."""
        self.key = os.urandom(32)
        self.cipher = cipher(mode, self.key)
        self.record.mode = mode

    def say(self, op: int, body: object) -> None:
        """Send a JSON message, numbered where Discord numbers it."""
        inner: Body = body if isinstance(body, dict) else {"": body}
        if self.held is not None and op == Op.CLIENTS_CONNECT:
            self.held.append((op, inner))
            return
        seq = None if op in UNNUMBERED else self._next()
        frame = text(op, body, seq)
        self.record.said(by_server=True, op=op, body=inner)
        self._send(seq, frame)

    def say_binary(self, op: int, body: bytes) -> None:
        """Send a binary message; they are all numbered."""
        seq = self._next()
        self.record.said(by_server=True, op=op, body=body)
        self._send(seq, binary(op, body, seq))
        if op == Op.PROPOSALS and self.held is not None:
            held, self.held = self.held, None
            for late, inner in held:
                self.say(late, inner)

    def say_raw(self, frame: str | bytes) -> None:
        """Send a frame as it is, numbered by nobody."""
        self.record.said(by_server=True, op=-1, body=frame if isinstance(frame, bytes) else {"": frame})
        self._send(None, frame)

    def replay(self, after: int) -> int:
        """Send again whatever has a higher number; how much that was."""
        missed = [frame for seq, frame in self._sent if seq > after]
        for frame in missed:
            self._send(None, frame)
        return len(missed)

    def end(self, code: int) -> None:
        """Close his connection with a code, which decides whether he may come back to this session."""
        self.over = self.over or code not in RESUMABLE
        line, self.line = self.line, None
        if line is not None:
            self.record.closed.append(code)
            line.end(code)

    def _next(self) -> int:
        self._seq = (self._seq + 1) & 0xFFFF
        return self._seq

    def _send(self, seq: int | None, frame: str | bytes) -> None:
        if seq is not None:
            self._sent.append((seq, frame))
        if self.line is not None:
            self.line.put(frame)
