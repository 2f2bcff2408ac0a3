"""The meter hears all that is put on record, and keeps the numbers of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from actors.base import Life, Worker
from actors.clock import Clock
from actors.costs import CostSettings
from actors.meter import core, decisions
from actors.meter.port import MeterPort
from actors.meter.state import State
from messages import evidence
from messages.gateway import CostPassed
from messages.ids import Token
from messages.lifecycle import DescribeTree, Ending, Scalar
from messages.mailbox import Mailbox
from messages.meter import MeterMessage


class Meter(Worker[MeterMessage]):
    """Counters, latencies, spans of turns, and what a stay costs."""

    def __init__(
        self,
        life: Life,
        *,
        house: Mailbox[DescribeTree],
        gateway: Mailbox[CostPassed],
        record: Mailbox[evidence.Watch],
        clock: Clock,
        port: MeterPort,
        settings: CostSettings,
    ) -> None:
        super().__init__(life)
        self._house, self._gateway, self._record = house, gateway, record
        self._clock, self._port = clock, port
        self._state = State(costs=settings, token=Token(0))

    def opened(self) -> None:
        """Open the port, and watch the record."""
        self._port.open()
        self._act(core.begun(self._state))

    def receive(self, message: MeterMessage) -> None:
        """Think, then act."""
        self._act(core.step(self._state, message))

    def closed(self, ending: Ending) -> None:
        """Hand over what waits."""
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        """How many turns go on."""
        return {"turns": len(self._state.turns)}

    def _act(self, step: decisions.Step) -> None:
        self._state, decided = step
        for decision in decided:
            self._carry_out(decision)

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Watch():
                self._record.tell(evidence.Watch(watcher=self.here, may_see_words=False))
            case decisions.LookAround():
                self._house.tell(DescribeTree(reply_to=self.here))
            case decisions.Wake(seconds=seconds, message=message):
                self._clock.after(seconds, self.here, message)
            case decisions.Count(counter=counter, labels=labels, amount=amount):
                self._port.count(counter, labels, amount)
            case decisions.Measure(histogram=histogram, seconds=seconds):
                self._port.measure(histogram, seconds)
            case decisions.Show(gauge=gauge, levels=levels):
                self._port.show(gauge, levels)
            case decisions.Export(span=span):
                self._port.export(span)
            case decisions.TellCost(passed=passed):
                self._gateway.tell(passed)
            case _:
                assert_never(decision)
