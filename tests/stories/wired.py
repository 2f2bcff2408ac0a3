"""One room with its real port on a stage, at the other end of whose lines a peer plays its part, or fails."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import Any, Self, TypeVar

from actors.base import Life, Worker
from actors.net.service import Service
from messages.evidence import EvidenceMessage
from messages.lifecycle import Ending, RestartChild, RestartType
from supervisors.address import Address
from supervisors.supervisor import ChildSpec
from tests.actors.net.staged import CLOSE_SECONDS, LeakyLine, Peer, StagedDial, StagedLine, StagedLoop, Thread
from tests.probe import Probe
from tests.stage import Stage

K = TypeVar("K")
P = TypeVar("P")
SERVICE = Service(base_url="https://api.example.com/v1", key="the-key")
PROSE = "prose that must not surface"


class Fault(Enum):
    """What becomes of a line; the value is how the house calls it."""

    CLOSED = "closed_1011"
    ABORTED = "aborted"
    REFUSED = "quota"
    NO_JSON = "bad_frame"
    SILENT = "silent"
    """Nothing becomes of it: there is never another word."""


STRIKES = (Fault.CLOSED, Fault.ABORTED, Fault.REFUSED, Fault.NO_JSON)
"""Those that end a line that is in use."""
PARTINGS = (Fault.REFUSED, Fault.ABORTED, Fault.SILENT)
"""How a peer takes it that it was hung up on."""


class Plan:
    """What happens to the lines of one house; `answers` is what comes of each question, in order."""

    def __init__(self, *answers: Fault | None, begins: bool = False, parting: Fault | None = None) -> None:
        self.answers = deque(answers)
        self.begins = begins
        """Whether something of the answer comes before the fault."""
        self.parting = parting
        self.stands = True
        """Whether the peer takes part in the handshake at all."""

    def next(self) -> Fault | None:
        """What comes of the next question."""
        return self.answers.popleft() if self.answers else None


class Other:
    """What all peers have in common: the faults."""

    line: StagedLine

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def dialled(self, line: StagedLine) -> None:
        self.line = line
        if self.plan.stands:
            line.later(line.open)
            self.greet()

    def greet(self) -> None:
        """The first frames of a line."""

    def refusal(self) -> dict[str, object]:
        """An error frame that says that the money is gone."""
        raise NotImplementedError

    def late(self) -> Iterable[dict[str, object]]:
        """What is on its way when the line is hung up on."""
        raise NotImplementedError

    def hung_up(self) -> None:
        """What comes late comes, and then the end, if it comes at all."""
        self.say(*self.late())
        if self.plan.parting is None:
            self.line.later(partial(self.line.end, "closed", 1000))
        else:
            self.strike(self.plan.parting)

    def say(self, *frames: dict[str, object]) -> None:
        """These frames, one after the other."""
        self.line.later(*(partial(self.line.come, **frame) for frame in frames))

    def strike(self, fault: Fault) -> None:
        """This happens to the line, after what was said before."""
        match fault:
            case Fault.CLOSED:
                self.line.later(partial(self.line.end, "closed_1011", 1011))
            case Fault.ABORTED:
                self.line.later(partial(self.line.end, "aborted", 1006))
            case Fault.REFUSED:
                self.say(self.refusal())
                self.line.later(partial(self.line.end, "closed_1008", 1008))
            case Fault.NO_JSON:
                self.line.later(partial(self.line.say, f'{{"{PROSE}'))
                self.line.later(partial(self.line.end, "closed_1002", 1002))
            case Fault.SILENT:
                pass


class Wired:
    """A stage with a thread of sockets, and one room under its supervisor. Use as a context manager.

    In every second play the lines have no guard: what a peer says and does after the close reaches the port.
    """

    def __init__(self, seed: int, peers: Callable[[], Peer]) -> None:
        self.seed = seed
        self.stage = Stage(seed)
        self.clock = self.stage.clock
        self.chance = random.Random(seed)
        self.loop = StagedLoop(self.stage)
        self.dial = StagedDial(self.stage, peers, kind=LeakyLine if seed % 2 else StagedLine)
        self.evidence: Probe[EvidenceMessage] = Probe()
        self.told: list[list[object]] = []
        """What the port of each life has reported, and how much of it before it was closed."""
        self.closed_at: dict[int, int] = {}
        self._others = self.stage.add("others", Thread)

    def house(self, make: Callable[[Life], Worker[Any]], address: Address[Any]) -> None:
        """Open the room, which is begun again whatever happens to it."""
        spec = ChildSpec(name="room", make=make, restart=RestartType.PERMANENT, address=address)
        self.home = self.stage.host("house", [spec])

    def overheard(self, port: P) -> P:
        """The same port, of which the test hears what it reports and when it was closed."""
        told: list[object] = []
        self.told.append(told)
        life, inner = len(self.told), port
        opening, closing = inner.open, inner.close  # type: ignore[attr-defined]

        def opened(events: Callable[[object], None]) -> None:
            def tell(event: object) -> None:
                told.append(event)
                events(event)

            opening(tell)

        def closed() -> None:
            closing()
            self.loop.call(lambda: self.closed_at.setdefault(life, len(told)))

        inner.open, inner.close = opened, closed  # type: ignore[attr-defined]
        return port

    # --- what happens

    def by_chance(self, act: Callable[[], object], hops: int = 24) -> None:
        """This happens at some moment of the play: after a few letters, and nobody knows after how many."""

        def hop(left: int) -> None:
            if left:
                self._others.here.tell(partial(hop, left - 1))
            else:
                act()

        hop(self.chance.randrange(hops))

    def stop(self) -> None:
        """The house is shut down."""
        self.home.life.ask_to_stop(Ending.SHUTDOWN, 5.0)

    def restart(self) -> None:
        """The supervisor stops the room and opens it again."""
        self.home.here.tell(RestartChild(path="house/room"))

    def run(self, seconds: float = 0.0) -> None:
        """Let everybody read, and time pass."""
        self.stage.run(seconds)

    # --- what is known of it

    def receipts(self, kind: type[K]) -> list[K]:
        """What is on record of this kind."""
        return [one for one in self.evidence.received() if isinstance(one, kind)]

    def events(self) -> list[object]:
        """All that the ports have reported."""
        return [event for told in self.told for event in told]

    def check(self) -> None:
        """What is true of every play: a closed port is silent, and prose stays outside."""
        for life, mark in self.closed_at.items():
            late = self.told[life - 1][mark:]
            assert late == [], f"reported after the close: {late}"
        assert PROSE not in repr((self.told, self.evidence.received()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, failure: BaseException | None, *_: object) -> None:
        if failure is not None:
            failure.add_note(f"seed {self.seed}")
            self.stage.crashes.clear()
            self.stage.close()
            return
        try:
            self._end()
        except BaseException as broken:
            broken.add_note(f"seed {self.seed}")
            raise

    def _end(self) -> None:
        """All is closed, in time, and everything was as it must be."""
        self.stop()
        self.run(CLOSE_SECONDS)
        assert len(self.closed_at) == len(self.told), "a port was left open"
        assert all(line.closed or line.over for line in self.dial.lines), "a line was left open"
        assert all(line.over for line in self.dial.lines), "a line did not end in time"
        self.check()
        self.stage.close()
