"""The installed program, run as anybody would run it, and rehearsed from here over one socket."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias

from actors.evidence.wire import Malformed, parse_line, to_line
from messages.captain import AskAsOperator
from messages.console import OperatorNews
from messages.evidence import HeardWords, PrivateWords, Recorded, SpokenWords, Watch
from messages.gateway import GatewayMessage, JoinAnswer, JoinVoice, LeaveVoice
from messages.ids import HandoffId
from messages.lifecycle import TreeNode
from messages.mailbox import Mailbox
from supervisors.rehearsal import wire
from supervisors.rehearsal.aliases import Aliases
from supervisors.rehearsal.letters import Door, came, for_operator
from supervisors.rehearsal.minds import Scripted
from supervisors.rehearsal.scenario import BadScenario

Answer: TypeAlias = wire.Opened | wire.Seen | wire.Crashed

OPEN_SECONDS: Final = 60.0
ANSWER_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 15.0
"""How long it may take to close in order; what is left of it then is ended."""


class RemoteHouse:
    """A house in another process; a context manager that starts `command` and ends it in good order.

    `people` says who in the scenario hides behind an id of the program's: its receipts are told in the
    scenario's own names. `environment` is the whole of it. Its log goes to `log`. One that does not open
    is a BadScenario in words, and whatever happens meanwhile, nothing of it is left behind.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        environment: Mapping[str, str],
        replies: tuple[Scripted, ...],
        people: Mapping[str, str],
        log: Path,
    ) -> None:
        self._command = command
        self._environment = environment
        self._replies = replies
        self._people = Aliases(people)
        self._log = log
        self._watchers: tuple[Mailbox[Recorded | PrivateWords], ...] = ()
        self._asker: Mailbox[JoinAnswer] | None = None
        self._operators: dict[HandoffId, Mailbox[OperatorNews]] = {}
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._gone = threading.Event()
        self._sending = threading.Lock()
        self._asking = threading.Lock()

    def __enter__(self) -> Self:
        """Start it, and wait until it is ready."""
        self._start()
        opened: Answer | None = None
        try:
            self._say(wire.script(self._replies))
            opened = self._answer(OPEN_SECONDS)
        finally:
            if not isinstance(opened, wire.Opened):
                # It may still be loading its models, and would not see yet that nobody waits for them.
                self._process.terminate()
                self._end()
        if not isinstance(opened, wire.Opened):
            raise BadScenario(self._in_words("the program did not open"))
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

    def wait(self, seconds: float) -> None:
        """Give it so many seconds to end by itself, or by a signal."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    @property
    def evidence(self) -> Mailbox[Watch]:
        """Where a watcher registers."""
        return Door(self._watch)

    @property
    def gateway(self) -> Mailbox[GatewayMessage]:
        """Where he is asked to join and to leave; nothing else is passed on."""
        return Door(self._order)

    @property
    def captain(self) -> Mailbox[AskAsOperator]:
        """Where whoever has the machine asks."""
        return Door(self._ask)

    def trouble(self) -> str:
        """Why the program is there no longer, in words; empty while it is."""
        return self._in_words("the program ended in mid-play") if self._gone.is_set() else ""

    def tree(self) -> TreeNode:
        """Everybody in it as he stands; raises BadScenario if it does not say so in time."""
        answer = self._asked(wire.Look())
        if isinstance(answer, wire.Seen):
            return self._people.tree(answer.tree)
        raise BadScenario(self._in_words("the program no longer answers"))

    def crash(self, name: str) -> None:
        """Crash the one actor whose path ends in `name`; raises LookupError where there is none."""
        answer = self._asked(wire.Crash(name=self._people.theirs(name)))
        if not isinstance(answer, wire.Crashed):
            raise BadScenario(self._in_words("the program no longer answers"))
        if answer.problem:
            raise LookupError(answer.problem)

    def _start(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs, self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*self._command, "--prompter", str(theirs.fileno())],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._reader = threading.Thread(target=self._read, name="remote-house", daemon=True)
        self._reader.start()

    def _order(self, message: GatewayMessage) -> None:
        match message:
            case JoinVoice(room=room) if room is not None:
                self._asker = message.reply_to
                self._say(wire.Join(room=room))
            case LeaveVoice():
                self._say(wire.Leave())
            case _:
                raise TypeError(f"{type(message).__name__} is not passed on to another process")

    def _ask(self, message: AskAsOperator) -> None:
        self._operators[message.handoff] = message.reply_to
        self._say(wire.Ask(handoff=message.handoff, request=message.request))

    def _watch(self, watch: Watch) -> None:
        self._watchers = (*self._watchers, watch.watcher)

    def _say(self, said: wire.ToHouse) -> None:
        with self._sending, suppress(OSError):
            self._socket.sendall(wire.line(said))

    def _asked(self, question: wire.Look | wire.Crash) -> Answer | None:
        with self._asking:
            self._say(question)
            return self._answer(ANSWER_SECONDS)

    def _answer(self, seconds: float) -> Answer | None:
        """What it says in time; None also from one that is there no longer."""
        with suppress(queue.Empty):
            return self._answers.get(timeout=0 if self._gone.is_set() else seconds)
        return None

    def _read(self) -> None:
        try:
            with suppress(OSError, wire.NotOurs), self._socket.makefile("rb") as lines:
                for text in lines:
                    self._take(wire.from_house(text))
        finally:
            self._gone.set()
            self._answers.put(None)

    def _take(self, news: wire.FromHouse) -> None:
        match news:
            case wire.Opened() | wire.Seen() | wire.Crashed():
                self._answers.put(news)
            case wire.Came():
                if self._asker is not None:
                    self._asker.tell(came(news))
            case wire.Told() | wire.Answered():
                if (operator := self._operators.get(HandoffId(news.handoff))) is not None:
                    operator.tell(for_operator(news))
            case wire.Receipted():
                self._receipted(news)
            case wire.Heard():
                heard = HeardWords(**news.model_dump(exclude={"kind"}))
                self._tell(replace(heard, person_id=self._people.person(heard.person_id)))
            case wire.Spoke():
                self._tell(SpokenWords(**news.model_dump(exclude={"kind"})))

    def _receipted(self, news: wire.Receipted) -> None:
        entry = parse_line(news.line)
        if isinstance(entry, Malformed):
            return
        receipt = self._people.receipt(entry.receipt)
        line = to_line(receipt, entry_id=entry.id, occurred_at=entry.occurred_at, origin=entry.origin)
        if isinstance(line, str):
            self._tell(Recorded(receipt=receipt, at=news.at, json_line=line))

    def _tell(self, told: Recorded | PrivateWords) -> None:
        for watcher in self._watchers:
            watcher.tell(told)

    def _end(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(CLOSE_SECONDS)
        finally:
            # It and its children are a session of their own.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._reader.join(ANSWER_SECONDS)
            self._socket.close()

    def _in_words(self, what: str) -> str:
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return f"{what}: {lines[-1] if lines else 'it said nothing'} (all of it: {self._log})"
