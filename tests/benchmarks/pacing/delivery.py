"""A voice server's word in an encrypted group, and one other member: who joins writes `op hex` on a line."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Mapping

from tests.loopback.discord.mls.members import Channel, Member

JOINS, IS_THERE = 1, 2


class Stranger(Member):
    """Whoever is at the other end of standard input and output."""

    def __init__(self) -> None:
        super().__init__(JOINS, version=0)
        self.out = deque()

    def receive(self, op: int, body: bytes | Mapping[str, int]) -> None:
        """Only the letters of the group are passed on."""
        if isinstance(body, bytes):
            print(op, body.hex(), flush=True)  # noqa: T201


def main() -> None:
    """Let him in, and answer until he is gone."""
    channel, stranger = Channel(), Stranger()
    channel.members[JOINS] = stranger
    channel.mail += channel.delivery.connected(JOINS, 1)
    channel.join(IS_THERE)
    channel.settle()
    for line in sys.stdin:
        op, body = line.split()
        stranger.out.append((int(op), bytes.fromhex(body)))
        channel.settle()


if __name__ == "__main__":
    main()
