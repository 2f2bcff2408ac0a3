"""One person's part in the end-to-end encryption: his keys, and the right answer to every op about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

import davey

from tests.loopback.discord.mls.codec import Reader, vector
from tests.loopback.discord.voice.rtp import DAVE_MARK, SILENCE
from tests.loopback.discord.voice.wire import Body, Op, number

Answer = tuple[Op, bytes | Body]
"""What to send back: a binary body, or the `d` of a JSON message."""

_TRANSITION: Final = 2
"""How many bytes before a commit or a welcome name its transition."""
_WHILE_DOWNGRADED_SECONDS: Final = 120
_AFTER_UPGRADE_SECONDS: Final = 10
PLAIN: Final = "Plain"
"""The word for a frame that was not encrypted where it had to be."""
WAITING: Final = 100
"""How many binary messages are kept that come before the session description."""


class Member:
    """A davey session with the manners of Discord's own clients; for one thread."""

    def __init__(self, user: int, channel: int) -> None:
        self.version = 0
        """The DAVE version in force, 0 for none."""
        self.errors: Counter[str] = Counter()
        """What went wrong with the group, `op:kind`."""
        self.recoveries = 0
        """How often he started again with op 31."""
        self.commits = True
        """Whether he sends commits. It saves him most of the work not to, but somebody has to."""
        self._user = user
        self._channel = channel
        self._session: davey.DaveSession | None = None
        self._pending: dict[int, int] = {}
        self._early: list[tuple[int, bytes]] = []
        self._unread: list[bytes] = []

    @property
    def ready(self) -> bool:
        """Whether he is in a group of more than himself."""
        return bool(self.version and self._session and self._session.ready)

    @property
    def privacy_code(self) -> str:
        """The code that people compare; empty without a group."""
        return (self._session.voice_privacy_code or "") if self._session else ""

    @property
    def people(self) -> frozenset[int]:
        """Who is in the group."""
        return (
            frozenset(map(int, self._session.get_user_ids())) if self.ready and self._session else frozenset()
        )

    def begin(self, version: int, known: Iterable[int]) -> list[Answer]:
        """Op 4: what came too early is looked at now."""
        self.version = version
        self._pending.clear()
        if not version:
            return []
        answers = self._start_again()
        early, self._early = self._early, []
        for op, body in early:
            answers += self.hear_binary(op, body, known)
        return answers

    def hear(self, op: int, body: Body) -> list[Answer]:
        """Op 21, 22 or 24; anything else is not his business."""
        match op:
            case Op.PREPARE_TRANSITION:
                return self._prepare(number(body, "transition_id"), number(body, "protocol_version"))
            case Op.EXECUTE_TRANSITION:
                self._execute(number(body, "transition_id"))
            case Op.PREPARE_EPOCH if number(body, "epoch") == 1:
                self.version = number(body, "protocol_version")
                return self._start_again()
            case _:
                pass
        return []

    def hear_binary(self, op: int, body: bytes, known: Iterable[int]) -> list[Answer]:
        """Op 25, 27, 29 or 30; `known` are those who op 11 said are there."""
        if self._session is None:
            self._early = [*self._early, (op, body)][-WAITING:]
            return []
        try:
            match op:
                case Op.EXTERNAL_SENDER:
                    self._session.set_external_sender(body)
                case Op.PROPOSALS:
                    return self._propose(self._session, body, known)
                case Op.ANNOUNCE_COMMIT:
                    self._catch_up(self._session, known)
                    self._session.process_commit(body[_TRANSITION:])
                    return self._described(body)
                case Op.WELCOME:
                    self._unread.clear()
                    self._session.process_welcome(body[_TRANSITION:])
                    return self._described(body)
                case _:
                    pass
        except (ValueError, RuntimeError) as error:
            return self._recover(op, body, error)
        return []

    def seal(self, frame: bytes) -> bytes | None:
        """The frame as it may leave; None while it may not, because the group is not ready."""
        if not self.version or frame == SILENCE:
            return frame
        if self._session is None or not self._session.ready:
            return None
        return self._session.encrypt_opus(frame)

    def open(self, user: int, frame: bytes) -> bytes | str:
        """The frame as it was said, or a word for why it cannot be read."""
        if frame == SILENCE or (not self.version and not frame.endswith(DAVE_MARK)):
            return frame
        if self._session is None or not self._session.ready:
            return "NotReady" if frame.endswith(DAVE_MARK) else PLAIN
        try:
            return self._session.decrypt(user, davey.MediaType.audio, frame)
        except ValueError as error:
            return _kind(error) if frame.endswith(DAVE_MARK) else PLAIN

    def _start_again(self) -> list[Answer]:
        """A new session, or the old one from the beginning: his key package."""
        self._unread.clear()
        if self._session is None:
            self._session = davey.DaveSession(self.version, self._user, self._channel)
        else:
            self._session.reinit(self.version, self._user, self._channel)
        return [(Op.KEY_PACKAGE, self._session.get_serialized_key_package())]

    def _propose(self, session: davey.DaveSession, body: bytes, known: Iterable[int]) -> list[Answer]:
        kinds = davey.ProposalsOperationType
        appends = body[:1] == b"\0"
        if appends and not self.commits:
            self._unread.append(body[1:])
            return []
        self._catch_up(session, known)
        kind = kinds.append if appends else kinds.revoke
        made = session.process_proposals(kind, body[1:], [self._user, *known])
        if made is None or not self.commits:
            return []
        return [(Op.COMMIT_WELCOME, made.commit + (made.welcome or b""))]

    def _catch_up(self, session: davey.DaveSession, known: Iterable[int]) -> None:
        """Read all proposals at once that nobody had to be answered; each reading costs a whole commit."""
        unread, self._unread = self._unread, []
        if unread:
            together = vector(b"".join(Reader(body).vector() for body in unread))
            session.process_proposals(davey.ProposalsOperationType.append, together, [self._user, *known])

    def _described(self, body: bytes) -> list[Answer]:
        transition = int.from_bytes(body[:_TRANSITION], "big")
        if not transition:
            return []
        self._pending[transition] = self.version
        return [(Op.TRANSITION_READY, {"transition_id": transition})]

    def _recover(self, op: int, body: bytes, error: Exception) -> list[Answer]:
        self.errors[f"{op}:{_kind(error)}"] += 1
        self.recoveries += 1
        named = op in {Op.ANNOUNCE_COMMIT, Op.WELCOME}
        transition = int.from_bytes(body[:_TRANSITION], "big") if named else 0
        return [(Op.INVALID_COMMIT_WELCOME, {"transition_id": transition}), *self._start_again()]

    def _prepare(self, transition: int, version: int) -> list[Answer]:
        self._pending[transition] = version
        if not transition:
            self._execute(transition)
            return []
        if not version and self._session:
            self._session.set_passthrough_mode(True, _WHILE_DOWNGRADED_SECONDS)
        return [(Op.TRANSITION_READY, {"transition_id": transition})]

    def _execute(self, transition: int) -> None:
        version = self._pending.pop(transition, None)
        if version is None:
            return
        if version and not self.version and self._session:
            self._session.set_passthrough_mode(True, _AFTER_UPGRADE_SECONDS)
        self.version = version


def _kind(error: Exception) -> str:
    """davey's innermost name for it, such as `NoValidCryptorFound`."""
    names = re.findall(r"[A-Z][a-z]+[A-Z][A-Za-z]+", str(error))
    return names[-1] if names else type(error).__name__
