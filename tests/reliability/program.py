"""The installed program through all the lives that it has in one night, and what of it runs at a moment."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from actors.console.client import NoKey
from actors.console.knock import exchange
from messages.console import OperatorNews
from messages.evidence import PrivateWords, Recorded, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice, LeaveAnswered, LeaveVoice
from messages.ids import RoomId
from messages.lifecycle import TreeNode
from supervisors.rehearsal.minds import Scripted
from supervisors.rehearsal.remote import RemoteHouse
from tests.reliability.told import Told

CONSOLE_SECONDS: Final = 5.0
GONE_SECONDS: Final = 5.0
"""How long his children may outlive him."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one process takes at a moment; bytes. `kinds` counts its descriptors by what they lead to."""

    rss: int
    pss: int
    threads: int
    kinds: Mapping[str, int]
    seconds: float
    """Of CPU, since it began."""

    @property
    def descriptors(self) -> int:
        """How many files it holds open."""
        return sum(self.kinds.values())


class NotAlive(Exception):
    """The program does not run."""


class _Life:
    """Whatever this life tells goes to the record of all of them, with its number."""

    def __init__(self, told: Told, number: int) -> None:
        self._told, self._number = told, number

    def tell(self, message: Recorded | PrivateWords | JoinAnswer | LeaveAnswered | OperatorNews, /) -> None:
        if isinstance(message, Recorded | PrivateWords):
            self._told.put(message, self._number)


class Program:
    """Started, stopped and killed as often as one likes; after `stop` and `kill` no process is left."""

    def __init__(
        self,
        command: tuple[str, ...],
        environment: Mapping[str, str],
        folder: Path,
        record: Told,
        replies: tuple[Scripted, ...] = (),
    ) -> None:
        self.life = 0
        """How often it was started."""
        self.record = record
        self.folder = folder
        self._command, self._environment, self._replies = command, environment, replies
        self._house: RemoteHouse | None = None

    # --- its lives --------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin a life; returns when the account is online. BadScenario in words if it never is."""
        assert self._house is None, "it runs already"
        self.life += 1
        house = RemoteHouse(self._command, self._environment, self._replies, {}, self.log)
        house.evidence.tell(Watch(watcher=_Life(self.record, self.life), may_see_words=True))
        self._house = house
        try:
            house.__enter__()
        except BaseException:
            self._house = None
            raise

    def stop(self) -> None:
        """Close it in good order, as SIGTERM does, and end whatever is left then."""
        house, self._house = self._house, None
        if house is not None:
            with suppress(ProcessLookupError):
                os.kill(house.process, signal.SIGTERM)
            house.__exit__(None, None, None)

    def kill(self, number: int = signal.SIGKILL) -> Mapping[int, str]:
        """Send it this signal and wait for its end; whoever of its children outlives it by GONE_SECONDS.

        Those are ended then.
        """
        house, self._house = self._house, None
        if house is None:
            raise NotAlive
        family = _family(house.process)
        with _watched({*family} - {house.process}) as children:
            try:
                os.kill(house.process, number)
                house.wait(GONE_SECONDS)
                end = time.monotonic() + GONE_SECONDS
                return {pid: family[pid] for pid, one in children.items() if not _is_gone(one, end)}
            finally:
                house.__exit__(None, None, None)

    @property
    def log(self) -> Path:
        """Where this life writes its log."""
        return self.folder / f"clankie-{self.life}.log"

    def logs(self) -> str:
        """What all its lives wrote into their logs."""
        return "".join(
            path.read_text("utf-8", "replace") for path in sorted(self.folder.glob("clankie-*.log"))
        )

    @property
    def alive(self) -> bool:
        """Whether it was started and has not ended, by itself or otherwise."""
        return self._house is not None and not self._house.trouble()

    # --- orders -----------------------------------------------------------------------------------

    def join(self, room: int) -> None:
        """An operator has him come; what comes of it is on record."""
        asker = _Life(self.record, self.life)
        self._running.gateway.tell(
            JoinVoice(room=RoomId(str(room)), asked_by=AskedBy.OPERATOR, reply_to=asker)
        )

    def leave(self) -> None:
        """An operator has him leave."""
        self._running.gateway.tell(
            LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=_Life(self.record, self.life))
        )

    def crash(self, path: str) -> None:
        """Crash the one actor whose path ends so; LookupError where there is none, BadScenario where
        nobody answers."""
        self._running.crash(path)

    def tree(self) -> TreeNode:
        """Everybody in it; BadScenario where nobody answers."""
        return self._running.tree()

    def order(
        self, method: str, path: str, body: Mapping[str, object] | None = None
    ) -> tuple[int, dict[str, object]]:
        """Say something at the console with its key: the status, and the JSON or {"text": …}.

        A ClientError where it cannot be said.
        """
        port, directory = self.console()
        reply = exchange(port, directory, f"{method} {path}", body, seconds=CONSOLE_SECONDS)
        try:
            read: object = json.loads(reply.body)
        except ValueError:
            read = None
        return reply.status, read if isinstance(read, dict) else {"text": reply.body.decode(errors="replace")}

    def metrics(self) -> dict[str, float]:
        """Every number at /metrics, by its name with its labels."""
        text = str(self.order("GET", "/metrics")[1]["text"])
        rows = [line.rpartition(" ") for line in text.splitlines() if line and not line.startswith("#")]
        return {name: float(value) for name, _, value in rows}

    # --- what runs --------------------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """Of the house."""
        return self._running.process

    def processes(self) -> dict[int, str]:
        """Everybody who runs: `house`, `media`, `tools`, or his command."""
        return {} if self._house is None else _family(self._house.process)

    def figures(self, pid: int | None = None) -> Figures:
        """What the house takes, or another of its processes; FileNotFoundError if it has just ended."""
        return _figures(self.pid if pid is None else pid)

    @property
    def _running(self) -> RemoteHouse:
        if self._house is None:
            raise NotAlive
        return self._house

    def console(self) -> tuple[int, Path]:
        """Where the present life listens: the newest key is its own."""
        directory = self.folder / "console"
        keys = sorted(directory.glob("console-*.key"), key=lambda key: key.stat().st_mtime_ns)
        if not keys:
            raise NoKey("the console has no key", "wait for it")
        return int(keys[-1].stem.removeprefix("console-")), directory


def _family(pid: int) -> dict[int, str]:
    """A process and whoever descends from it, with their parts."""
    found = {pid: _role(pid)}
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in listing.read_text().split():
                found |= _family(int(child))
    return found


def _role(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return "gone"
    for part, role in (("supervisors run", "house"), ("voice.media", "media"), ("mcp", "tools")):
        if part in command:
            return role
    return command.strip() or "zombie"


@contextmanager
def _watched(pids: set[int]) -> Generator[dict[int, int]]:
    """A descriptor for each of these processes, which can be read once it has ended."""
    opened: dict[int, int] = {}
    try:
        for pid in pids:
            with suppress(ProcessLookupError):
                opened[pid] = os.pidfd_open(pid)
        yield opened
    finally:
        for one in opened.values():
            os.close(one)


def _is_gone(descriptor: int, end: float) -> bool:
    return bool(select.select([descriptor], [], [], max(0.0, end - time.monotonic()))[0])


def _figures(pid: int) -> Figures:
    folder = Path(f"/proc/{pid}")
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    kinds: dict[str, int] = {}
    for descriptor in (folder / "fd").iterdir():
        with suppress(OSError):
            kind = str(descriptor.readlink()).partition(":")[0]
            name = "file" if kind.startswith("/") else kind
            kinds[name] = kinds.get(name, 0) + 1
    pss = next(
        int(line.split()[1]) * 1024
        for line in (folder / "smaps_rollup").read_text().splitlines()
        if line.startswith("Pss:")
    )
    return Figures(
        rss=int(fields[21]) * _PAGE,
        pss=pss,
        threads=int(fields[17]),
        kinds=kinds,
        seconds=(int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
    )
