"""The house as `clankie run` opens it, in this process, whose actors' mail is noted: `CONFIG MOMENTS`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from actors.base import Worker
from actors.evidence.actor import Evidence
from actors.floor.actor import Floor
from actors.playback.actor import Playback
from actors.realtime.actor import Realtime
from actors.tts.actor import Tts
from actors.voice.actor import Voice
from messages.evidence import Joined
from messages.floor import RosterTold, VoiceEnded, WordsHeard
from messages.playback import CutSpeech, QueueSound
from messages.realtime import TurnAsked
from messages.tts import SayText
from messages.voice import PlaySound
from supervisors.cli import SWITCH_SECONDS
from supervisors.commands.run import keep_open, leave
from tests.benchmarks.latency.moments import Moment, written

_DETAILS: Final[Mapping[type, Callable[[Any], str]]] = {
    Joined: lambda it: f"{it.stay_id} {it.room_id}",
    RosterTold: lambda it: it.change or "",
    VoiceEnded: lambda it: it.person,
    WordsHeard: lambda it: f"{it.person.id} {'final' if it.final else 'so_far'} {it.text}",
    TurnAsked: lambda it: it.trigger,
    SayText: lambda _: "",
    QueueSound: lambda _: "",
    PlaySound: lambda _: "",
    CutSpeech: lambda _: "",
}
"""What is noted of which message."""


def main(config: Path, moments: Path) -> None:
    """Be that house until it is told to stop, and leave behind what was noted."""
    sys.setswitchinterval(SWITCH_SECONDS)
    noted: list[Moment] = []
    for room in (Evidence, Floor, Realtime, Tts, Playback, Voice):
        _note_mail(room, noted)
    code = keep_open(config)
    moments.write_text(json.dumps(written(noted)), "utf-8")
    leave(code)


def _note_mail(room: type[Worker[Any]], noted: list[Moment]) -> None:
    received = room.receive

    def receive(worker: Worker[Any], message: Any) -> None:
        detail = _DETAILS.get(type(message))
        if detail is not None:
            at, kind = time.monotonic(), type(message).__name__
            noted.append(Moment(at=at, path=worker.life.path, kind=kind, detail=detail(message)))
        received(worker, message)

    setattr(room, "receive", receive)  # noqa: B010 - the type checkers hold that a method is not assigned to


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
