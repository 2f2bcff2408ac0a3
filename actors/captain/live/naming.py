"""Every call has a name of its own within its turn, whatever the server calls it."""

from __future__ import annotations

import json
import re
from itertools import count
from typing import Final

from actors.captain.live.wire import Called, Stepped
from actors.captain.wire import parse
from messages.captain import MachineTool, ToolCall
from messages.ids import CallId

_CALL: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def named(
    stepped: Stepped, known: set[str], step: int, machines: tuple[MachineTool, ...]
) -> tuple[list[str], tuple[ToolCall, ...]]:
    """Name the calls of a step, and add the names to those `known`; what is there twice is one."""
    items, calls, seen = list(stepped.items), list[ToolCall](), set[Called]()
    twice: list[int] = []
    for called in stepped.calls:
        same = Called(call=called.call, name=called.name, arguments=called.arguments, item=0)
        if called.call and same in seen:
            twice.append(called.item)
            continue
        seen.add(same)
        name = called.call
        if not _CALL.fullmatch(name) or name in known:
            free = (f"call_{number}_{step}" for number in count(len(known) + 1))
            name = next(one for one in free if one not in known)
            items[called.item] = json.dumps({**json.loads(items[called.item]), "call_id": name})
        known.add(name)
        wanted = parse(called.name, called.arguments, machines)
        calls.append(ToolCall(call=CallId(name), request=wanted))
    return [item for place, item in enumerate(items) if place not in twice], tuple(calls)
