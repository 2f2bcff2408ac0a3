"""What a peer hears: people in a group that it has joined, as datagrams in hex."""

from __future__ import annotations

import itertools
import sys
from collections import deque
from typing import Final

from actors.voice.media.cipher import KEY_BYTES, XCHACHA, Cipher
from tests.benchmarks.pacing.delivery import JOINS, Stranger
from tests.benchmarks.receive.people import PEOPLE, in_turn, packets
from tests.loopback.discord.mls.members import Channel

KEY: Final = bytes([7]) * KEY_BYTES
FIRST_USER: Final = 11


def main(count: int) -> None:
    """Let the peer in by `op hex` on a line, as others do; then print so many datagrams."""
    channel, peer = Channel(), Stranger()
    people = [channel.join(FIRST_USER + place) for place in range(PEOPLE)]
    channel.settle()
    # Whoever is last knows of no older keys.
    channel.members[JOINS] = peer
    channel.mail += channel.delivery.connected(JOINS, 1)
    channel.settle()
    for line in sys.stdin:
        op, body = line.split()
        peer.out.append((int(op), bytes.fromhex(body)))
        channel.settle()
    # Whoever is told of datagrams must not take them for letters.
    peer.out = deque()
    road = Cipher(XCHACHA, KEY)
    saying = in_turn([packets(place, person.seal, road) for place, person in enumerate(people)])
    for datagram in itertools.islice(saying, count):
        print(0, datagram.hex())  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]))
