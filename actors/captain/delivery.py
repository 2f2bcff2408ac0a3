"""What is written down is for him; that a turn has failed is also for whoever reads the log."""

from __future__ import annotations

from loguru import logger

from actors.captain.journal import Entry, TurnOver


def log(entry: Entry) -> None:
    """One line for a turn that has failed: its name and the code, and nobody's words."""
    if isinstance(entry, TurnOver) and entry.how == "failed":
        logger.warning("the captain's turn {} has failed: {}", entry.handoff, entry.reason)
