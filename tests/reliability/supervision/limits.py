"""What a supervisor does when it has mended as often as it may: it goes, and whoever is above decides."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messages.evidence import BridgeReady, BridgeStopped, Joined, Left, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.gateway import Joined as CameIn
from messages.ids import RoomId
from supervisors.paths import kept_in
from supervisors.rehearsal.remote import RemoteHouse
from supervisors.rehearsal.stage import Overrides
from supervisors.secrets import NO_KEYS
from tests.loopback.discord.program import command, configured, environment
from tests.loopback.discord.server import Discord
from tests.probe import Probe
from tests.reliability.figures import Table
from tests.reliability.supervision.record import Record
from tests.reliability.supervision.room import PATIENCE_SECONDS, Room, until

MOST_CRASHES: Final = 40
"""Nobody mends more often than this within his period."""
OPEN_SECONDS: Final = 60.0
GAVE_UP: Final = 1
HEAD: Final = (
    "crashed again and again",
    "limit",
    "crashes until it gave up",
    "who falls",
    "on record as",
    "then",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """One limit that was passed: how many crashes it took, and what should have been and was not."""

    cells: tuple[str, ...]
    broken: tuple[str, ...]


def table(falls: tuple[Fall, ...]) -> Table:
    """One row for each."""
    return Table(title="Crashed more often than is mended", head=HEAD, rows=tuple(one.cells for one in falls))


def of_a_stay(room: Room, actor: str, limit: str, wanted: int) -> Fall:
    """Crash one part of a stay until the stay is over; the house stands, and he comes again."""
    room.lives.leap()
    since, crashes = time.monotonic(), 0
    while crashes < MOST_CRASHES and room.path(actor) is not None:
        before = time.monotonic()
        room.house.crash(actor)
        crashes += 1
        _mended(room, actor, before)
    left = room.record.wait(Left, since, PATIENCE_SECONDS)
    body = [one for one in room.lives.since(since) if one.path == "root/body"]
    back = room.come()
    room.consent(since)
    checks = {
        f"{actor}: gave up after {wanted} crashes": crashes == wanted,
        f"{actor}: left as crashed": left is not None and left.reason == "crashed",
        f"{actor}: the body stands": not body,
        f"{actor}: he comes again": back is not None,
    }
    told = "`left` crashed" if left is not None else "nothing"
    return Fall(
        cells=(actor, limit, str(crashes), "the stay, not the house", told, "he comes when he is called"),
        broken=tuple(said for said, held in checks.items() if not held),
    )


def _mended(room: Room, actor: str, before: float) -> None:
    """Until everybody is there again, so that each crash is one; or until the stay is over."""
    mouth = ("mouth/playback", "mouth/tts", "mouth/floor")
    names = mouth if actor in mouth else (actor,)

    def done() -> bool:
        if room.lives.gone("stay", before, 0.0) is not None:
            return room.path("stay") is None
        return all(room.lives.opened(name, before, 0.0) is not None for name in names)

    if not until(done, PATIENCE_SECONDS):
        raise AssertionError(f"after a crash of {actor} neither he nor the end of the stay came")


def of_the_house() -> Fall:
    """Crash the captain of the program as it is run: it ends with 1, and may be started again at once."""
    with tempfile.TemporaryDirectory() as folder, Discord() as discord:
        program = _Program(discord, Path(folder))
        first = program.live(program.crash_until_it_ends)
        second = program.live(_nothing)
    checks = {
        "root: gave up after 4 crashes": program.crashes == 4,
        "root: the program ends with 1": first.code == GAVE_UP,
        "root: left as crashed": first.left == ["crashed"],
        "root: why the account stopped is on record": first.stopped == ["given_up"],
        "root: it says why it ended": "gave up" in first.log,
        "root: the next start is clean": second.joined and second.code == 0 and second.left == ["shutdown"],
    }
    record = f"`left` {', '.join(first.left)}, `bridge.stopped` {', '.join(first.stopped)}"
    then = "the next start is clean" if second.joined else "it does not start again"
    return Fall(
        cells=(
            "captain",
            "3 in 60 s",
            str(program.crashes),
            f"the program, exit code {first.code}",
            record,
            then,
        ),
        broken=tuple(said for said, held in checks.items() if not held),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Life:
    """What one life of the program came to."""

    joined: bool
    code: int
    left: list[str]
    stopped: list[str]
    log: str


class _Program:
    """The installed program on a Discord, with a room to come into."""

    def __init__(self, discord: Discord, folder: Path) -> None:
        guild = discord.guild("Home")
        self._room = RoomId(str(guild.voice("General").id))
        tables: Overrides = {
            "discord": {"proxy": discord.proxy, "ca_file": str(discord.ca_file)},
            "authority": {"join_policy": "guild_members", "guilds": (str(guild.id),)},
            **kept_in(folder),
        }
        self._command = command(configured(tables, folder))
        self._environment = environment(tables, discord.token, NO_KEYS)
        self._folder, self._lives = folder, 0
        self.crashes = 0

    def live(self, meanwhile: Callable[[RemoteHouse], object]) -> _Life:
        """One life, in which he comes into the room."""
        self._lives += 1
        log, record = self._folder / f"life-{self._lives}.log", Record()
        house = RemoteHouse(self._command, self._environment, (), {}, log)
        house.evidence.tell(Watch(watcher=record, may_see_words=False))
        with house:
            record.wait(BridgeReady, 0.0, OPEN_SECONDS)
            answered: Probe[JoinAnswer] = Probe()
            house.gateway.tell(JoinVoice(room=self._room, asked_by=AskedBy.OPERATOR, reply_to=answered))
            answered.expect(CameIn, PATIENCE_SECONDS)
            joined = record.wait(Joined, 0.0, PATIENCE_SECONDS) is not None
            meanwhile(house)
        told = record.since(0.0)
        return _Life(
            joined=joined,
            code=house._process.returncode,
            left=[one.reason for one in told if isinstance(one, Left)],
            stopped=[one.reason for one in told if isinstance(one, BridgeStopped)],
            log=log.read_text("utf-8", "replace"),
        )

    def crash_until_it_ends(self, house: RemoteHouse) -> None:
        """Crash the captain, each life of it once."""
        pause = threading.Event()
        while self.crashes < MOST_CRASHES and not house.trouble():
            restarts = self.crashes
            house.crash("captain")
            self.crashes += 1
            deadline = time.monotonic() + 2.0
            while time.monotonic() < deadline and not house.trouble() and _restarts(house) <= restarts:
                pause.wait(0.02)
        house.wait(PATIENCE_SECONDS)


def _nothing(house: RemoteHouse) -> None:
    """Nobody crashes."""


def _restarts(house: RemoteHouse) -> int:
    return next((one.restarts for one in house.tree().every() if one.path.endswith("/captain")), 0)
