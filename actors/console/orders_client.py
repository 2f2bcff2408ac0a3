"""An order from another program: it is given with the key, and what became of it comes back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from actors.console.knock import BadRequest, body_of, exchange, refused
from actors.console.wire_bodies import BODIES
from actors.console.wire_orders import Malformed, order_in, parse_answer
from messages.console import OrderAnswer
from messages.lifecycle import Scalar

ORDER_SECONDS: Final = 55.0
"""A little longer than the house itself waits for what becomes of an order."""
_ANSWERS: Final = frozenset((200, 202, 409, 410))


def order(
    port: int, directory: Path, path: str, body: Mapping[str, Scalar], *, seconds: float = ORDER_SECONDS
) -> OrderAnswer:
    """Give the house on this machine an order of wire_bodies.BODIES ("/say") and wait for the answer.

    A field that is None is left out. Raises BadRequest at once if it is no order as these are, and a
    ClientError after `seconds` at most; a refusal is an answer.
    """
    sent = {name: value for name, value in body.items() if value is not None}
    if path in BODIES and isinstance(read := order_in(path, body_of(sent)), Malformed):
        raise BadRequest(read.fault, "mend that and try again")
    reply = exchange(port, directory, f"POST {path}", sent, seconds=seconds)
    answer = parse_answer(reply.body) if reply.status in _ANSWERS else None
    if answer is None:
        raise refused(port, path, reply)
    return answer
