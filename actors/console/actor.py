"""The porter: hears what the record says, looks around when somebody asks, and tells it at the window."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.console import core, decisions, orders, wire
from actors.console.port import ConsolePort
from actors.console.settings import ConsoleSettings
from actors.console.state import State
from messages.captain import AskAsOperator, CaptainMessage
from messages.console import ConsoleMessage
from messages.evidence import Watch
from messages.ids import Token
from messages.lifecycle import DescribeTree, Ending, Scalar
from messages.mailbox import Mailbox


class Console(Worker[ConsoleMessage]):
    """The loopback control surface."""

    def __init__(
        self,
        life: Life,
        *,
        house: Mailbox[DescribeTree],
        captain: Mailbox[CaptainMessage],
        evidence: Mailbox[Watch],
        clock: Clock,
        port: ConsolePort,
        settings: ConsoleSettings,
    ) -> None:
        super().__init__(life)
        self._house, self._captain, self._evidence = house, captain, evidence
        self._clock, self._port = clock, port
        self._state = State(
            version=metadata.version("clankie"),
            opened_at=clock.now(),
            token=Token(0),
            ask_seconds=settings.ask_seconds,
        )

    def opened(self) -> None:
        """Watch the record, and open the window."""
        self._carry_out(decisions.Watch())
        self._port.open(self.here.tell)

    def receive(self, message: ConsoleMessage) -> None:
        """Think, then act."""
        self._act(core.step(self._state, message, self._clock.now()))

    def closed(self, ending: Ending) -> None:
        """Send everybody away, and close the window."""
        self._act(orders.closing(self._state))
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        """Where it listens, or why it does not."""
        state = self._state
        return {"server": state.server, "orders": len(state.orders), "no_orders": state.trouble}

    def _act(self, step: decisions.Step) -> None:
        self._state, decided = step
        for decision in decided:
            self._carry_out(decision)

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Watch():
                self._evidence.tell(Watch(watcher=self.here, may_see_words=False))
            case decisions.LookAround():
                self._house.tell(DescribeTree(reply_to=self.here))
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case decisions.Answer(asked=asked, report=report):
                asked.answer(wire.to_json(report))
            case decisions.AskCaptain(asked=asked):
                question = AskAsOperator(handoff=asked.handoff, request=asked.request, reply_to=self.here)
                self._captain.tell(question)
            case decisions.TellCaptain(message=message):
                self._captain.tell(message)
            case decisions.PassOn(asked=asked, news=news):
                asked.news(wire.line_of(news))
            case decisions.Log(text=text, failed=failed):
                logger.log("WARNING" if failed else "INFO", "{}", text)
            case _:
                assert_never(decision)
