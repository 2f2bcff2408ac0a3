"""A whole house with a voice that hums, which goes where it is told to and says what it weighs."""

from __future__ import annotations

import json
import sys
import threading
from typing import Final

from loguru import logger

from actors.realtime.script import Script
from messages.evidence import BridgeReady, Watch
from messages.gateway import AskedBy, JoinAnswer, Joined, JoinVoice
from messages.ids import RoomId
from supervisors.house import House
from supervisors.live import discord_house
from supervisors.settings import load
from tests.benchmarks.kernel import private
from tests.loopback.discord.evening import HummingSpeech, Kept
from tests.probe import Probe

PATIENCE_SECONDS: Final = 20.0
STEP_SECONDS: Final = 0.15
STEADY: Final = 4
"""It weighs what it has weighed so often in a row."""
ABOUT_MB: Final = 0.1

_never = threading.Event()


def main(asked: str) -> None:
    """Be the house; each line is a list of rooms to go to, and is answered with the megabytes after that."""
    tables, token = json.loads(asked)
    logger.remove()
    settings = load(None, tables)
    with discord_house(settings, token, HummingSpeech(settings), Script(())) as house:
        record = Kept()
        house.evidence.tell(Watch(watcher=record, may_see_words=False))
        record.expect(BridgeReady, seconds=PATIENCE_SECONDS)
        for line in sys.stdin:
            _go(house, json.loads(line))
            print(_steady(), flush=True)  # noqa: T201


def _go(house: House, rooms: list[str]) -> None:
    answered: Probe[JoinAnswer] = Probe()
    for room in rooms:
        house.gateway.tell(JoinVoice(room=RoomId(room), asked_by=AskedBy.OPERATOR, reply_to=answered))
    for _ in rooms:
        answered.expect(Joined, PATIENCE_SECONDS)


def _steady() -> float:
    """What it weighs when it has come to rest."""
    weights: list[float] = []
    while len(weights) < STEADY or max(weights[-STEADY:]) - min(weights[-STEADY:]) > ABOUT_MB:
        _never.wait(STEP_SECONDS)
        weights.append(private())
    return weights[-1]


if __name__ == "__main__":
    main(sys.argv[1])
