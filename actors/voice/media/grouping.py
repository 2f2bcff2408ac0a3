"""The letters about a call's end-to-end encryption: kept in order, worked on when there is time, repaired."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from actors.voice.media import opening
from actors.voice.media.acts import Acts, GroupChanged, GroupTrouble
from actors.voice.media.close_codes import DAVE_BACKLOG, DAVE_STORM, DAVE_UNAVAILABLE, Verdict
from actors.voice.media.group import DaveTrouble, Group
from actors.voice.media.letters import (
    Commit,
    ExecuteTransition,
    ExternalSender,
    GroupLetter,
    PrepareEpoch,
    PrepareTransition,
    Proposals,
    Welcome,
)
from actors.voice.media.newcomers import newcomers
from actors.voice.media.people import MOST
from actors.voice.media.transitions import Transitions

BACKLOG: Final = 256
"""Letters that may wait."""
STRANGER: Final = 0.2
"""Seconds that the proposal of somebody who was not named yet waits for his name."""
REPAIRS: Final = 3
"""Repairs within `REPAIRS_WITHIN` seconds; one more, and the line begins anew."""
REPAIRS_WITHIN: Final = 10.0
OLD_COMMIT: Final = 1.0
"""Seconds after a repair in which a commit of the group that was left may still arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """He introduces himself to the group (anew)."""


_Mls: TypeAlias = ExternalSender | Proposals | Commit | Welcome
_OPS: Final = {ExternalSender: 25, Proposals: 27, Commit: 29, Welcome: 30}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    letter: GroupLetter | Begin
    came: float
    known: frozenset[int]
    strangers: frozenset[int] = frozenset()


class Grouping:
    """What one line does about DAVE; `now` is monotonic seconds, and every answer a tuple of acts.

    Nothing happens until `described`. Letters without cost are answered at once if none waits before them.
    """

    def __init__(self, group: Group, own: int) -> None:
        self._group = group
        self._transitions = Transitions(group)
        self._known = frozenset({own})
        self._described = False
        self._online = False
        self._queue: deque[_Waiting] = deque()
        self._repairs: deque[float] = deque(maxlen=REPAIRS)
        self._held_until: float | None = None
        self._introduction: Acts = ()
        self._told = self._news()
        self.failed: Verdict | None = None
        """Why the line cannot go on; it never takes that back."""

    @property
    def waiting(self) -> bool:
        """Whether `work` has something to do now."""
        return self._online and bool(self._queue) and self._held_until is None

    @property
    def due(self) -> float | None:
        """When `tick` is wanted."""
        return min((at for at in (self._held_until, self._transitions.due) if at is not None), default=None)

    def described(self, version: int, now: float) -> Acts:
        """The session exists: what was buffered counts from here, and nothing that was announced before."""
        self._transitions.described(version)
        self._introduction = ()
        if version:
            self._begin_soon(now, first=not self._described)
        self._described = self._online = True
        return self._settled((), now)

    def offline(self) -> None:
        """The websocket is gone; nothing can be said."""
        self._online = False

    def resumed(self, now: float) -> Acts:
        """The websocket is back; his introduction may have been lost with the old one: it is said again."""
        self._online = True
        return self._settled(self._introduction, now)

    def came(self, users: frozenset[int], now: float) -> Acts:
        """Users whom the server named: they may be added to the group, unless they are too many."""
        self._known |= users if len(self._known) < MOST else frozenset()
        return self._settled((), now)

    def went(self, user: int) -> None:
        """A user has left. Letters that came before know him still."""
        self._known -= {user}

    def take(self, letter: GroupLetter, now: float) -> Acts:
        """One letter, behind those that wait."""
        if len(self._queue) >= BACKLOG:
            self.failed = DAVE_BACKLOG
            return ()
        strangers: frozenset[int] = frozenset()
        if isinstance(letter, Proposals) and letter.append:
            strangers = newcomers(letter.body)
        self._queue.append(_Waiting(letter=letter, came=now, known=self._known, strangers=strangers))
        return self._settled((), now)

    def tick(self, now: float) -> Acts:
        """Closes what was open for a moment only."""
        self._transitions.tick(now)
        return self._settled((), now)

    def work(self, now: float) -> Acts:
        """One letter that costs milliseconds, and those without cost behind it."""
        return self._settled(self._next(now), now) if self.waiting else ()

    def _settled(self, acts: Acts, now: float) -> Acts:
        """What every call ends with: letters without cost, the look at the next one, and the news."""
        while self._online and self._free_of_cost():
            acts += self._next(now)
        self._held_until = None
        if self._queue:
            first = self._queue[0]
            until = first.came + STRANGER
            if now < until and first.strangers - first.known - self._known:
                self._held_until = until
        news = self._news()
        if news != self._told:
            self._told = news
            acts += (news,)
        return acts

    def _free_of_cost(self) -> bool:
        return bool(self._queue) and isinstance(self._queue[0].letter, (PrepareTransition, ExecuteTransition))

    def _news(self) -> GroupChanged:
        group = self._group
        return GroupChanged(
            version=group.version, ready=group.ready, epoch=group.epoch, privacy_code=group.privacy_code
        )

    def _begin_soon(self, now: float, *, first: bool) -> None:
        begin = _Waiting(letter=Begin(), came=now, known=self._known)
        if first:
            self._queue.appendleft(begin)
        else:
            self._queue.append(begin)

    def _next(self, now: float) -> Acts:
        waiting = self._queue.popleft()
        match waiting.letter:
            case Begin():
                return self._begin()
            case PrepareEpoch() as letter:
                return self._epoch(letter, now)
            case PrepareTransition() as letter:
                acts, begin = self._transitions.prepare(letter, now)
            case ExecuteTransition() as letter:
                acts, begin = (), self._transitions.execute(letter, now)
            case ExternalSender() | Proposals() | Commit() | Welcome() as letter:
                return self._mls(letter, waiting.known | self._known, now)
            case _:
                assert_never(waiting.letter)
        if begin:
            self._begin_soon(now, first=True)
        return acts

    def _epoch(self, letter: PrepareEpoch, now: float) -> Acts:
        if letter.epoch != 1:
            return ()
        self._transitions.agree(letter.version, now)
        self._introduction = ()
        return self._begin() if letter.version else ()

    def _begin(self) -> Acts:
        try:
            self._introduction += (opening.key_package(self._group.begin()),)
        except DaveTrouble as trouble:
            self.failed = DAVE_UNAVAILABLE
            return (GroupTrouble(op=26, kind=trouble.kind),)
        return self._introduction[-1:]

    def _mls(self, letter: _Mls, known: frozenset[int], now: float) -> Acts:
        if self._group.version == 0 and not isinstance(letter, ExternalSender):
            return ()
        try:
            acts = self._done(letter, known)
        except DaveTrouble as trouble:
            return self._refused(letter, trouble.kind, now)
        if not isinstance(letter, ExternalSender):
            self._introduction = ()
        return acts

    def _done(self, letter: _Mls, known: frozenset[int]) -> Acts:
        match letter:
            case ExternalSender():
                self._group.external_sender(letter.body)
                return ()
            case Proposals():
                commit = self._group.proposals(letter.append, letter.body, known)
                return () if commit is None else (opening.commit_welcome(commit),)
            case Commit():
                self._group.commit(letter.body)
            case Welcome():
                self._group.welcome(letter.body)
            case _:
                assert_never(letter)
        return self._transitions.announce(letter.transition, self._group.version)

    def _refused(self, letter: _Mls, kind: str, now: float) -> Acts:
        """Says what was of no use and begins anew, if that helps and has not been tried too often."""
        op = _OPS[type(letter)]
        trouble = GroupTrouble(op=op, kind=kind)
        since = now - self._repairs[-1] if self._repairs else REPAIRS_WITHIN
        old = op == 29 and kind in ("NoGroup", "PendingGroup") and since < OLD_COMMIT
        if old or kind == "AlreadyInGroup":
            return (trouble,)
        if len(self._repairs) == REPAIRS and now - self._repairs[0] < REPAIRS_WITHIN:
            self.failed = DAVE_STORM
            return (trouble,)
        self._repairs.append(now)
        self._forget_the_old_group()
        transition = letter.transition if isinstance(letter, (Commit, Welcome)) else 0
        self._introduction = (opening.invalid(transition),)
        self._begin_soon(now, first=True)
        return trouble, *self._introduction

    def _forget_the_old_group(self) -> None:
        """What came before he gave up belongs to the group he gives up, until a new one is announced."""
        kept: deque[_Waiting] = deque()
        while self._queue and not isinstance(self._queue[0].letter, (Begin, PrepareEpoch)):
            waiting = self._queue.popleft()
            if not isinstance(waiting.letter, (Proposals, Commit, Welcome)):
                kept.append(waiting)
        self._queue.extendleft(reversed(kept))
