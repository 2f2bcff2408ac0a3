"""Members with real DAVE sessions and no network: letters to and from the service lie in queues."""

import struct
from collections import deque
from collections.abc import Mapping

import davey

from tests.loopback.discord.mls.codec import Malformed
from tests.loopback.discord.mls.delivery import Delivery, Send

CHANNEL = 7_000_000_000_000_001
SPEECH = bytes(range(120))


class Member:
    """One client, as the protocol wants it to behave; it changes keys as davey does, at the commit."""

    def __init__(self, user: int, version: int = 1) -> None:
        self.user = user
        self.version = version
        self.session: davey.DaveSession | None = None
        self.commits = True
        """Whether its op 28 is sent at all."""
        self.confirms = True
        """Whether its op 23 is sent at all."""
        self.out: deque[tuple[int, bytes | int]] = deque()
        self.heard: list[tuple[int, bytes | Mapping[str, int]]] = []
        self.troubles: list[str] = []
        self._pending: dict[int, int] = {}
        if version:
            self.begin()

    def begin(self) -> None:
        """A new session, or the old one from its beginning; either way a new key package."""
        if self.session is None:
            self.session = davey.DaveSession(1, self.user, CHANNEL)
        else:
            self.session.reinit(1, self.user, CHANNEL)
        self.out.append((26, self.session.get_serialized_key_package()))

    @property
    def ready(self) -> bool:
        return self.version == 1 and self.session is not None and self.session.ready

    @property
    def code(self) -> str | None:
        return self.session.voice_privacy_code if self.session else None

    def ops(self, *wanted: int) -> list[int]:
        return [op for op, _ in self.heard if op in wanted]

    def receive(self, op: int, body: bytes | Mapping[str, int]) -> None:
        self.heard.append((op, body))
        if isinstance(body, bytes):
            self._binary(op, body)
        else:
            self._text(op, body)

    def _text(self, op: int, d: Mapping[str, int]) -> None:
        if op == 24 and d["epoch"] == 1:
            self.version = d["protocol_version"]
            self.begin()
        elif op == 21:
            self._pending[d["transition_id"]] = d["protocol_version"]
            if d["transition_id"] == 0:
                self._execute(0)
            else:
                assert self.session is not None
                self.session.set_passthrough_mode(True, 120)
                self._confirm(d["transition_id"])
        elif op == 22:
            self._execute(d["transition_id"])

    def _execute(self, transition: int) -> None:
        before, self.version = self.version, self._pending.pop(transition, self.version)
        if before != self.version and self.version and self.session:
            self.session.set_passthrough_mode(True, 10)

    def _confirm(self, transition: int) -> None:
        if self.confirms:
            self.out.append((23, transition))

    def _binary(self, op: int, body: bytes) -> None:
        assert self.session is not None
        try:
            if op == 25:
                self.session.set_external_sender(body)
            elif op == 27:
                self._proposals(body)
            else:
                self._commit(op, body)
        except ValueError as error:
            self.troubles.append(f"{op} {error}")
            self.out.append((31, 0))
            self.begin()

    def _proposals(self, body: bytes) -> None:
        assert self.session is not None
        kind = davey.ProposalsOperationType.revoke if body[0] else davey.ProposalsOperationType.append
        made = self.session.process_proposals(kind, body[1:])
        if made is not None and self.commits:
            self.out.append((28, made.commit + (made.welcome or b"")))

    def _commit(self, op: int, body: bytes) -> None:
        assert self.session is not None
        (transition,) = struct.unpack_from(">H", body)
        if op == 29:
            self.session.process_commit(body[2:])
        else:
            self.session.process_welcome(body[2:])
        if transition:
            self._pending[transition] = self.version
            self._confirm(transition)

    def seal(self, frame: bytes) -> bytes:
        return self.session.encrypt_opus(frame) if self.ready and self.session else frame

    def open(self, user: int, frame: bytes) -> bytes:
        if self.session is None or self.version == 0:
            return frame
        return self.session.decrypt(user, davey.MediaType.audio, frame)


class Channel:
    """A delivery service with its members; `settle` carries letters until nobody has anything to say."""

    def __init__(self, delivery: Delivery | None = None) -> None:
        self.delivery = delivery or Delivery(CHANNEL)
        self.members: dict[int, Member] = {}
        self.mail: deque[Send] = deque()

    def join(self, user: int, version: int = 1) -> Member:
        member = Member(user, self.delivery.version_for(version))
        self.members[user] = member
        self.drop_mail(user)
        self.mail += self.delivery.connected(user, version)
        return member

    def leave(self, user: int) -> Member:
        self.mail += self.delivery.leave(user)
        self.drop_mail(user)
        return self.members.pop(user)

    def drop_mail(self, user: int) -> None:
        """His line is closed: what was on its way to him is lost."""
        self.mail = deque(send for send in self.mail if send.to != user)

    def hear(self, user: int) -> None:
        """The service takes one letter of this member."""
        op, body = self.members[user].out.popleft()
        match op, body:
            case 26, bytes():
                self.mail += self.delivery.key_package(user, body)
            case 28, bytes():
                self.mail += self.delivery.commit_welcome(user, body)
            case 23, int():
                self.mail += self.delivery.ready(user, body)
            case 31, int():
                self.mail += self.delivery.invalid(user)
            case _:
                raise Malformed(f"op {op}")

    def deliver(self, user: int | None = None) -> None:
        """The first letter for this user, or for anybody, arrives."""
        send = next(send for send in self.mail if user in {None, send.to})
        self.mail.remove(send)
        self.members[send.to].receive(send.op, send.body)

    def settle(self, most: int = 2_000) -> None:
        for _ in range(most):
            if writers := [user for user, member in self.members.items() if member.out]:
                self.hear(writers[0])
            elif self.mail:
                reader = self.mail[0].to
                while any(send.to == reader for send in self.mail):
                    self.deliver(reader)
            else:
                return
        raise AssertionError("they never come to an end")
