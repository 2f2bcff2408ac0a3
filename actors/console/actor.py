"""The porter: hears what the record says, looks around when somebody asks, and tells it at the window."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.console import core, decisions, wire
from actors.console.port import ConsolePort
from actors.console.settings import ConsoleSettings
from actors.console.state import State
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
        evidence: Mailbox[Watch],
        clock: Clock,
        port: ConsolePort,
        settings: ConsoleSettings,
    ) -> None:
        super().__init__(life)
        self._house, self._evidence = house, evidence
        self._clock, self._port, self._settings = clock, port, settings
        self._state = State(version=metadata.version("clankie"), opened_at=clock.now(), token=Token(0))

    def opened(self) -> None:
        """Watch the record, and open the window."""
        self._carry_out(decisions.Watch())
        self._port.open(self.here.tell)

    def receive(self, message: ConsoleMessage) -> None:
        """Think, then act."""
        self._state, decided = core.step(self._state, message, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        """Close the window."""
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        """Where it listens, or why it does not."""
        return {"server": self._state.server}

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
            case decisions.Log(text=text, failed=failed):
                logger.log("WARNING" if failed else "INFO", "{}", text)
            case _:
                assert_never(decision)
