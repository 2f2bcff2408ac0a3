"""`clankie run`: open until somebody says otherwise; once is in good order, twice is at once."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import FrameType

from loguru import logger

from messages.gateway import AskedBy, JoinAnswer, JoinRefused, JoinVoice
from supervisors.house import House
from supervisors.local import ROOM, local_house
from supervisors.logs import configure
from supervisors.preflight import check
from supervisors.record import claimed_record
from supervisors.settings import Settings, load

DEFAULT_CONFIG = Path("config.toml")
GAVE_UP_EXIT, AT_ONCE_EXIT = 1, 130


class _Told:
    """Writes down what became of the order to join."""

    def tell(self, answer: JoinAnswer, /) -> None:
        if isinstance(answer, JoinRefused):
            logger.warning("he did not come into room {}: {} {}", ROOM, answer.reason.value, answer.detail)
        else:
            logger.info("he is in room {}", answer.room)


def keep_open(config: Path | None) -> int:
    """Open the house and wait; return 0 after an order to stop, 1 if the root supervisor gave up.

    Raises BadConfig, ModelMissing or NoOpus before anything is opened that could not work.
    """
    settings = configured(config)
    check(settings)
    configure(settings.log)
    with claimed_record(settings.evidence):
        in_order = _open(local_house(settings))
    return 0 if in_order else GAVE_UP_EXIT


def _open(house: House) -> bool:
    """Whether it was closed by order."""
    _on_signals(house)
    with house:
        house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=_Told()))
        logger.info("the house is open; Ctrl-C closes it, a second one at once")
        in_order = house.wait()
        logger.info("closing" if in_order else "the root supervisor gave up; see the warnings above")
    logger.info("closed")
    return in_order


def configured(config: Path | None) -> Settings:
    """Return the settings of that file, or of config.toml here if there is one, or the defaults."""
    if config is None and DEFAULT_CONFIG.exists():
        config = DEFAULT_CONFIG
    return load(config)


def _on_signals(house: House) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: os._exit(AT_ONCE_EXIT))
        # A terminal that closes may say so twice.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        house.interrupt()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, stop)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, stop)
