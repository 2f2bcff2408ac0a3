"""How a peer's script is done: its last line is what it measured."""

import json


def tell(values: dict[str, float]) -> None:
    """Print what was measured."""
    print(json.dumps({"values": values}), flush=True)  # noqa: T201
