"""A channel's group at work: what its delivery service decides goes out, and transitions have a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tests.loopback.discord.mls.codec import Malformed
from tests.loopback.discord.mls.delivery import Delivery, Send
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.wire import Body, Op, number

PATIENCE_SECONDS: Final = 2.0
"""How long a transition waits for those who do not say that they are ready."""


class Group:
    """The sessions of one channel and their delivery service; only on the loop's thread."""

    def __init__(self, channel: int, changed: Callable[[], None]) -> None:
        self.delivery = Delivery(channel)
        self._sessions: dict[int, Session] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._changed = changed

    @property
    def version(self) -> int:
        """The DAVE version in force."""
        return self.delivery.version

    def introduce_early(self, session: Session) -> None:
        """Tell him of the external sender before anything else; it comes again in its place."""
        session.say_binary(Op.EXTERNAL_SENDER, self.delivery.external_sender())

    def enter(self, session: Session) -> None:
        """He is described."""
        self._sessions[session.user] = session
        self._pass_on(self.delivery.connected(session.user, session.dave))

    def leave(self, session: Session) -> None:
        """He is gone for good."""
        del self._sessions[session.user]
        self._pass_on(self.delivery.leave(session.user))

    def hear(self, session: Session, op: int, body: Body) -> None:
        """Op 23 or 31."""
        match op:
            case Op.TRANSITION_READY:
                sends = self.delivery.ready(session.user, number(body, "transition_id"))
            case Op.INVALID_COMMIT_WELCOME:
                sends = self.delivery.invalid(session.user)
            case _:
                return
        self._pass_on(sends)

    def hear_binary(self, session: Session, op: int, body: bytes) -> None:
        """Op 26 or 28; what is malformed ends the line with 4020."""
        try:
            match op:
                case Op.KEY_PACKAGE:
                    sends = self.delivery.key_package(session.user, body)
                case Op.COMMIT_WELCOME:
                    sends = self.delivery.commit_welcome(session.user, body)
                case _:
                    return
        except Malformed:
            session.record.unfit[f"malformed_{op}"] += 1
            session.end(4020)
            return
        self._pass_on(sends)

    def downgrade(self) -> None:
        """Op 21 to version 0 for everybody."""
        self._pass_on(self.delivery.downgrade())

    def upgrade(self) -> None:
        """Op 24 to version 1 for everybody."""
        self._pass_on(self.delivery.upgrade())

    def spoil(self, user: int) -> None:
        """One bit of his next commit or welcome is wrong."""
        self.delivery.spoil(user)

    def stray(self, user: int) -> None:
        """Send him a proposal of another epoch."""
        self._pass_on(self.delivery.stray(user))

    def close(self) -> None:
        """Wait for nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _pass_on(self, sends: Iterable[Send]) -> None:
        for send in sends:
            session = self._sessions.get(send.to)
            if session is None:
                continue
            if isinstance(send.body, bytes):
                session.say_binary(send.op, send.body)
            else:
                session.say(send.op, dict(send.body))
                _follow(session, send.op, send.body)
        self._set_timers()

    def _set_timers(self) -> None:
        open_now = set(self.delivery.transitions)
        for done in set(self._timers) - open_now:
            self._timers.pop(done).cancel()
        for new in open_now - set(self._timers):
            loop = asyncio.get_running_loop()
            self._timers[new] = loop.call_later(PATIENCE_SECONDS, self._expire, new)

    def _expire(self, transition: int) -> None:
        self._timers.pop(transition, None)
        self._pass_on(self.delivery.expire(transition))
        self._changed()


def _follow(session: Session, op: int, body: Mapping[str, int]) -> None:
    """Whether his frames have to be sealed from now on: not from the announcement of a downgrade on."""
    if op in {Op.PREPARE_TRANSITION, Op.PREPARE_EPOCH}:
        session.version = body.get("protocol_version", session.version)
