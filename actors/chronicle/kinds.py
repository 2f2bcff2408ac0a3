"""What a kind of receipt is called: the name of its class, as the record, numbers and scenes write it."""

from __future__ import annotations

import re

from messages.evidence import Receipt


def kind_of(receipt: type[Receipt]) -> str:
    """FloorDecision -> floor_decision."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", receipt.__name__).lower()
