"""The proposals in flight: which are open, who was told of which, and whose commit takes up all of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.loopback.discord.mls.codec import Commit, KeyPackage
from tests.loopback.discord.mls.sender import Proposal, append, revoke


@dataclass(frozen=True, slots=True)
class Adding:
    """This user wants in, with this key package."""

    user: int
    package: KeyPackage


@dataclass(frozen=True, slots=True)
class Removing:
    """This user has to go, from this leaf."""

    user: int
    leaf: int


Wish = Adding | Removing


class Batch:
    """One set of proposals of one epoch, and the commits that members offered for it."""

    def __init__(self) -> None:
        self.open: dict[Wish, Proposal] = {}
        self._told: dict[int, dict[bytes, Proposal]] = {}
        self._offers: dict[int, Commit] = {}

    def forget(self, user: int) -> None:
        """His MLS session has begun again, or is gone: he knows of no proposal and his commit is void."""
        self._told.pop(user, None)
        self._offers.pop(user, None)

    def keep(self, wishes: Iterable[Wish]) -> None:
        """Once nobody wishes one of them any longer, all are revoked, and the rest are to be proposed again.

        davey forgets the welcome of a commit that it makes because of a revoke, so none may be needed then.
        """
        if not self.open.keys() <= set(wishes):
            self.open.clear()

    def for_user(self, user: int) -> dict[bytes, Proposal]:
        """The proposals that concern this user, by reference: never his own Add, which MLS refuses."""
        return {proposal.reference: proposal for wish, proposal in self.open.items() if wish.user != user}

    def news(self, user: int) -> list[bytes]:
        """The bodies of op 27 that bring this user up to date."""
        wanted, told = self.for_user(user), self._told.get(user, {})
        gone = [name for name in told if name not in wanted]
        new = [proposal for name, proposal in wanted.items() if name not in told]
        self._told[user] = wanted
        return ([revoke(gone)] if gone else []) + ([append(new)] if new else [])

    def offer(self, user: int, commit: Commit) -> None:
        self._offers[user] = commit

    def best(self, audience: Iterable[int], preferred: frozenset[int] | None) -> tuple[int, Commit] | None:
        """The first fitting commit; of those preferred, where one of them could send one."""
        able = {user for user in audience if self.for_user(user)}
        able = (able & preferred if preferred is not None else able) or able
        adds = any(isinstance(wish, Adding) for wish in self.open)
        for user, commit in self._offers.items():
            fits = set(commit.references) == set(self.for_user(user)) and (commit.welcome or not adds)
            if user in able and fits:
                return user, commit
        return None

    def order(self, commit: Commit) -> list[Wish]:
        """What the commit does, in its own order: Removes first."""
        wish_of = {proposal.reference: wish for wish, proposal in self.open.items()}
        wishes = [wish_of[name] for name in commit.references]
        return sorted(wishes, key=lambda wish: isinstance(wish, Adding))
