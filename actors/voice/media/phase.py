"""How far a voice line has come: the states of its machine."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """One line goes down this list; UP and RESUMING may take turns, and CLOSED follows any of them."""

    OPENING = "opening"
    """The first websocket is opening."""
    IDENTIFIED = "identified"
    """He has said who he is."""
    DISCOVERING = "discovering"
    """He asks from which address his sound comes."""
    SELECTING = "selecting"
    """He has chosen how sound is encrypted."""
    UP = "up"
    """Sound flows."""
    RESUMING = "resuming"
    """Sound flows, and the websocket is on its way back."""
    CLOSED = "closed"
    """Nothing happens any more."""
