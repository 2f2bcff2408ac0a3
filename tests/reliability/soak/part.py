"""`python -m tests.reliability.soak.part NAME HOURS SEED` plays one part, a JSON line for each look."""

from __future__ import annotations

import sys

from pydantic import TypeAdapter

from tests.reliability.soak.parts import PARTS, Look

LOOK: TypeAdapter[Look] = TypeAdapter(Look)


def main(name: str, hours: str, seed: str) -> None:
    """Write what is seen as it is seen."""
    for look in PARTS[name](float(hours), int(seed)):
        sys.stdout.buffer.write(LOOK.dump_json(look) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
