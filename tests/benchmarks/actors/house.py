"""A house whose tree stands and whose settings are read, without a network, a model or an SDK."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from actors.console.local import ClosedConsole
from actors.local_room import LocalRoom
from actors.meter.live import Board
from actors.net.loop import IoLoop
from messages.ids import RoomId
from supervisors.local import LOOP_STOP_SECONDS, room_house
from supervisors.paths import kept_in
from supervisors.secrets import NO_KEYS
from supervisors.settings import load
from supervisors.speech import LocalSpeech


def main() -> None:
    """Open it, say so, and be gone."""
    with tempfile.TemporaryDirectory() as folder:
        settings = load(None, kept_in(Path(folder)))
        loop = IoLoop()
        house = room_house(
            settings,
            NO_KEYS,
            LocalRoom(RoomId("bench")),
            LocalSpeech(settings),
            loop,
            Board(),
            console=ClosedConsole,
            close=lambda: loop.stop(LOOP_STOP_SECONDS),
        )
        with house:
            print("open", flush=True)  # noqa: T201
    os._exit(0)


if __name__ == "__main__":
    main()
