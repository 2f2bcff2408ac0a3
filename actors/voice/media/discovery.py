"""Asking a voice server from which address his own datagrams come, some times, because one may be lost."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address
from typing import Final

from actors.voice.media import opening
from actors.voice.media.acts import Acts, SendText, SendUdp

QUESTIONS: Final = 5
PATIENCE: Final = 1.0
"""Seconds between two questions, and after the last."""
_BYTES: Final = 74


class Discovery:
    """The questions for one stream, whose sound will be encrypted by `mode`."""

    def __init__(self, ssrc: int, mode: str) -> None:
        self._ssrc = ssrc
        self._mode = mode
        self._asked = 0
        self.due = 0.0
        """When the next question, or the end of patience, is due; monotonic seconds."""

    def ask(self, now: float) -> Acts:
        """The next question; nothing if enough were asked."""
        if self._asked == QUESTIONS:
            return ()
        self._asked += 1
        self.due = now + PATIENCE
        return (SendUdp(datagram=_question(self._ssrc)),)

    def answer(self, datagram: bytes) -> SendText | None:
        """The choice of the protocol with his own address, if this datagram says it."""
        found = _answer(datagram, self._ssrc)
        return found and opening.select(address=found[0], port=found[1], mode=self._mode)


def _question(ssrc: int) -> bytes:
    """The datagram that asks the voice server from which address it comes."""
    return b"\x00\x01\x00\x46" + ssrc.to_bytes(4, "big") + bytes(66)


def _answer(datagram: bytes, ssrc: int) -> tuple[str, int] | None:
    """His own address and port, if this is the answer to his own question."""
    if len(datagram) != _BYTES or datagram[:8] != b"\x00\x02\x00\x46" + ssrc.to_bytes(4, "big"):
        return None
    try:
        address = str(IPv4Address(datagram[8:72].partition(b"\x00")[0].decode("ascii")))
    except (AddressValueError, UnicodeDecodeError):
        return None
    port = int.from_bytes(datagram[72:], "big")
    return (address, port) if port else None
