"""The captain's mailbox: questions of all rooms in, one answer to each out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.captain import core, decisions
from actors.captain.events import CaptainCloses, Event
from actors.captain.port import CaptainPort
from actors.captain.settings import CaptainSettings
from actors.captain.state import State
from actors.clock import Clock
from messages.captain import CaptainMessage
from messages.evidence import EvidenceMessage
from messages.gateway import GatewayMessage
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox


class Captain(Worker[CaptainMessage]):
    """Outlives every stay; what comes back after a stay is written into its room instead of said."""

    def __init__(
        self,
        life: Life,
        *,
        gateway: Mailbox[GatewayMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        port: CaptainPort,
        settings: CaptainSettings,
    ) -> None:
        super().__init__(life)
        self._gateway, self._evidence, self._clock, self._port = gateway, evidence, clock, port
        self._state = State(settings=settings)

    def opened(self) -> None:
        self._port.open(self.here.tell)

    def receive(self, message: CaptainMessage) -> None:
        self._step(message)

    def closed(self, ending: Ending) -> None:
        self._step(CaptainCloses())
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        state = self._state
        at_work = sum(1 for job in state.jobs if job.started_at is not None)
        return {
            "mind": self._port.describe(),
            "at_work": at_work,
            "waiting": len(state.jobs) - at_work,
            "done": state.done,
            "failed": state.failed,
        }

    def _step(self, event: Event) -> None:
        self._state, decided = core.step(self._state, event, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Ask():
                logger.debug("question {} begins", decision.question.handoff)
                self._port.ask(decision.question)
            case decisions.Cancel():
                self._port.cancel(decision.handoff)
            case decisions.TellRealtime():
                decision.mailbox.tell(decision.message)
            case decisions.TellGateway():
                self._gateway.tell(decision.message)
            case decisions.Record():
                self._evidence.tell(decision.receipt)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)
