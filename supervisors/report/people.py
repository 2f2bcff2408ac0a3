"""People are numbers here: short names that stay the same through a whole report and tell no names."""

from __future__ import annotations

from collections.abc import Iterable

from messages.evidence import Floor, Handoff, Receipt
from messages.ids import PersonId

TAIL = 4
LOOKS = 6
"""So many colours there are for people."""


class People:
    """Everybody in the order in which a record begins to tell of them."""

    def __init__(self, receipts: Iterable[Receipt]) -> None:
        """Number whoever is named in these receipts."""
        self._numbers: dict[PersonId, int] = {}
        for receipt in receipts:
            person = person_of(receipt)
            if person is not None:
                self._numbers.setdefault(person, len(self._numbers))

    def name(self, person: PersonId) -> str:
        """Return for example "person 1 …1234"."""
        tail = f"…{person[-TAIL:]}" if len(person) > TAIL else person
        return f"person {self._numbers[person] + 1} {tail}"

    def look(self, person: PersonId) -> str:
        """Return the colour of this person, p0 to p5."""
        return f"p{self._numbers[person] % LOOKS}"


def person_of(receipt: Receipt) -> PersonId | None:
    """Whom this receipt names, if anybody."""
    match receipt:
        case Floor(holder_id=person):
            return person
        case Handoff(asker_id=person):
            return person
        case _:
            named: PersonId | None = getattr(receipt, "person_id", None)
            return named
