"""From one version of the encryption to another: what was announced, what counts, who may still be behind."""

from __future__ import annotations

from typing import Final

from actors.voice.media import opening
from actors.voice.media.acts import Acts
from actors.voice.media.group import Group
from actors.voice.media.letters import ExecuteTransition, PrepareTransition

PENDING: Final = 16
"""Transitions that may be announced at one time."""
PLAIN: Final = 10.0
"""Seconds around a downgrade or an upgrade in which others may still send, or already send, plain frames."""


class Transitions:
    """The announced versions of one session, and the moment in which plain frames may come in."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._pending: dict[int, int] = {}
        self.due: float | None = None
        """When plain frames are refused again, monotonic seconds; None: now."""

    def described(self, version: int) -> None:
        """A session begins with this version; nothing that was announced before counts."""
        self._pending.clear()
        self._plain(None)
        self._group.agree(version)

    def prepare(self, letter: PrepareTransition, now: float) -> tuple[Acts, bool]:
        """Op 21: what to answer, and whether a group must begin."""
        if letter.transition == 0:
            return (), self.agree(letter.version, now)
        if letter.version == 0 and self._group.version:
            self._plain(now + PLAIN)
        return self.announce(letter.transition, letter.version), False

    def announce(self, transition: int, version: int) -> Acts:
        """Something is ready to count when op 22 says so; id 0 counts already."""
        if transition == 0:
            return ()
        self._pending.pop(transition, None)
        if len(self._pending) >= PENDING:
            self._pending.pop(next(iter(self._pending)))
        self._pending[transition] = version
        return (opening.transition_ready(transition),)

    def execute(self, letter: ExecuteTransition, now: float) -> bool:
        """Op 22: whether a group must begin."""
        version = self._pending.pop(letter.transition, None)
        return version is not None and self.agree(version, now)

    def agree(self, version: int, now: float) -> bool:
        """This version counts from now on: whether a group must begin, which there was none of before."""
        upgrade = version > 0 and self._group.version == 0
        if upgrade or self.due is not None:
            self._plain(now + PLAIN)
        self._group.agree(version)
        return upgrade

    def tick(self, now: float) -> None:
        """The moment is over."""
        if self.due is not None and now >= self.due:
            self._plain(None)

    def _plain(self, until: float | None) -> None:
        self.due = until
        self._group.allow_plain(until is not None)
