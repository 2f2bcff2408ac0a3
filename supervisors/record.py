"""The record is put in order before it is written on: a killed house did not say that its stays were over."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeAlias

from loguru import logger

from actors.evidence.local_purge import Purge, clear_away, purge
from actors.evidence.orphans import Bereft, close_orphans
from actors.evidence.settings import EvidenceSettings
from messages.gateway import ConsentsLost
from messages.ids import PersonId
from supervisors.claims import claimed

Losses: TypeAlias = tuple[ConsentsLost, ...]


@contextmanager
def claimed_record(settings: EvidenceSettings) -> Generator[tuple[Bereft, ...]]:
    """Keep other houses out of the record meanwhile, and put it in order first; raises BadConfig.

    Yields the stays that a crash has ended, where whom he heard is still to be told.
    """
    with claimed("[evidence] directory", settings.directory):
        yield _put_in_order(settings)


def lost_consents(bereft: tuple[Bereft, ...], *, may_write: bool) -> Losses:
    """What the gateway is to tell of these stays, or, where nothing may be written, to put on record."""
    return tuple(
        ConsentsLost(stay=one.stay, room=one.room if may_write else None, people=one.people) for one in bereft
    )


def purged(settings: EvidenceSettings, person: PersonId) -> Purge:
    """Take a person out of a record that no house is at work on; raises BadConfig where one is."""
    with claimed("[evidence] directory", settings.directory) as folder:
        clear_away(folder)
        return purge(folder, person, receipts=True)


def _put_in_order(settings: EvidenceSettings) -> tuple[Bereft, ...]:
    try:
        found = close_orphans(settings)
    except OSError as error:
        logger.warning("the last receipts could not be looked through: {}", error.strerror)
        return ()
    if found.orphans:
        logger.warning(
            "stays that a killed house left open are on record as left, reason crashed: {}", found.orphans
        )
    return found.bereft
