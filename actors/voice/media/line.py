"""A line lives what its link thinks: one websocket, one way for sound, one group of people with keys."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Final, Protocol, assert_never

from actors.voice.media import acts, cipher, close_codes
from actors.voice.media.acts import Act, Acts
from actors.voice.media.credentials import Credentials
from actors.voice.media.group import Group
from actors.voice.media.link import Link
from actors.voice.media.mail import Open
from actors.voice.media.mouth import NOBODY_THERE
from actors.voice.media.way import Way
from actors.voice.media.web import Network, Web

SOLITUDE_SECONDS: Final = 2.0
"""Nobody listens where nobody was for so long: when the server moves, the others may be gone before him."""


class Owner(Protocol):
    """Whoever has lines, and is told what happens on each of them."""

    def changed(self, line: Line) -> None:
        """It is up, or its key, its group or its people have changed."""

    def resumed(self, line: Line, told: acts.Resumed) -> None:
        """Its websocket was lost and is back."""

    def lost(self, line: Line, told: acts.Lost) -> None:
        """It is over."""

    def named(self, line: Line, ssrc: int, user: int) -> None:
        """That stream is that user's."""

    def departed(self, line: Line, user: int) -> None:
        """That user has left the call."""

    def sound(self, line: Line, datagrams: Sequence[bytes]) -> None:
        """Datagrams came that may be sound."""

    def work_waits(self, line: Line) -> None:
        """Its group has work to do: `work` is to be called at a good moment."""

    def note(self, text: str) -> None:
        """A line for the log."""


class Line:
    """One session on one voice server, with its resumes; on the loop's thread only."""

    def __init__(
        self, *, call: Open, credentials: Credentials, group: Group, network: Network, owner: Owner
    ) -> None:
        self.group = group
        self.way = Way(group)
        self.up: acts.Up | None = None
        self.up_at = self._seen_at = 0.0
        self.people: frozenset[int] = frozenset()
        self.named: frozenset[int] = frozenset()
        """Also those who have left."""
        self.streams: dict[int, int] = {}
        """Users by their streams."""
        self._endpoint, self._network, self._owner = credentials.endpoint, network, owner
        self._link = Link(
            user=call.user,
            guild=call.guild,
            session=credentials.session,
            token=credentials.token,
            group=group,
            jitter=random.random(),
            modes=cipher.usable_modes(),
        )
        self._alarm: asyncio.TimerHandle | None = None
        self._web: Web | None = None
        self._closed = False
        self._connect()

    # --- what its owner asks

    @property
    def ready(self) -> bool:
        """Whether sound can be sent: at version 0 as soon as it is up."""
        return self.up is not None and self.group.ready

    @property
    def work_waiting(self) -> bool:
        """Whether its group has work to do."""
        return self._link.work_waiting

    def work(self, now: float) -> None:
        """Do a piece of it."""
        self._do(self._link.work(now))

    def obstacle(self) -> str | None:
        """Why no sound can be sent now."""
        if self.ready:
            return None
        alone = not self.people and time.monotonic() - max(self.up_at, self._seen_at) >= SOLITUDE_SECONDS
        return NOBODY_THERE if alone else "dave_not_ready"

    def send(self, frame: bytes, slots: int) -> bool:
        """Lock and send one Opus frame; false if it did not leave."""
        return self.way.send(frame, slots)

    def speaking(self, on: bool) -> None:
        """Say that sound begins, or that it is over."""
        self._do(self._link.speaking(on, time.monotonic()))

    def close(self) -> None:
        """Say goodbye and let go of everything; nothing is told from now on."""
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._web is not None:
            self._web.close()
        self.way.close()

    # --- what its websocket tells

    def connected(self) -> None:
        """The websocket stands."""
        self._do(self._link.connected(time.monotonic()))

    def text(self, message: str) -> None:
        """A text frame came."""
        self._do(self._link.text(message, time.monotonic()))

    def binary(self, message: bytes) -> None:
        """A binary frame came."""
        self._do(self._link.binary(message, time.monotonic()))

    def closed(self, code: int | None) -> None:
        """The websocket is gone."""
        self._web = None
        self._do(self._link.closed(code, time.monotonic()))

    # --- inside

    def _connect(self) -> None:
        self._abort()
        self._web = Web(self._endpoint, self._network, self)

    def _abort(self) -> None:
        if self._web is not None:
            self._web.abort()
            self._web = None

    def _write(self, message: str | bytes) -> None:
        if self._web is not None:
            self._web.send(message)

    def _took(self, datagrams: Sequence[bytes]) -> None:
        other = [datagram for datagram in datagrams if not _may_be_sound(datagram)]
        self._owner.sound(self, [one for one in datagrams if _may_be_sound(one)] if other else datagrams)
        for datagram in other:
            self._do(self._link.datagram(datagram, time.monotonic()))

    def _tick(self) -> None:
        self._alarm = None
        self._do(self._link.tick(time.monotonic()))

    def _do(self, asked: Acts) -> None:
        for act in asked:
            if not self._closed:
                self._carry_out(act)
        if self._closed:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        due = self._link.due
        loop = asyncio.get_running_loop()
        self._alarm = None if due is None else loop.call_at(due, self._tick)
        if self._link.work_waiting:
            self._owner.work_waits(self)

    def _carry_out(self, act: Act) -> None:
        match act:
            case acts.SendText():
                self._write(act.text)
            case acts.SendBinary():
                self._write(act.body)
            case acts.Connect():
                self._connect()
            case acts.Abort():
                self._abort()
            case acts.OpenUdp():
                self._open(act)
            case acts.SendUdp():
                self.way.send_plain(act.datagram)
            case acts.Up():
                self._come_up(act)
            case acts.Lost():
                self._owner.lost(self, act)
            case acts.Resumed():
                self._owner.resumed(self, act)
            case _:
                self._learn(act)

    def _learn(
        self, act: acts.Speaker | acts.PeopleNow | acts.Departed | acts.GroupChanged | acts.GroupTrouble
    ) -> None:
        match act:
            case acts.Speaker():
                self._forget_streams(act.user)
                self.streams[act.ssrc] = act.user
                self._owner.named(self, act.ssrc, act.user)
            case acts.PeopleNow():
                self._seen_at = time.monotonic() if self.people else self._seen_at
                self.people, self.named = act.users, self.named | act.users
                self._owner.changed(self)
            case acts.Departed():
                self._forget_streams(act.user)
                self._owner.departed(self, act.user)
            case acts.GroupChanged():
                self._owner.changed(self)
            case acts.GroupTrouble():
                self._owner.note(f"the encrypted group refused op {act.op}: {act.kind}")
            case _:
                assert_never(act)

    def _forget_streams(self, whose: int) -> None:
        self.streams = {ssrc: user for ssrc, user in self.streams.items() if user != whose}

    def _open(self, act: acts.OpenUdp) -> None:
        try:
            self.way.open(act.ip, act.port, self._took)
        except (OSError, OverflowError) as error:
            self._owner.note(f"no socket for sound: {type(error).__name__}")

    def _come_up(self, act: acts.Up) -> None:
        try:
            self.way.lock(act)
        except cipher.Refused as refused:
            lost = close_codes.NO_COMMON_MODE
            self._owner.note(str(refused))
            self._owner.lost(
                self, acts.Lost(code=None, plan=lost.plan, reason=lost.reason, remedy=lost.remedy)
            )
            return
        self.up, self.up_at = act, time.monotonic()
        self._owner.changed(self)


def _may_be_sound(datagram: bytes) -> bool:
    return b"\x80" <= datagram[:1] < b"\xc0"
