"""The installed program on a Discord of ours, with a real server of tools; it may be killed and run again."""

from __future__ import annotations

import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypedDict

from actors.captain.journal import Entry
from actors.captain.local_ledger import LocalLedger
from supervisors.paths import kept_in
from supervisors.secrets import TOKEN_VARIABLE
from tests.loopback.discord.board import Post
from tests.loopback.discord.rooms import Channel
from tests.loopback.discord.server import Discord
from tests.loopback.mcp_server import LEDGER
from tests.loopback.openai.responses_asked import CaptainAsked, CaptainBrain, CaptainReply
from tests.loopback.openai.server import OpenAi

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 30.0
"""How long we are willing to fail on a busy machine."""
GONE_SECONDS: Final = 20.0
"""How long whatever he started may outlive him: two, and more where a machine is busy."""
SERVER: Final = "tools"


class Record:
    """A pipe in which the tools write down what they really do, and which is read line by line."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        # Held at both ends, it has no end when a writer goes.
        self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._text = ""

    def close(self) -> None:
        """Let go of it."""
        os.close(self._pipe)

    def wait_for(self, deed: str) -> None:
        """Until this is done."""
        end = time.monotonic() + PATIENCE
        while deed not in self.deeds():
            ready = select.select([self._pipe], [], [], max(0.0, end - time.monotonic()))[0]
            assert ready, f"{deed} was not done within {PATIENCE} s, but {self.deeds()}"

    def deeds(self) -> list[str]:
        """Everything that was done so far."""
        with suppress(BlockingIOError):
            while more := os.read(self._pipe, 4096):
                self._text += more.decode()
        return self._text.split()


class Running:
    """One life of the program; its log is read as it comes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.log: list[str] = []
        self._came: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="log of a house")
        self._reader.start()

    def wait_for(self, *words: str) -> None:
        """Until lines with each of these words have been logged."""
        end = time.monotonic() + PATIENCE
        missing = [word for word in words if not any(word in line for line in self.log)]
        while missing:
            with suppress(queue.Empty):
                line = self._came.get(timeout=max(0.0, end - time.monotonic()))
                assert line is not None, "".join(self.log)
                self.log.append(line)
                missing = [word for word in missing if word not in line]
                continue
            raise AssertionError(f"{missing} not within {PATIENCE} s:\n{''.join(self.log)}")

    def kill(self) -> None:
        """End it at once and see all that it started gone soon."""
        family = [os.pidfd_open(pid) for pid in _children(self.process.pid)]
        try:
            self.process.kill()
            self.process.wait()
            end = time.monotonic() + GONE_SECONDS
            for one in family:
                assert select.select([one], [], [], max(0.0, end - time.monotonic()))[0], "a child survives"
        finally:
            for one in family:
                os.close(one)

    def end(self) -> None:
        """Close it in good order, if it is there."""
        self.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._came.put(line)
        self._came.put(None)


def _children(pid: int) -> list[int]:
    """Whoever it started, and whoever they started."""
    found: list[int] = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(one) for one in listing.read_text().split()]
    return [*found, *(other for one in found for other in _children(one))]


class OwnHouse:
    """Everything around the program; every step that its captain was asked for is in `asked`."""

    def __init__(self, folder: Path, discord: Discord, openai: OpenAi, record: Record) -> None:
        self.folder, self.discord, self.openai, self.record = folder, discord, openai, record
        self.guild = discord.guild("Home")
        self.lobby = self.guild.text("lobby")
        self.room = self.guild.voice("General")
        self.anna = self.guild.member("Anna")
        self.asked: list[CaptainAsked] = []

    def write(self, text: str) -> int:
        """Anna writes to him in the lobby."""
        return self.anna.write(self.lobby, f"{self.guild.bot.mention} {text}")

    def posts(self, channel: Channel, count: int = 0) -> list[tuple[str, int | None]]:
        """What he has written there and which message it answers, as soon as it is so much."""

        def there() -> list[tuple[str, int | None]]:
            return [
                (post.content, post.reply_to) for post in self.discord.posts if post.channel == channel.id
            ]

        self.discord.wait(lambda: len(there()) >= count, PATIENCE, f"{count} posts")
        return there()

    def questions(self, count: int) -> list[Post]:
        """What he has shown with buttons, as soon as it is so much."""

        def shown() -> list[Post]:
            return [post for post in self.discord.posts if post.buttons]

        self.discord.wait(lambda: len(shown()) >= count, PATIENCE, f"{count} questions")
        return shown()

    def entries(self, lane: str = "") -> list[Entry]:
        """Every line of the lanes whose names begin so, as the next life will read it."""
        book = LocalLedger(self.folder / "captain", keep_days=30, now=time.time).open()
        assert book.unreadable == 0
        return [entry for name, entries in book.lanes if name.startswith(lane) for entry in entries]

    @contextmanager
    def run(self, *log: str, first: str = "") -> Generator[Running]:
        """Run the program until these words are in its log; Python runs `first` in it before anything."""
        log = log or ("the account is online", f"{SERVER} offers")
        config = self.folder / "config.toml"
        config.write_text(self._config())
        program = f"{first}\nimport sys; sys.argv = ['clankie', 'run', '--config', {str(config)!r}]\n"
        process = subprocess.Popen(
            [sys.executable, "-c", f"{program}from supervisors.cli import main; main()"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env=self._environment(),
        )
        running = Running(process)
        try:
            running.wait_for(*log)
            yield running
        finally:
            running.end()

    def _environment(self) -> dict[str, str]:
        kept = {name: text for name, text in os.environ.items() if not name.upper().startswith("CLANKIE")}
        keys = {TOKEN_VARIABLE: self.discord.token, "CLANKIE_OPENAI_API_KEY": self.openai.key}
        return {**kept, **keys, "PYTHONUNBUFFERED": "1"}

    def _config(self) -> str:
        """Ears, minds and mouth are this machine's OpenAI, so that no model has to be loaded."""
        tables: dict[str, Mapping[str, object]] = {
            "discord": {"proxy": self.discord.proxy, "ca_file": str(self.discord.ca_file)},
            "authority": {"guilds": [self.guild.id], "owner": self.anna.id},
            "openai": {"base_url": self.openai.service.base_url},
            "capture": {"provider": "openai"},
            "tts": {"provider": "openai"},
            **kept_in(self.folder),
        }
        tables["captain"] = {**tables["captain"], "provider": "openai"}
        server = server_of_tools(self.record.path)
        tables[f"captain.mcp.{SERVER}"] = {name: one for name, one in server.items() if name != "env"}
        tables[f"captain.mcp.{SERVER}.env"] = server["env"]
        lines: list[str] = []
        for name, table in tables.items():
            lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
        return "\n".join(lines) + "\n"


class ServerTable(TypedDict):
    """A table of `[captain.mcp]`."""

    command: str
    args: list[str]
    env: dict[str, str]


def server_of_tools(record: Path) -> ServerTable:
    """The real server of tools as a program, which writes down there what it did."""
    return {
        "command": sys.executable,
        "args": ["-m", "tests.loopback.mcp_server", "stdio"],
        "env": {LEDGER: str(record), "PYTHONPATH": str(ROOT)},
    }


@contextmanager
def own_house(folder: Path, thinks: CaptainBrain) -> Generator[OwnHouse]:
    """A Discord, an OpenAI whose captain `thinks`, and all that is needed to run a house between them."""
    record = Record(folder / "deeds")
    try:
        with Discord() as discord, OpenAi(live=True) as openai:
            house = OwnHouse(folder, discord, openai, record)

            def noted(asked: CaptainAsked) -> CaptainReply:
                house.asked.append(asked)
                return thinks(asked)

            openai.rest.brains.captain = noted
            yield house
            assert openai.violations == []
    finally:
        record.close()
