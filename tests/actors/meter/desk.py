"""A meter that was never started, its neighbours probes, and receipts to show it."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.base import Life
from actors.costs import CostSettings
from actors.meter.actor import Meter
from messages.evidence import Receipt, Recorded, Watch
from messages.gateway import CostPassed
from messages.ids import LineId, PersonId, StayId, TurnId, UtteranceId
from messages.lifecycle import DescribeTree
from tests.actors.meter.fake import FakeBoard
from tests.clock import ManualClock
from tests.probe import Probe

STAY, OTHER = StayId("stay-1"), StayId("stay-2")
TURN, LINE, ANNA = TurnId("turn-1"), LineId("line-1"), PersonId("anna-1")
SPEECH = UtteranceId("speech-1")


@dataclass
class Desk:
    """`at` is the wall clock of the next receipt."""

    costs: CostSettings = field(default_factory=CostSettings)
    board: FakeBoard = field(default_factory=FakeBoard)
    house: Probe[DescribeTree] = field(default_factory=Probe)
    gateway: Probe[CostPassed] = field(default_factory=Probe)
    record: Probe[Watch] = field(default_factory=Probe)
    clock: ManualClock = field(default_factory=ManualClock)
    at: float = 1000.0

    def __post_init__(self) -> None:
        self.meter = Meter(
            Life.alone("meter", announce=lambda _: None),
            house=self.house,
            gateway=self.gateway,
            record=self.record,
            clock=self.clock,
            port=self.board,
            settings=self.costs,
        )

    def tell(self, *receipts: Receipt, after: float = 0.0) -> None:
        """Put them on record, the first `after` seconds later."""
        self.at += after
        for receipt in receipts:
            self.meter.receive(Recorded(receipt=receipt, at=self.at, json_line="{}"))
