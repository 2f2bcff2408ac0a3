"""A person's ear without anybody beside it: frames in at the sink, frames of a socket out at the line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from actors.base import Life
from actors.capture.actor import Capture
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.settings import CaptureSettings
from actors.net.line import Line, Listener, Target
from actors.net.service import Service
from messages.audio import FRAME_SECONDS, Frame
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage
from messages.ids import CaptureId, PersonId, StayId
from messages.people import Person
from messages.stay import EarOpened, StayMessage
from tests.actors.capture.fake import LOUD, QUIET, FakeActivity, letters
from tests.actors.net.by_hand import HandLoop
from tests.clock import ManualClock
from tests.probe import Probe

E = TypeVar("E")
P = ParamSpec("P")
ANNA: Final = Person(id=PersonId("anna"), label="Anna")
EAR: Final = CaptureId("ear")
SERVICE: Final = Service(base_url="https://api.example.com/v1", key="the-key")
WORD, PAUSE = (LOUD,) * 25, (QUIET,) * 35
"""Half a second of voice, and the silence that ends it."""


class DeepLine:
    """A line that stands at once, and counts what goes into it."""

    def __init__(self) -> None:
        self.frames = 0

    def __call__(self, target: Target, listener: Listener[E], decode: Callable[[str], E]) -> Line:
        """Dial it."""
        self._listener: Listener[Any] = listener
        return self

    def send(self, frame: str) -> None:
        """One more."""
        self.frames += 1

    def close(self, farewell: str | None = None) -> None:
        """It has no end."""

    def open(self) -> None:
        """It stands."""
        self._listener.opened()


class CountingLoop(HandLoop):
    """An I/O thread by hand, and how often it was woken."""

    def __init__(self) -> None:
        super().__init__()
        self.woken = 0

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        self.woken += 1
        return super().call(callback, *args, **kwargs)


class Hearing:
    """An unstarted ear; its port is the cloud's."""

    def __init__(self) -> None:
        self.stay, self.floor = Probe[StayMessage](), Probe[FloorMessage]()
        self.evidence, self.clock = Probe[EvidenceMessage](), ManualClock(50.0)
        self.line = DeepLine()
        self.letters = 0
        """Letters that it read."""
        settings = CaptureSettings(window_seconds=FRAME_SECONDS, commit_early=False)
        self.loop = CountingLoop()
        self.port = LiveTranscriber(self.loop, self.line, SERVICE, settings, Listeners(25), ("Clankie",))
        self.actor = Capture(
            Life.alone(),
            stay_id=StayId("stay"),
            person=ANNA,
            capture_id=EAR,
            stay=self.stay,
            floor=self.floor,
            evidence=self.evidence,
            clock=self.clock,
            activity=FakeActivity(),
            port=self.port,
            settings=settings,
        )
        self.actor.opened()
        self._sink = self.stay.expect(EarOpened).sink
        self._inbox = letters(self.actor)
        self.hear(WORD)
        self.line.open()

    def hear(self, pcm: tuple[bytes, ...], at_once: int = 1) -> None:
        """What is measured: so many frames at a time into the sink, and what is done about them."""
        for first in range(0, len(pcm), at_once):
            for frame in pcm[first : first + at_once]:
                self.clock.advance(FRAME_SECONDS)
                self._sink.put(Frame(person=ANNA.id, capture=EAR, pcm=frame, at=self.clock.now()))
            while not self._inbox.empty():
                self.letters += 1
                self.actor.receive(self._inbox.get().message)

    def forget(self) -> None:
        """Let go of what the neighbours were told."""
        for neighbour in (self.stay, self.floor, self.evidence):
            neighbour.clear()
