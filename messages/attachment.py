"""A picture or a file on its way into a chat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MOST_ATTACHMENTS: Final = 4
MOST_ATTACHED_BYTES: Final = 8 * 2**20
"""In one message, all together; Discord itself takes ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """One file: `name` is a plain file name, `kind` a media type such as "image/png"."""

    name: str
    kind: str
    data: bytes = field(repr=False)
