"""A voice line to test: its Link, a group that does as it is told, and the frames of a server."""

import json
from dataclasses import dataclass, field

from actors.voice.media.acts import Act, Acts, GroupChanged, Lost, SendBinary, SendText
from actors.voice.media.close_codes import Plan
from actors.voice.media.group import DaveTrouble
from actors.voice.media.link import Link

USER, GUILD, CHANNEL, SSRC = 100, 200, 300, 7
ADA, BEA = 11, 12
SESSION, TOKEN = "the-session", "the-token"
GCM, XCHACHA = "aead_aes256_gcm_rtpsize", "aead_xchacha20_poly1305_rtpsize"
KEY = bytes(range(32))


@dataclass
class Keys:
    """A group whose letters are words: `wrong...` is refused with the word behind it as its kind."""

    version: int = 0
    keys: bool = False
    epoch: int | None = None
    privacy_code: str = ""
    plain: bool = False
    unavailable: bool = False
    heard: list[str] = field(default_factory=list)
    known: frozenset[int] = frozenset()

    members: frozenset[int] = frozenset()

    @property
    def ready(self) -> bool:
        return self.version == 0 or self.keys

    def agree(self, version: int) -> None:
        self.version = version

    def begin(self) -> bytes:
        if self.unavailable:
            raise DaveTrouble("UnsupportedProtocolVersion")
        self.keys, self.epoch, self.privacy_code = False, None, ""
        self.heard.append("begin")
        return b"package"

    def external_sender(self, body: bytes) -> None:
        self._hear("sender", body)

    def proposals(self, append: bool, body: bytes, known: frozenset[int]) -> bytes | None:
        self.known = known
        self._hear("append" if append else "revoke", body)
        return b"commit" if append else None

    def commit(self, body: bytes) -> None:
        self._hear("commit", body)
        self._grow()

    def welcome(self, body: bytes) -> None:
        self._hear("welcome", body)
        self._grow()

    def allow_plain(self, allowed: bool) -> None:
        self.plain = allowed

    def seal(self, frame: bytes) -> bytes:
        return frame

    def open(self, user: int, frame: bytes) -> bytes:
        return frame

    def _hear(self, what: str, body: bytes) -> None:
        if body.startswith(b"wrong"):
            raise DaveTrouble(body[5:].decode("latin-1") or "Wrong")
        self.heard.append(f"{what} {body.decode('latin-1')}")

    def _grow(self) -> None:
        self.keys, self.epoch = True, (self.epoch or 0) + 1
        self.privacy_code = f"code {self.epoch}"


def frame(op: int, d: object, seq: int | None = None) -> str:
    return json.dumps({"op": op, "d": d} | ({} if seq is None else {"seq": seq}))


def letter(op: int, body: bytes, seq: int = 0) -> bytes:
    return seq.to_bytes(2, "big") + bytes([op]) + body


def numbered(transition: int, body: bytes) -> bytes:
    return transition.to_bytes(2, "big") + body


HELLO = frame(8, {"v": 8, "heartbeat_interval": 4000.0})
READY = frame(2, {"ssrc": SSRC, "ip": "127.0.0.1", "port": 5004, "modes": [XCHACHA, "other", GCM]})
ACKNOWLEDGED = frame(6, {"t": 1})
RESUMED = frame(9, None)
ANSWER = b"\0\2\0\x46" + SSRC.to_bytes(4, "big") + b"192.0.2.1".ljust(64, b"\0") + (4321).to_bytes(2, "big")
QUESTION = b"\0\1\0\x46" + SSRC.to_bytes(4, "big") + bytes(66)


def description(version: int = 1, mode: str = GCM) -> str:
    return frame(4, {"mode": mode, "secret_key": list(KEY), "dave_protocol_version": version})


class Line:
    """A Link that is at some point of its life, and the time."""

    def __init__(self, jitter: float = 0.5) -> None:
        self.now = 1000.0
        self.group = Keys()
        self.link = Link(
            user=USER,
            guild=GUILD,
            session=SESSION,
            token=TOKEN,
            group=self.group,
            jitter=jitter,
            modes=(GCM, XCHACHA),
        )

    def connected(self) -> Acts:
        return self.link.connected(self.now)

    def text(self, text: str) -> Acts:
        return self.link.text(text, self.now)

    def op(self, op: int, d: object, seq: int | None = None) -> Acts:
        return self.text(frame(op, d, seq))

    def binary(self, op: int, body: bytes, seq: int = 0) -> Acts:
        return self.link.binary(letter(op, body, seq), self.now)

    def datagram(self, datagram: bytes) -> Acts:
        return self.link.datagram(datagram, self.now)

    def closed(self, code: int | None) -> Acts:
        return self.link.closed(code, self.now)

    def work(self) -> Acts:
        return self.link.work(self.now)

    def all_work(self) -> Acts:
        acts: Acts = ()
        while self.link.work_waiting:
            acts += self.work()
        return acts

    def wait(self, seconds: float) -> Acts:
        """Time goes by, with a tick whenever one is due."""
        end = self.now + seconds
        acts: Acts = ()
        while (due := self.link.due) is not None and due <= end:
            self.now = max(self.now, due)
            acts += self.link.tick(self.now)
        self.now = end
        return acts


def up(version: int = 1) -> Line:
    """A line whose sound flows and whose group has begun."""
    line = Line()
    line.connected()
    line.text(HELLO)
    line.text(READY)
    line.datagram(ANSWER)
    line.text(description(version))
    line.all_work()
    return line


def in_a_group() -> Line:
    """A line on which end-to-end encryption works, with Ada."""
    line = up()
    line.op(11, {"user_ids": [str(ADA)]})
    line.binary(30, numbered(0, b"in"))
    line.all_work()
    return line


def said(acts: Acts) -> list[tuple[int, object]]:
    """The opcodes and contents of what is sent on the websocket."""
    found: list[tuple[int, object]] = []
    for act in acts:
        if isinstance(act, SendText):
            parsed = json.loads(act.text)
            found.append((parsed["op"], parsed["d"]))
        elif isinstance(act, SendBinary):
            found.append((act.body[0], act.body[1:]))
    return found


def others(acts: Acts) -> list[Act]:
    """What is not sent on the websocket."""
    return [act for act in acts if not isinstance(act, (SendText, SendBinary))]


def news(acts: Acts) -> list[GroupChanged]:
    return [act for act in acts if isinstance(act, GroupChanged)]


def lost(acts: Acts) -> tuple[int | None, Plan, str] | None:
    """Why the line is over, if it is."""
    found = [(act.code, act.plan, act.reason) for act in acts if isinstance(act, Lost)]
    assert len(found) < 2
    return found[0] if found else None
