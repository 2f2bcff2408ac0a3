"""A new line is built beside the old one, and the old one goes when the new one is up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from actors.voice.media import acts
from actors.voice.media.credentials import Credentials, Desk
from actors.voice.media.group import Group
from actors.voice.media.line import Line
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Lost, News, Note, Open, Reached, Resumed, Secured, Up
from actors.voice.media.web import Network

ALONE_SECONDS: Final = 0.5
"""Whoever has not been named so long after he was let in is not there."""


class Lines:
    """All lines of one connection. The newest that is up carries sound, both ways; on the loop's thread."""

    def __init__(
        self,
        call: Open,
        *,
        network: Network,
        listening: Listening,
        make_group: Callable[[Open], Group],
        secure_seconds: float,
        tell: Callable[[News], None],
        work: Callable[[], None],
        listened: Callable[[], None],
    ) -> None:
        """`work` is told that `work` wants to be called at a good moment; `listened` see Connected."""
        self._call = call
        self._network = network
        self._listening = listening
        self._make_group = make_group
        self._secure_seconds = secure_seconds
        self._tell = tell
        self._work = work
        self._listened = listened
        self._loop = asyncio.get_running_loop()
        self._desk = Desk()
        self._alarm: asyncio.TimerHandle | None = None
        self._lines: list[Line] = []
        self._current: Line | None = None
        self._announced: Line | None = None
        self._secured = (False, "")
        self._noticed: frozenset[int] = frozenset()
        self._open_since: float | None = None
        """Since when people wait for a group that does not form."""

    def state(self, session: str | None) -> None:
        """His own voice state."""
        self._begin(self._desk.state(session, time.monotonic()))

    def server(self, token: str, endpoint: str | None) -> None:
        """A voice server."""
        self._begin(self._desk.server(token, endpoint, time.monotonic()))

    @property
    def current(self) -> Line | None:
        """The line that carries sound, if one is up."""
        return self._current

    @property
    def alone(self) -> bool:
        """Whether the line that carries sound is up where nobody else is."""
        return self._current is not None and not self._current.people

    @property
    def work_waiting(self) -> bool:
        """Whether a group has work to do."""
        return any(line.work_waiting for line in self._lines)

    def work(self, now: float) -> None:
        """Do a piece of it, then put through again what could not be read before."""
        for line in tuple(self._lines):
            if line.work_waiting:
                line.work(now)
        if self._current is not None:
            self._listening.group_waiting(self._current.work_waiting)
            self._listening.retry(now)
            self._listened()

    def pulse(self, now: float) -> None:
        """To be called every second."""
        line = self._current
        if line is None:
            return
        line.way.keep_alive(now)
        if line.ready or not line.people:
            self._open_since = None
        elif self._open_since is None:
            self._open_since = now
        elif now - self._open_since >= self._secure_seconds:
            self._open_since = None
            self._give_up(line, "fresh", "dave_not_ready")

    def close(self) -> None:
        """Say goodbye on every line."""
        if self._alarm is not None:
            self._alarm.cancel()
        for line in self._lines:
            line.close()
        self._lines, self._current = [], None

    # --- what a line tells

    def changed(self, line: Line) -> None:
        """It is up, or its key, its group or its people have changed."""
        if line.up is None or line not in self._lines:
            return
        if line is not self._current:
            self._take_over(line, line.up)
        if line.way.cipher is not None:
            self._listening.rekey(line.way.cipher)
        secured = (line.ready and line.group.version > 0, line.group.privacy_code)
        if secured != self._secured:
            self._secured = secured
            self._tell(Secured(connection=self._call.connection, privacy_code=secured[1]))
        self._look_around(line)
        self._announce(line)

    def resumed(self, line: Line, told: acts.Resumed) -> None:
        """Its websocket was lost and is back."""
        self._tell(Resumed(connection=self._call.connection, milliseconds=told.ms))

    def lost(self, line: Line, told: acts.Lost) -> None:
        """It is over; that of an older one is no news."""
        what = "a voice line was lost" if told.code is None else f"the voice server closed with {told.code}"
        self.note(f"{what}, {told.reason}: {told.remedy}")
        self._give_up(line, told.plan.value, told.reason)

    def named(self, line: Line, ssrc: int, user: int) -> None:
        """That stream is that user's."""
        if line is self._current:
            self._listening.speaker(ssrc, user)
            self._listened()

    def departed(self, line: Line, user: int) -> None:
        """That user has left the call."""
        if line is self._current:
            self._listening.departed(user)

    def sound(self, line: Line, datagrams: Sequence[bytes]) -> None:
        """Datagrams that may be sound."""
        if line is self._current:
            now = time.monotonic()
            for datagram in datagrams:
                self._listening.datagram(datagram, now)
            self._listened()

    def work_waits(self, line: Line) -> None:
        """Its group has work to do."""
        if line is self._current:
            self._listening.group_waiting(True)
        self._work()

    def note(self, text: str) -> None:
        """A line for the log."""
        self._tell(Note(text=text))

    # --- inside

    def _begin(self, credentials: Credentials | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        due = self._desk.due
        self._alarm = None if due is None else self._loop.call_at(due, self._patience_over)
        if credentials is None:
            return
        self._only_current()
        self._lines.append(
            Line(
                call=self._call,
                credentials=credentials,
                group=self._make_group(self._call),
                network=self._network,
                owner=self,
            )
        )

    def _only_current(self) -> None:
        """Let go of a line that was begun and is not up: nobody waits for two of them."""
        for line in self._lines:
            if line is not self._current:
                line.close()
        self._lines = [line for line in self._lines if line is self._current]

    def _patience_over(self) -> None:
        self._begin(self._desk.tick(time.monotonic()))

    def _take_over(self, line: Line, up: acts.Up) -> None:
        """From now on sound comes and goes on this line."""
        self._current, self._open_since = line, None
        older, self._lines = self._lines, self._lines[self._lines.index(line) :]
        for one in older:
            if one not in self._lines:
                one.close()
        if line.way.cipher is not None:
            self._listening.line(line.way.cipher, line.group, up.ssrc)
        for ssrc, user in line.streams.items():
            self._listening.speaker(ssrc, user)
        self._tell(Reached(connection=self._call.connection))
        self._loop.call_later(ALONE_SECONDS, self._announce, line)

    def _look_around(self, line: Line) -> None:
        """Whoever has keys without having been named is written down: only the privacy code can tell more."""
        strangers = line.group.members - line.named - {self._call.user} - self._noticed
        if strangers:
            self._noticed |= strangers
            self.note(f"let into the encrypted group before the voice server named them: {sorted(strangers)}")

    def _announce(self, line: Line) -> None:
        """Say once of every line that it is of use: keys are there, or nobody to share them with."""
        if line is not self._current or line is self._announced or line.up is None:
            return
        alone = not line.people and time.monotonic() - line.up_at >= ALONE_SECONDS
        if line.ready or alone:
            self._announced = line
            self._tell(Up(connection=self._call.connection, dave_version=line.group.version))

    def _give_up(self, line: Line, plan: str, reason: str) -> None:
        # While the next server's address waits for its session, there will be another line at once.
        newest = bool(self._lines) and line is self._lines[-1] and self._desk.due is None
        line.close()
        if line in self._lines:
            self._lines.remove(line)
        if line is self._current:
            self._current = None
        if newest:
            self._tell(Lost(connection=self._call.connection, plan=plan, reason=reason))
