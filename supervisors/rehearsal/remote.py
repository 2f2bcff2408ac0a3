"""The installed program, run as anybody would run it, and rehearsed from here over one socket."""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

from actors.evidence.wire import Malformed, parse_line
from messages.evidence import HeardWords, PrivateWords, Recorded, SpokenWords, Watch
from messages.gateway import (
    GatewayMessage,
    JoinAnswer,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveVoice,
    RefusedJoin,
)
from messages.ids import PersonId, RoomId, StayId, UtteranceId
from messages.lifecycle import TreeNode
from messages.mailbox import Mailbox
from supervisors.rehearsal import wire
from supervisors.rehearsal.scenario import BadScenario, ReplyEntry

M = TypeVar("M")

OPEN_SECONDS: Final = 60.0
ANSWER_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 15.0


class RemoteHouse:
    """A house in another process; a context manager that starts the program and ends it in good order.

    `people` says who in the scenario hides behind an id of the program's: its receipts are told in the
    scenario's own names. Its log goes to `log`. One that does not open is a BadScenario in words.
    """

    def __init__(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        replies: tuple[ReplyEntry, ...],
        people: Mapping[str, str],
        log: Path,
    ) -> None:
        self._arguments = arguments
        self._environment = {**os.environ, **environment}
        self._replies = replies
        self._people = people
        self._log = log
        self._watchers: tuple[Mailbox[Recorded | PrivateWords], ...] = ()
        self._asker: Mailbox[JoinAnswer] | None = None
        self._answers: queue.SimpleQueue[wire.Opened | wire.Seen | wire.Crashed] = queue.SimpleQueue()
        self._sending = threading.Lock()
        self._asking = threading.Lock()

    def __enter__(self) -> Self:
        """Start it, and wait until it is ready."""
        ours, theirs = socket.socketpair()
        with theirs, self._log.open("wb") as log:
            self._socket = ours
            self._process = subprocess.Popen(
                [sys.executable, "-m", "supervisors", *self._arguments, "--prompter", str(theirs.fileno())],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._reader = threading.Thread(target=self._read, name="remote-house", daemon=True)
        self._reader.start()
        self._say(wire.Script(replies=self._replies))
        if not isinstance(self._answer(OPEN_SECONDS), wire.Opened):
            self._end()
            raise BadScenario(f"the program did not open: {self._last_line()} (all of it: {self._log})")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Hang up, which is what it closes on, and wait for it."""
        self._end()

    @property
    def process(self) -> int:
        """The program's process id."""
        return self._process.pid

    @property
    def evidence(self) -> Mailbox[Watch]:
        """Where a watcher registers."""
        return _Door(self._watch)

    @property
    def gateway(self) -> Mailbox[GatewayMessage]:
        """Where he is asked to join and to leave; nothing else is passed on."""
        return _Door(self._order)

    def tree(self) -> TreeNode:
        """Everybody in it as he stands; an empty tree from a program that does not answer."""
        with self._asking:
            self._say(wire.Look())
            answer = self._answer(ANSWER_SECONDS)
        if isinstance(answer, wire.Seen):
            return _renamed(answer.tree, self._people)
        raise BadScenario(f"the program no longer answers: {self._last_line()} (all of it: {self._log})")

    def crash(self, name: str) -> None:
        """Crash the one actor whose path ends in `name`; LookupError where there is none."""
        theirs = {ours: one for one, ours in self._people.items()}
        with self._asking:
            self._say(wire.Crash(name=_path(name, theirs)))
            answer = self._answer(ANSWER_SECONDS)
        if isinstance(answer, wire.Crashed) and answer.problem:
            raise LookupError(answer.problem)

    def _order(self, message: GatewayMessage) -> None:
        match message:
            case JoinVoice(room=room) if room is not None:
                self._asker = message.reply_to
                self._say(wire.Join(room=room))
            case LeaveVoice():
                self._say(wire.Leave())
            case _:
                raise TypeError(f"{type(message).__name__} is not passed on to another process")

    def _watch(self, watch: Watch) -> None:
        self._watchers = (*self._watchers, watch.watcher)

    def _say(self, said: wire.ToHouse) -> None:
        with self._sending, suppress(OSError):
            self._socket.sendall(wire.line(said))

    def _answer(self, seconds: float) -> wire.Opened | wire.Seen | wire.Crashed | None:
        with suppress(queue.Empty):
            return self._answers.get(timeout=seconds)
        return None

    def _read(self) -> None:
        with suppress(OSError), self._socket.makefile("rb") as lines:
            for text in lines:
                self._take(wire.from_house(text))
        self._answers.put(wire.Crashed())

    def _take(self, news: wire.FromHouse) -> None:
        match news:
            case wire.Opened() | wire.Seen() | wire.Crashed():
                self._answers.put(news)
            case wire.Came():
                if self._asker is not None:
                    self._asker.tell(_came(news))
            case wire.Receipted():
                self._receipted(news)
            case wire.Heard():
                self._tell(
                    HeardWords(
                        stay_id=StayId(news.stay_id),
                        person_id=PersonId(self._people.get(news.person_id, news.person_id)),
                        label=news.label,
                        text=news.text,
                        typed=news.typed,
                    )
                )
            case wire.Spoke():
                self._tell(
                    SpokenWords(
                        stay_id=StayId(news.stay_id),
                        utterance_id=UtteranceId(news.utterance_id),
                        text=news.text,
                        whole=news.whole,
                    )
                )

    def _receipted(self, news: wire.Receipted) -> None:
        line = news.line
        for theirs, ours in self._people.items():
            line = line.replace(f'"{theirs}"', f'"{ours}"')
        entry = parse_line(line)
        if not isinstance(entry, Malformed):
            self._tell(Recorded(receipt=entry.receipt, at=news.at, json_line=line))

    def _tell(self, told: Recorded | PrivateWords) -> None:
        for watcher in self._watchers:
            watcher.tell(told)

    def _end(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        try:
            self._process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(ANSWER_SECONDS)
        self._socket.close()

    def _last_line(self) -> str:
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"


class _Door(Generic[M]):
    """A mailbox of this process whose letters go on over the socket."""

    def __init__(self, take: Callable[[M], None]) -> None:
        self._take = take

    def tell(self, message: M, /) -> None:
        self._take(message)


def _path(path: str, names: Mapping[str, str]) -> str:
    """The same path with everybody in it called by his other name."""
    return "/".join(names.get(part, part) for part in path.split("/"))


def _renamed(node: TreeNode, names: Mapping[str, str]) -> TreeNode:
    children = tuple(_renamed(child, names) for child in node.children)
    return replace(node, path=_path(node.path, names), children=children)


def _came(news: wire.Came) -> JoinAnswer:
    if news.refused:
        return JoinRefused(reason=RefusedJoin(news.refused), detail=news.detail)
    return Joined(room=RoomId(news.room), stay=StayId(news.stay))
