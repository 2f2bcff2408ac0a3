"""What was told is put into words of the wire, stamped and signed, before anything is decided about it."""

from __future__ import annotations

from datetime import datetime

from actors.chronicle.kinds import kind_of
from actors.evidence import events, wire
from actors.evidence.settings import EvidenceSettings
from messages.evidence import HeardWords, PrivateWords, Receipt, Recorded
from messages.ids import new_id


def on_the_wire(receipt: Receipt, wall: datetime, origin: str) -> events.Written | events.Unfit:
    """A receipt as its line, or which field of it breaks the schema."""
    line = wire.to_line(receipt, entry_id=new_id(), occurred_at=wall, origin=origin)
    if isinstance(line, wire.Malformed):
        return events.Unfit(kind=kind_of(type(receipt)), reason=line.reason)
    recorded = Recorded(receipt=receipt, at=wall.timestamp(), json_line=line)
    return events.Written(recorded=recorded, day=wall.date())


def private(words: PrivateWords, wall: datetime, settings: EvidenceSettings) -> events.Private:
    """Words, with their line where they are to be kept; his own are the model's, which is never stored."""
    line = None
    if settings.transcripts and isinstance(words, HeardWords):
        line = wire.words_line(words, occurred_at=wall)
    return events.Private(words=words, day=wall.date(), line=line)
