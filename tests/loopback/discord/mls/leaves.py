"""Who sits at which leaf of a group's tree: all that a delivery service knows of the tree."""


class Leaves:
    """Leaf numbers as every member counts them: an Add takes the leftmost blank leaf."""

    def __init__(self, founder: int) -> None:
        self._users: list[int | None] = [founder]

    @property
    def users(self) -> tuple[int, ...]:
        """Everybody in the group, from the left."""
        return tuple(user for user in self._users if user is not None)

    def leaf(self, user: int) -> int:
        return self._users.index(user)

    def add(self, user: int) -> None:
        if None in self._users:
            self._users[self._users.index(None)] = user
        else:
            self._users.append(user)

    def remove(self, user: int) -> None:
        self._users[self._users.index(user)] = None
        while self._users and self._users[-1] is None:
            self._users.pop()
