"""A world for stories: a room, people who say text, a whole house on a stage, and all it put on record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import Self, TypeVar

from actors.base import Life
from actors.captain.local import LocalCaptain
from actors.console.local import ClosedConsole
from actors.evidence.files import Stream
from actors.evidence.port import SinkEvent
from actors.floor.words import load_words
from actors.gateway.local import LocalAccount
from actors.local_room import LocalRoom
from actors.realtime.local import LocalBrain
from actors.realtime.script import Script, ScriptedReply
from messages.evidence import HeardWords, Left, PrivateWords, Receipt, Recorded, SpokenWords, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.ids import PersonId, RoomId, Token
from messages.people import Person
from supervisors import tree
from supervisors.doors import HouseDoors
from supervisors.settings import Settings, load
from supervisors.supervisor import Supervisor
from supervisors.wiring import Equipment, Ports
from tests.probe import Probe
from tests.stage import Stage
from tests.stories.sound import (
    CHUNK_SECONDS,
    Activity,
    Air,
    Fault,
    Link,
    Synthesizer,
    Transcriber,
    after,
    chunks_of,
)

R = TypeVar("R")
ROOM = RoomId("den")
_WORDS = load_words("en")


@cache
def _settings(captain_delay: float) -> Settings:
    return load(None, {"captain": {"delay_seconds": captain_delay}})


class Paper:
    """A sink that never fails."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._events: Callable[[SinkEvent], None] | None = None

    def open(self, events: Callable[[SinkEvent], None]) -> None:
        """Always works."""
        self._events = events

    def append(self, stream: Stream, day: date, line: str) -> bool:
        """Kept."""
        self._lines.append(line)
        return True

    def sync(self, token: Token) -> None:
        """Nobody waits for paper."""

    def retry(self) -> None:
        """Never needed."""

    def waiting(self) -> int:
        """Nothing."""
        return 0

    def close(self, deadline: float) -> int:
        """Nothing is left."""
        return 0


class World:
    """Everything outside him, and the whole of him, from one seed. Use as a context manager."""

    def __init__(
        self,
        seed: int,
        *,
        replies: Sequence[ScriptedReply] = (),
        people: Sequence[str] = ("anna",),
        consented: Sequence[str] | None = None,
        captain_delay: float = 1.0,
    ) -> None:
        self.stage = Stage(seed)
        self.clock = self.stage.clock
        self.room = LocalRoom(ROOM)
        self.posts: list[str] = []
        self.paper: list[str] = []
        self.room.tap_chat(self.posts.append)
        self.air = Air(self.clock)
        self.faults: deque[Fault | None] = deque()
        """What the synthesizer does with its next units, instead of speaking them."""
        self.synthesizer = Synthesizer(self.clock, self.faults)
        self.answers: Probe[JoinAnswer] = Probe()
        self._watcher: Probe[Recorded | PrivateWords] = Probe()
        self.doors = HouseDoors()
        self._open(Script(list(replies)), captain_delay)
        for name in people:
            self.arrive(name)
        self.doors.audience.tell(Watch(watcher=self._watcher, may_see_words=True))
        self.join()
        self.run(0.5)
        for name in people if consented is None else consented:
            self.room.consent(PersonId(name), True)
        self.run(0.5)

    def _open(self, script: Script, captain_delay: float) -> None:
        settings = _settings(captain_delay)
        ports = Ports(
            gateway=lambda: LocalAccount(self.room),
            voice=lambda: Link(self.air),
            activity=Activity,
            transcriber=lambda: Transcriber(self.clock),
            realtime=lambda: LocalBrain(script),
            tts=self._synthesizer,
            captain=lambda: LocalCaptain(self.clock, delay_seconds=captain_delay, notes_file=None),
            evidence=lambda: Paper(self.paper),
            console=ClosedConsole,
        )
        kit = Equipment(clock=self.clock, words=_WORDS, settings=settings, ports=ports)
        self.stage.add("root", lambda life: self._root(life, kit), self.doors.root)

    def _root(self, life: Life, kit: Equipment) -> Supervisor:
        return tree.house(life, kit, self.doors)

    def _synthesizer(self) -> Synthesizer:
        self.synthesizer = Synthesizer(self.clock, self.faults)
        return self.synthesizer

    # --- what happens

    def join(self) -> None:
        """Somebody asks him in."""
        self.doors.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=self.answers))

    def arrive(self, name: str, *, bot: bool = False) -> None:
        """Somebody comes in."""
        self.room.arrive(Person(id=PersonId(name), label=name.title(), bot=bot))

    def depart(self, name: str) -> None:
        """Somebody goes."""
        self.room.depart(PersonId(name))

    def say(self, name: str, words: str, delay: float = 0.0) -> float:
        """Somebody says something from `delay` seconds on; return how long the words take."""
        chunks = list(chunks_of(words))
        for number, chunk in enumerate(chunks):
            after(
                self.clock,
                delay + number * CHUNK_SECONDS,
                lambda chunk=chunk: self.air.carry(PersonId(name), chunk),  # type: ignore[misc]
            )
        return (len(chunks) - 7) * CHUNK_SECONDS

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.stage.run(seconds)

    def crash(self, ending: str) -> None:
        """Crash the one actor whose path ends so."""
        self.stage.crash(self.path(ending))

    def path(self, ending: str) -> str:
        """Return the path of the one living actor that ends so."""
        found = [path for path in self.stage.living() if path.endswith(f"/{ending}")]
        assert len(found) == 1, f"{ending}: {found}"
        return found[0]

    # --- what is on record

    def receipts(self, kind: type[R], **where: object) -> list[R]:
        """Return the receipts of this kind with these fields, in order."""
        return [
            one.receipt
            for one in self._watcher.received()
            if isinstance(one, Recorded)
            and isinstance(one.receipt, kind)
            and all(getattr(one.receipt, name) == value for name, value in where.items())
        ]

    def all_receipts(self) -> list[Receipt]:
        """Return every receipt, in order."""
        return [one.receipt for one in self._watcher.received() if isinstance(one, Recorded)]

    @property
    def heard(self) -> list[str]:
        """The lines that he heard, in order."""
        return [one.text for one in self._watcher.received() if isinstance(one, HeardWords)]

    @property
    def spoken(self) -> list[str]:
        """What the room heard of him, utterance by utterance."""
        return [one.text for one in self._watcher.received() if isinstance(one, SpokenWords)]

    def words(self) -> list[PrivateWords]:
        """Return what was heard and what was spoken, in order."""
        return [one for one in self._watcher.received() if not isinstance(one, Recorded)]

    def speaking(self) -> list[str]:
        """Return the words of his that have been sent so far, each as its sound began."""
        begun = [chunk.partition(b"\0")[0] for _, chunk in self.air.spoken]
        return [word.decode() for word in begun if word.isascii() and word[:1].isalpha()]

    @property
    def left(self) -> list[str]:
        """Why he left, once for each time."""
        return [one.reason for one in self.receipts(Left)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.stage.crashes.clear()
        self.stage.close()
