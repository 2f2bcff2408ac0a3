"""The whole of him on a stage, and all that he put on record; what is outside of him comes from elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import date
from typing import Self, TypeVar

from actors.base import Life
from actors.captain.live_toolbox.toolbox import EmptyToolbox
from actors.captain.local import LocalMind
from actors.captain.port import MindPort, ToolboxPort
from actors.captain.script import CaptainScript
from actors.capture.port import TranscriberPort
from actors.console.local import ClosedConsole
from actors.evidence.files import Stream
from actors.evidence.port import SinkEvent
from actors.floor.words import load_words
from actors.gateway.port import GatewayPort
from actors.realtime.local import LocalBrain
from actors.realtime.port import RealtimePort
from actors.realtime.script import Script
from actors.tts.port import TtsPort
from actors.voice.port import VoicePort
from messages.evidence import (
    HeardWords,
    Left,
    PrivateWords,
    Receipt,
    Recorded,
    SinkPurged,
    SpokenWords,
    Watch,
)
from messages.ids import PersonId, Token
from supervisors import tree
from supervisors.doors import HouseDoors
from supervisors.settings import Settings
from supervisors.supervisor import Supervisor
from supervisors.wiring import Equipment, Ports
from tests.actors.meter.fake import FakeBoard
from tests.probe import Probe
from tests.stage import Stage
from tests.stories.pages import Pages
from tests.stories.sound import Activity, Fault, Synthesizer, Transcriber

R = TypeVar("R")
_WORDS = load_words("en")


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

    def tidy(self, today: date) -> None:
        """No day is too old for a story."""

    def purge(self, token: Token, person: PersonId, *, receipts: bool) -> None:
        """Nobody reads a story afterwards, so all of it is taken out of it."""
        if self._events is not None:
            self._events(SinkPurged(token=token, lines=0, receipts=0))

    def retry(self) -> None:
        """Never needed."""

    def waiting(self) -> int:
        """Nothing."""
        return 0

    def close(self, deadline: float) -> int:
        """Nothing is left."""
        return 0


class Staged:
    """A whole house on a stage, from one seed. Use as a context manager."""

    def __init__(self, seed: int) -> None:
        self.stage = Stage(seed)
        self.clock = self.stage.clock
        self.posts: list[str] = []
        self.paper: list[str] = []
        self.faults: deque[Fault | None] = deque()
        """What the synthesizer does with its next units, instead of speaking them."""
        self.synthesizer = Synthesizer(self.clock, self.faults)
        self.doors = HouseDoors()
        self.pages = Pages()
        self.captain_script: CaptainScript | None = None
        """What the captain does; without it he follows his rules."""
        self._watcher: Probe[Recorded | PrivateWords] = Probe()

    def open(
        self,
        script: Script,
        settings: Settings,
        gateway: Callable[[], GatewayPort],
        voice: Callable[[], VoicePort],
    ) -> None:
        """Let the house open on this account and this sound."""
        delay = settings.captain.delay_seconds
        ports = Ports(
            gateway=gateway,
            voice=voice,
            activity=Activity,
            transcriber=self._transcriber,
            realtime=lambda: self._mind(script),
            tts=self._synthesizer,
            captain_mind=lambda: self._slow_mind(delay),
            toolbox=self._toolbox,
            ledger=lambda: self.pages,
            evidence=lambda: Paper(self.paper),
            meter=FakeBoard,
            console=ClosedConsole,
        )
        kit = Equipment(clock=self.clock, words=_WORDS, settings=settings, ports=ports)
        self.stage.add("root", lambda life: self._root(life, kit), self.doors.root)
        self.doors.audience.tell(Watch(watcher=self._watcher, may_see_words=True))

    def _root(self, life: Life, kit: Equipment) -> Supervisor:
        return tree.house(life, kit, self.doors)

    def _transcriber(self) -> TranscriberPort:
        return Transcriber(self.clock)

    def _mind(self, script: Script) -> RealtimePort:
        return LocalBrain(script)

    def _slow_mind(self, delay: float) -> MindPort:
        return LocalMind(self.clock, delay_seconds=delay, script=self.captain_script)

    def _toolbox(self) -> ToolboxPort:
        return EmptyToolbox()

    def _synthesizer(self) -> TtsPort:
        self.synthesizer = Synthesizer(self.clock, self.faults)
        return self.synthesizer

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
