"""A media process like any other that also writes down when it has obeyed an order to be silent."""

from __future__ import annotations

import os
import struct
import sys
import time
from typing import Final

from actors.voice.media.__main__ import main
from actors.voice.media.mouth import Mouth
from messages.ids import UtteranceId

STAMP: Final = struct.Struct("@d")


def stamp(path: str) -> None:
    """Add the monotonic second of every cut to this file, once all is done that a cut asks for."""
    fd, cut = os.open(path, os.O_WRONLY | os.O_APPEND), Mouth.cut

    def stamped(mouth: Mouth, utterance: UtteranceId, now: float) -> None:
        cut(mouth, utterance, now)
        os.write(fd, STAMP.pack(time.monotonic()))

    Mouth.cut = stamped  # type: ignore[method-assign]


if __name__ == "__main__":
    stamp(sys.argv.pop(1))
    main()
