"""What one session of davey keeps of each person who came and went, apart from what the loopback keeps."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Final

from tests.reliability.soak import memory
from tests.reliability.soak.sound import another_group

CAME_AND_WENT: Final = 60
KIBIBYTE: Final = 1 << 10
FIRST: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Bytes for each person who came and went."""

    session: float
    delivery: float


def kept(people: int = CAME_AND_WENT) -> Kept:
    """Two stay while so many others come and go, and nobody says anything.

    Whoever is heard between two changes leaves a cipher behind, which davey lets go of with the first frame
    after ten seconds without a change: by its own clock, which no stage makes quicker.
    """
    session, delivery = _given_back(people)
    new_session, new_delivery = _given_back(0)
    return Kept(session=(session - new_session) / people, delivery=(delivery - new_delivery) / people)


def told(found: Kept) -> str:
    """The same in words."""
    return (
        "In the media process one thing is known to grow: a session of davey keeps"
        f" {found.session / KIBIBYTE:.1f} KiB of everybody who came and went, until its line ends. Each line"
        " begins with a new session, so the part about sound begins one with each line. Of everybody who is"
        " heard between two changes it keeps 8 KiB more, until ten seconds pass without a change; by its own"
        " clock, so that on a quick one they do not. The loopback's delivery, which is not his, keeps"
        f" {found.delivery / KIBIBYTE:.2f} KiB."
    )


def _given_back(people: int) -> tuple[int, int]:
    """Bytes that came back with one session, and then with the server's side."""
    call = another_group()
    for user in range(FIRST, FIRST + people):
        call.join(user)
        call.leave(user)
    before = _large()
    del call.seats[22]
    without_session = _large()
    del call.delivery
    return before - without_session, without_session - _large()


def _large() -> int:
    gc.collect()
    return memory.large()
