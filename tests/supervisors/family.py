"""A family whose members do what the test says and tell one diary what became of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from actors.base import Life, Worker
from messages.lifecycle import Ending, RestartType
from supervisors.address import Address
from supervisors.supervisor import ChildSpec
from tests.probe import Probe


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    path: str
    ending: Ending


Diary = Probe[Opened | Closed]


class Gate:
    """A message that holds its reader until the test opens it."""

    def __init__(self) -> None:
        self.taken = threading.Event()
        self._open = threading.Event()

    def hold(self) -> None:
        """For the reader: stay here."""
        self.taken.set()
        assert self._open.wait(30.0)

    def open(self) -> None:
        """For the test: go on."""
        self._open.set()


class Member(Worker[str | Gate]):
    """`crash` and `finish` do that; a gate holds."""

    def __init__(self, life: Life, diary: Diary, opening: Callable[[Life], None]) -> None:
        super().__init__(life)
        self.diary, self.opening = diary, opening

    def opened(self) -> None:
        self.opening(self.life)
        self.diary.tell(Opened(path=self.life.path))

    def receive(self, message: str | Gate) -> None:
        match message:
            case "crash":
                raise ValueError("on request")
            case "finish":
                self.finish()
            case Gate():
                message.hold()
            case _:
                raise AssertionError(message)

    def closed(self, ending: Ending) -> None:
        self.diary.tell(Closed(path=self.life.path, ending=ending))


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Specs for a test; `at(name)` is the address of a member."""

    diary: Diary
    addresses: dict[str, Address[str | Gate]]

    @classmethod
    def new(cls) -> Family:
        return cls(diary=Probe(), addresses={})

    def at(self, name: str) -> Address[str | Gate]:
        return self.addresses.setdefault(name, Address())

    def member(
        self,
        name: str,
        restart: RestartType = RestartType.PERMANENT,
        *,
        opening: Callable[[Life], None] = lambda _: None,
        significant: bool = False,
        open_deadline: float = 5.0,
        stop_deadline: float = 5.0,
    ) -> ChildSpec:
        return ChildSpec(
            name=name,
            make=lambda life: Member(life, self.diary, opening),
            address=self.at(name),
            restart=restart,
            significant=significant,
            open_deadline=open_deadline,
            stop_deadline=stop_deadline,
        )

    def story(self) -> list[str]:
        """What happened so far, `+path` for opened and `-path why` for closed; the diary is empty after."""
        told = self.diary.received()
        self.diary.clear()
        return [f"+{e.path}" if isinstance(e, Opened) else f"-{e.path} {e.ending}" for e in told]


def fails(times: int) -> Callable[[Life], None]:
    """An opening that fails the first `times` times."""
    left = [times]

    def opening(_: Life) -> None:
        if left[0]:
            left[0] -= 1
            raise ConnectionError("not yet")

    return opening
