"""The fixed words of a voice line: all that it ever writes on its websocket."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from actors.voice.media.acts import SendBinary, SendText

DAVE_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """Who he is to this voice server, in this session."""

    user: int
    guild: int
    session: str = field(repr=False)
    token: str = field(repr=False)

    def identify(self) -> SendText:
        """Op 0."""
        dave = {"max_dave_protocol_version": DAVE_VERSION}
        return _text(0, {**self._session(), "user_id": str(self.user), **dave})

    def resume(self, seq_ack: int) -> SendText:
        """Op 7: go on after the letter with the number `seq_ack`; -1 is before the first."""
        return _text(7, {**self._session(), "seq_ack": seq_ack})

    def _session(self) -> dict[str, str]:
        return {"server_id": str(self.guild), "session_id": self.session, "token": self.token}


def select(*, address: str, port: int, mode: str) -> SendText:
    """Op 1: where his sound comes from, and how it will be encrypted."""
    return _text(1, {"protocol": "udp", "data": {"address": address, "port": port, "mode": mode}})


def heartbeat(*, now: float, seq_ack: int) -> SendText:
    """Op 3."""
    return _text(3, {"t": int(now * 1000), "seq_ack": seq_ack})


def speaking(*, ssrc: int, on: bool) -> SendText:
    """Op 5."""
    return _text(5, {"speaking": int(on), "delay": 0, "ssrc": ssrc})


def transition_ready(transition: int) -> SendText:
    """Op 23: from op 22 on he can do as was announced."""
    return _text(23, {"transition_id": transition})


def invalid(transition: int) -> SendText:
    """Op 31: a commit or a welcome was of no use; he must be added anew."""
    return _text(31, {"transition_id": transition})


def key_package(body: bytes) -> SendBinary:
    """Op 26."""
    return SendBinary(body=b"\x1a" + body)


def commit_welcome(body: bytes) -> SendBinary:
    """Op 28."""
    return SendBinary(body=b"\x1c" + body)


def choose(modes: Sequence[str], known: Sequence[str]) -> str | None:
    """The best known mode that is offered."""
    return next((mode for mode in known if mode in modes), None)


def _text(op: int, d: Mapping[str, object]) -> SendText:
    return SendText(text=json.dumps({"op": op, "d": d}, separators=(",", ":")))
