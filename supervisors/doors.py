"""The addresses of a house and of a family: they outlive every tenant."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, assert_never, get_args

from messages.evidence import EvidenceOpened, Receipt, Watch
from messages.floor import LineTyped
from messages.gateway import ConsentsLost, PostText
from messages.lifecycle import CloseHouse
from messages.mailbox import Mailbox
from messages.realtime import HandoffReturned
from supervisors.address import Address

if TYPE_CHECKING:
    from messages.captain import CaptainMessage
    from messages.console import ConsoleMessage
    from messages.evidence import EvidenceMessage
    from messages.floor import FloorMessage
    from messages.gateway import GatewayMessage
    from messages.meter import MeterMessage
    from messages.playback import PlaybackMessage
    from messages.realtime import RealtimeMessage
    from messages.stay import BeginStay, OpenEar, StayMessage
    from messages.tts import TtsMessage
    from messages.voice import VoiceMessage
    from supervisors.dynamic import DynamicMessage
    from supervisors.supervisor import SupervisorMessage

MOST_WATCHERS = 16
RECORDED: Final = get_args(Receipt)
"""What happened has happened, whoever writes it down."""
WRITTEN: Final = (PostText, ConsentsLost)
"""What people are to read is no news that grows old in the moment in which an account is opened again."""


class Audience:
    """Whoever watches the record from outside the tree, and goes on watching over every life of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: tuple[Watch, ...] = ()
        self._record: Mailbox[Watch] | None = None

    def tell(self, message: Watch | EvidenceOpened, /) -> None:
        """Take a watcher in, beyond MOST_WATCHERS in the place of the first; or show all to a new record."""
        with self._lock:
            match message:
                case Watch():
                    self._watches = (*self._watches, message)[-MOST_WATCHERS:]
                    to_tell: tuple[Watch, ...] = (message,)
                case EvidenceOpened():
                    self._record, to_tell = message.record, self._watches
                case _:
                    assert_never(message)
            if self._record is not None:
                for watch in to_tell:
                    self._record.tell(watch)


class Exit:
    """The way out of the house: whoever keeps it open says what it means to be told to close it."""

    def __init__(self) -> None:
        self._close: Callable[[], None] | None = None

    def bind(self, close: Callable[[], None]) -> None:
        """Let `close` be called from now on; from any thread, and it must not wait."""
        self._close = close

    def tell(self, message: CloseHouse, /) -> None:
        """Have it closed, if anybody keeps it open."""
        if self._close is not None:
            self._close()


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseDoors:
    """Where letters for the rooms of the house go, over every restart."""

    root: Address[SupervisorMessage] = field(default_factory=Address)
    evidence: Address[EvidenceMessage] = field(default_factory=partial(Address, RECORDED))
    captain: Address[CaptainMessage] = field(default_factory=Address)
    gateway: Address[GatewayMessage] = field(default_factory=partial(Address, WRITTEN))
    stays: Address[DynamicMessage[BeginStay]] = field(default_factory=Address)
    meter: Address[MeterMessage] = field(default_factory=Address)
    console: Address[ConsoleMessage] = field(default_factory=Address)
    audience: Audience = field(default_factory=Audience)
    exit: Exit = field(default_factory=Exit)


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyDoors:
    """Where letters for the rooms of one stay go; another stay has others."""

    stay: Address[StayMessage] = field(default_factory=Address)
    voice: Address[VoiceMessage] = field(default_factory=Address)
    playback: Address[PlaybackMessage] = field(default_factory=Address)
    tts: Address[TtsMessage] = field(default_factory=Address)
    floor: Address[FloorMessage] = field(default_factory=partial(Address, (LineTyped,)))
    realtime: Address[RealtimeMessage] = field(default_factory=partial(Address, (HandoffReturned,)))
    ears: Address[DynamicMessage[OpenEar]] = field(default_factory=Address)
