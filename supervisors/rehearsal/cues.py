"""What a cue or an expectation says of a receipt must be something that a receipt can have."""

from __future__ import annotations

from supervisors.rehearsal.faults import Found, instead
from supervisors.rehearsal.kinds import KINDS, fields_of, snake
from supervisors.rehearsal.scenario import Cue
from supervisors.rehearsal.values import values_of


def in_cue(key: str, cue: Cue) -> Found:
    """What is wrong with the cue that stands under this key."""
    if cue.receipt not in KINDS:
        yield key, f"receipt = {cue.receipt!r}: there is no such kind{instead(cue.receipt, KINDS)}"
        return
    for field, value in cue.where.items():
        known = fields_of(cue.receipt)
        if snake(field) not in known:
            yield key, f"{field}: a {cue.receipt} receipt has no such field{instead(field, known)}"
            return
        codes = values_of(cue.receipt, snake(field))
        if codes and value not in codes:
            all_of_them = ", ".join(codes)
            yield key, f"{field} = {value!r}: a {cue.receipt} receipt never has that; write {all_of_them}"
