"""The delivery service of one voice channel: it hears what members send and says who is told what, in order.

Whoever owns the sockets calls a method for each thing that happens and sends what comes back, in that order.
State is only ever of three kinds: who is connected, who sits at which leaf, and what is proposed. After each
event `_settle` compares what should be proposed with what is, so that no sequence of joins, leaves and
recoveries needs a rule of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.loopback.discord.mls.batch import Adding, Batch, Removing, Wish
from tests.loopback.discord.mls.codec import Commit, KeyPackage, Malformed, read_commit, read_key_package, u64
from tests.loopback.discord.mls.leaves import Leaves
from tests.loopback.discord.mls.sender import ExternalSender, append
from tests.loopback.discord.mls.transitions import Transitions


@dataclass(frozen=True, slots=True)
class Send:
    """One message for one user: `bytes` without sequence number and opcode, or the `d` of a JSON message."""

    to: int
    op: int
    body: bytes | Mapping[str, int]


class Delivery:
    """DAVE in one channel. Bodies that no client of ours may send raise `Malformed`, and change nothing.

    Knobs, to be set at any time:
    `first_is_zero`: the first commit of a group has transition 0, which nobody confirms; else a number.
    `committers`: only their commits win, as long as one of them is there to send one; None: the first wins.
    """

    def __init__(
        self, channel: int, sender: ExternalSender | None = None, *, first_is_zero: bool = True
    ) -> None:
        self.first_is_zero = first_is_zero
        self.committers: frozenset[int] | None = None
        self.version = 1
        """The protocol version of the channel: 0 while somebody is here who does not know DAVE."""
        self.epoch = 0
        """0 until there is a group."""
        self._group = u64(channel)
        self._sender = sender or ExternalSender()
        self._users: dict[int, int] = {}  # user: the highest version he speaks
        self._introduced: set[int] = set()  # who has had op 25
        self._packages: dict[int, KeyPackage] = {}  # who waits to be added
        self._leaves: Leaves | None = None
        self._stale: set[int] = set()  # who sits at a leaf that he has lost the keys of
        self._batch = Batch()
        self._transitions = Transitions()
        self._spoilt: set[int] = set()

    # What can be asked.

    @property
    def members(self) -> tuple[int, ...]:
        """Who is in the group, from the leftmost leaf, people on their way out included."""
        return self._leaves.users if self._leaves else ()

    @property
    def transitions(self) -> tuple[int, ...]:
        """The transitions that wait for an op 23; pass each to `expire` when it is 2 s old."""
        return self._transitions.open

    @property
    def settled(self) -> bool:
        """Whether everybody who speaks DAVE is in the group, nobody else is, and no transition is open."""
        people = self._speakers_of_dave()
        if self.transitions or not self.version:
            return not self.transitions
        if self._leaves is None:
            return len(people) < 2
        return not self._batch.open and not self._stale and set(self.members) == set(people)

    def external_sender(self) -> bytes:
        """The body of op 25."""
        return self._sender.package()

    def version_for(self, highest: int) -> int:
        """The version that op 4 tells a newcomer who speaks at most this one; ask before `connected`."""
        return min(self.version, highest)

    # What can happen.

    def connected(self, user: int, highest: int = 1) -> list[Send]:
        """He has had op 4, on a new line. One who comes back without a `leave` has lost his keys."""
        sends = self._forget(user)
        self._users[user] = highest
        self._introduced.discard(user)
        if highest == 0:
            return sends + (self.downgrade() if self.version else [])
        if self.version:
            sends += self._introduce(user)
        return sends + self._settle()

    def key_package(self, user: int, body: bytes) -> list[Send]:
        """Op 26."""
        package = read_key_package(body)
        if package.identity != u64(user):
            raise Malformed("a key package in somebody else's name")
        if user not in self._users or not self.version:
            return []
        sends = self._forget(user)
        self._packages[user] = package
        return sends + self._settle()

    def commit_welcome(self, user: int, body: bytes) -> list[Send]:
        """Op 28. What comes too late, or takes up only some of the proposals, has lost and is ignored."""
        commit = read_commit(body)
        if commit.group != self._group:
            raise Malformed("a commit for another group")
        if self.version and commit.epoch == self.epoch and user in self._audience():
            self._batch.offer(user, commit)
        return self._settle()

    def invalid(self, user: int) -> list[Send]:
        """Op 31: he could not use a commit or a welcome. He is removed, and added with his next op 26."""
        return self._forget(user) + self._settle()

    def leave(self, user: int) -> list[Send]:
        """He is gone. Whoever is left quite alone starts again with a group of his own."""
        sends = self._forget(user)
        plain = self._users.pop(user, 1) == 0
        if plain and all(self._users.values()):
            return sends + self.upgrade()
        left = [one for one, highest in self._users.items() if highest]
        if self.version and len(left) == 1 and left[0] in self._audience() and self._leaves:
            self._disband()
            sends.append(Send(left[0], 24, {"protocol_version": 1, "epoch": 1}))
            sends.append(Send(left[0], 21, {"protocol_version": 1, "transition_id": 0}))
        return sends + self._settle()

    def ready(self, user: int, transition: int) -> list[Send]:
        """Op 23."""
        return self._execute(self._transitions.ready(user, transition))

    def expire(self, transition: int) -> list[Send]:
        """Its time is up: op 22 goes out to all, whoever has not said op 23."""
        return self._execute(self._transitions.expire(transition))

    def downgrade(self) -> list[Send]:
        """Everybody goes back to frames without end-to-end encryption, and newcomers begin so."""
        self.version = 0
        self._disband()
        self._packages.clear()
        people = self._speakers_of_dave()
        if not people:
            return []
        transition = self._transitions.begin(people)
        return [Send(user, 21, {"protocol_version": 0, "transition_id": transition}) for user in people]

    def upgrade(self) -> list[Send]:
        """A new group for everybody; a downgrade that is not executed yet never will be."""
        self.version = 1
        self._disband()
        self._packages.clear()
        self._transitions.drop()
        sends: list[Send] = []
        for user in self._speakers_of_dave():
            sends.append(Send(user, 24, {"protocol_version": 1, "epoch": 1}))
            sends += self._introduce(user)
        return sends

    # What can go wrong, on request.

    def spoil(self, user: int) -> None:
        """One bit of the next commit or welcome for this user is wrong. He must not be its committer."""
        self._spoilt.add(user)

    def stray(self, user: int) -> list[Send]:
        """A proposal of an epoch that is far away."""
        return [Send(user, 27, append([self._sender.remove(self._group, self.epoch + 7, 0)]))]

    # How it is worked out.

    def _speakers_of_dave(self) -> list[int]:
        return [user for user, highest in self._users.items() if highest]

    def _introduce(self, user: int) -> list[Send]:
        if user in self._introduced:
            return []
        self._introduced.add(user)
        return [Send(user, 25, self.external_sender())]

    def _forget(self, user: int) -> list[Send]:
        """His session is no part of anything any longer; only his leaf may still be there."""
        self._packages.pop(user, None)
        self._batch.forget(user)
        if user in self.members:
            self._stale.add(user)
        return self._execute(self._transitions.forget(user))

    def _execute(self, complete: Mapping[int, set[int]]) -> list[Send]:
        return [
            Send(user, 22, {"transition_id": transition})
            for transition, told in complete.items()
            for user in self._users
            if user in told
        ]

    def _disband(self) -> None:
        self._leaves, self.epoch, self._batch = None, 0, Batch()
        self._stale.clear()

    def _audience(self) -> list[int]:
        """Who hears of proposals: members with working keys; before there are any, whoever offered one."""
        if self._leaves:
            return [user for user in self.members if user not in self._stale]
        return list(self._packages)

    def _wishes(self) -> list[Wish]:
        removes: list[Wish] = []
        if self._leaves:
            removes += [Removing(user, self._leaves.leaf(user)) for user in sorted(self._stale)]
        # Who comes back is removed first: his old leaf has the same identity.
        adds = [Adding(user, package) for user, package in self._packages.items() if user not in self.members]
        return removes + list(adds)

    def _settle(self) -> list[Send]:
        sends: list[Send] = []
        if not self.version:
            return sends
        if self._leaves and not self._audience():
            self._disband()
        self._propose()
        while (best := self._batch.best(self._audience(), self.committers)) is not None:
            sends += self._announce(*best)
            self._propose()
        for user in self._audience():
            sends += [Send(user, 27, body) for body in self._batch.news(user)]
        return sends

    def _propose(self) -> None:
        """One batch at a time in a group; without one, every newcomer adds to it."""
        wishes = self._wishes()
        self._batch.keep(wishes)
        if self._leaves and self._batch.open:
            return
        for wish in wishes:
            match wish:
                case Adding(_, package):
                    if wish not in self._batch.open:
                        self._batch.open[wish] = self._sender.add(self._group, self.epoch, package)
                case Removing(_, leaf):
                    self._batch.open[wish] = self._sender.remove(self._group, self.epoch, leaf)

    def _announce(self, winner: int, commit: Commit) -> list[Send]:
        """The commit to those who were there, the welcome to those who come."""
        first = self._leaves is None
        old = [winner] if first else self._audience()
        leaves = self._leaves or Leaves(winner)
        added: list[Adding] = []
        for wish in self._batch.order(commit):
            match wish:
                case Adding():
                    leaves.add(wish.user)
                    added.append(wish)
                case Removing(user, _):
                    leaves.remove(user)
                    self._stale.discard(user)
        for user in (winner, *(one.user for one in added)):
            self._packages.pop(user, None)
        self._leaves, self.epoch, self._batch = leaves, self.epoch + 1, Batch()
        described = old + [one.user for one in added]
        transition = 0 if first and self.first_is_zero else self._transitions.begin(described)
        head = transition.to_bytes(2, "big")
        sends = [Send(user, 29, head + self._maybe_spoilt(user, commit.message)) for user in old]
        if commit.welcome:
            for one in added:
                body = commit.welcome.only(one.package)
                sends.append(Send(one.user, 30, head + self._maybe_spoilt(one.user, body)))
        return sends

    def _maybe_spoilt(self, user: int, body: bytes) -> bytes:
        if user not in self._spoilt:
            return body
        self._spoilt.discard(user)
        return body[:-40] + bytes([body[-40] ^ 1]) + body[-39:]
