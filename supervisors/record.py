"""The record is put in order before it is written on: a killed house did not say that its stays were over."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from loguru import logger

from actors.evidence.local_purge import Purge, clear_away, purge
from actors.evidence.orphans import close_orphans
from actors.evidence.settings import EvidenceSettings
from messages.ids import PersonId
from supervisors.claims import claimed


@contextmanager
def claimed_record(settings: EvidenceSettings) -> Generator[None]:
    """Keep other houses out of the record meanwhile, and put it in order first; raises BadConfig."""
    with claimed("[evidence] directory", settings.directory):
        _put_in_order(settings)
        yield


def purged(settings: EvidenceSettings, person: PersonId) -> Purge:
    """Take a person out of a record that no house is at work on; raises BadConfig where one is."""
    with claimed("[evidence] directory", settings.directory) as folder:
        clear_away(folder)
        return purge(folder, person, receipts=True)


def _put_in_order(settings: EvidenceSettings) -> None:
    try:
        many = close_orphans(settings)
    except OSError as error:
        logger.warning("the last receipts could not be looked through: {}", error.strerror)
        return
    if many:
        logger.warning("stays that a killed house left open are on record as left, reason crashed: {}", many)
