"""Names for things, minted by whoever begins the thing and carried by every message about it."""

from __future__ import annotations

from typing import NewType
from uuid import uuid4

StayId = NewType("StayId", str)
GuildId = NewType("GuildId", str)
RoomId = NewType("RoomId", str)
RoleId = NewType("RoleId", str)
MessageId = NewType("MessageId", str)
PersonId = NewType("PersonId", str)
CaptureId = NewType("CaptureId", str)
SegmentId = NewType("SegmentId", str)
LineId = NewType("LineId", str)
TurnId = NewType("TurnId", str)
ResponseId = NewType("ResponseId", str)
CallId = NewType("CallId", str)
UtteranceId = NewType("UtteranceId", str)
HandoffId = NewType("HandoffId", str)
DeedId = NewType("DeedId", str)
ConfirmationId = NewType("ConfirmationId", str)
OrderId = NewType("OrderId", str)

NO_GUILD = GuildId("")
"""Of whoever writes in private, and of whoever spoke and could not be identified."""

Connection = NewType("Connection", int)
"""Which connection inside one life of a room; events of another connection are old letters."""

Token = NewType("Token", int)
"""Which timer; a timer whose token is no longer current is an old letter."""


def new_id() -> str:
    """Return a fresh 12-digit hexadecimal name, unique for all practical purposes."""
    return uuid4().hex[:12]
