"""Who can be crashed, how, and which request has to be served before he counts as back."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from messages.evidence import BridgeReady, Left
from tests.reliability.supervision.room import PATIENCE_SECONDS, SHORT, Room, until

ONE, REST, ALL = "one_for_one", "rest_for_one", "one_for_all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """One row: `path` ends the path of whoever is crashed, `strategy` is what the tree says of him.

    `serve` is called as soon as a new life has opened (or, where the stay is over, when it is); it returns
    when the request was served.
    """

    name: str
    strategy: str
    path: Callable[[Room], str]
    serve: Callable[[Room, float], float | None]
    crash: Callable[[Room, str], object] = lambda room, path: room.house.crash(path)
    left: str = ""
    """Why the stay is over, if it is."""
    deafens: bool = False
    """Whether it costs Ada her consent."""
    breaks_off: bool = False
    """Whether the answer that he is giving ends."""
    reborn: bool = True
    """Whether a supervisor has to begin a new life under the same name."""
    after_speech: bool = False
    """Whether the request can be served only when he has said what he was saying."""


def named(name: str) -> Callable[[Room], str]:
    """Whoever has this name."""

    def find(room: Room) -> str:
        path = room.path(name)
        assert path is not None, f"there is no {name}"
        return path

    return find


def _aloud(room: Room, since: float) -> float | None:
    del since
    return room.served_aloud()


def _on_disk(room: Room, since: float) -> float | None:
    del since
    before = written(room)
    room.ada.member.write(room.channel, SHORT)
    return time.monotonic() if until(lambda: written(room) > before, PATIENCE_SECONDS) else None


def written(room: Room) -> int:
    """How many receipts of typed lines are on disk."""
    files = (room.folder / "evidence").glob("*.jsonl")
    return sum(file.read_bytes().count(b'"discord.voice.text_input"') for file in files)


def _counted(room: Room, since: float) -> float | None:
    del since
    before = room.counted()
    room.ada.member.write(room.channel, SHORT)
    return time.monotonic() if until(lambda: room.counted() > before, PATIENCE_SECONDS) else None


def _seen(room: Room, since: float) -> float | None:
    del since
    return time.monotonic() if until(lambda: room.look("/status") is not None, PATIENCE_SECONDS) else None


def _asked(room: Room, since: float) -> float | None:
    del since
    return room.served_the_operator()


def _written(room: Room, since: float) -> float | None:
    room.record.wait(BridgeReady, since, PATIENCE_SECONDS)
    return room.served_in_writing()


def _joined(room: Room, since: float) -> float | None:
    del since
    return room.come()


def _words(room: Room, since: float) -> float | None:
    """The notice is read, the person opts in again, and is understood."""
    if not room.consent(since):
        return None
    until(lambda: room.fact("microphones", "voice") == 1, PATIENCE_SECONDS)
    return room.understood()


def usually(room: Room, actor: Actor) -> float | None:
    """How long the same request takes when nobody has crashed."""
    since = time.monotonic()
    match actor.serve:
        case served if served is _words:
            at = room.understood()
        case served if served is _joined:
            room.leave()
            room.record.wait(Left, since, PATIENCE_SECONDS)
            since = time.monotonic()
            at = room.come()
            room.consent(since)
        case served if served is _written:
            at = room.served_in_writing()
        case served:
            at = served(room, since)
    return None if at is None else at - since


def _kill(room: Room, path: str) -> None:
    del path
    pid = room.fact("media_process", "voice")
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGKILL)


def _ear(room: Room) -> str:
    return f"{room.stay()}/ears/{room.ada.id}"


ACTORS: Final = (
    Actor(name="evidence", strategy=f"permanent, {ONE}", path=named("evidence"), serve=_on_disk),
    Actor(name="captain", strategy=f"permanent, {ONE}", path=named("captain"), serve=_asked),
    Actor(name="meter", strategy=f"permanent, {ONE}", path=named("meter"), serve=_counted),
    Actor(name="console", strategy=f"permanent, {ONE}", path=named("console"), serve=_seen),
    Actor(name="body", strategy=f"permanent, {ONE}", path=named("body"), serve=_written, left="crashed"),
    Actor(
        name="gateway",
        strategy=f"permanent, {REST}",
        path=named("gateway"),
        serve=_written,
        left="gateway_lost",
    ),
    Actor(name="stays", strategy=f"permanent, {REST}", path=named("stays"), serve=_joined, left="crashed"),
    Actor(
        name="family",
        strategy="temporary",
        path=lambda room: room.stay(),
        serve=_joined,
        left="crashed",
        reborn=False,
    ),
    Actor(
        name="stay",
        strategy="temporary, significant",
        path=named("stay"),
        serve=_joined,
        left="crashed",
        reborn=False,
    ),
    Actor(name="voice", strategy=f"transient, {ONE}", path=named("voice"), serve=_aloud, breaks_off=True),
    Actor(
        name="media process",
        strategy="born again by voice",
        path=named("voice"),
        crash=_kill,
        serve=_aloud,
        breaks_off=True,
        reborn=False,
    ),
    Actor(name="mouth", strategy=f"transient, {ONE}", path=named("mouth"), serve=_aloud, breaks_off=True),
    Actor(
        name="playback", strategy=f"permanent, {ALL}", path=named("playback"), serve=_aloud, breaks_off=True
    ),
    Actor(name="tts", strategy=f"permanent, {ALL}", path=named("tts"), serve=_aloud, breaks_off=True),
    Actor(name="floor", strategy=f"permanent, {ALL}", path=named("floor"), serve=_aloud, breaks_off=True),
    Actor(
        name="realtime", strategy=f"transient, {ONE}", path=named("realtime"), serve=_aloud, after_speech=True
    ),
    Actor(name="ears", strategy=f"transient, {ONE}", path=named("ears"), serve=_words, deafens=True),
    Actor(name="ear", strategy="temporary", path=_ear, serve=_words, deafens=True, reborn=False),
)
"""From the top of the tree to the bottom."""
