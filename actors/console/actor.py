"""The porter: hears the record, looks around, runs the operator's errands, and tells it at the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.console import core, decisions, serving
from actors.console.errands import Errands
from actors.console.port import ConsolePort
from actors.console.settings import ConsoleSettings
from actors.console.state import State
from actors.costs import CostSettings
from messages.captain import AskAsOperator, CaptainMessage
from messages.console import ConsoleMessage
from messages.evidence import Flush, PurgePerson, Watch
from messages.gateway import JoinVoice, LeaveVoice
from messages.ids import RoomId
from messages.lifecycle import CloseHouse, DescribeTree, Ending, RestartChild, Scalar
from messages.mailbox import Mailbox
from messages.orders import StayOrdered


class Console(Worker[ConsoleMessage]):
    """The loopback control surface; `home` is the local room, and `words` may be shown to viewers."""

    def __init__(
        self,
        life: Life,
        *,
        house: Mailbox[DescribeTree | RestartChild],
        gateway: Mailbox[JoinVoice | LeaveVoice | StayOrdered],
        captain: Mailbox[CaptainMessage],
        evidence: Mailbox[Watch | Flush | PurgePerson],
        way_out: Mailbox[CloseHouse],
        clock: Clock,
        port: ConsolePort,
        settings: ConsoleSettings,
        costs: CostSettings,
        home: RoomId | None,
        words: bool,
    ) -> None:
        super().__init__(life)
        self._house, self._captain, self._evidence = house, captain, evidence
        self._clock, self._port = clock, port
        self._errands = Errands(
            here=self.here, gateway=gateway, house=house, evidence=evidence, way_out=way_out, home=home
        )
        self._state = State(
            version=metadata.version("clankie"),
            opened_at=clock.now(),
            ask_seconds=settings.ask_seconds,
            costs=costs,
            words=words,
            home=home,
        )

    def opened(self) -> None:
        """Know its own place, watch the record, and open the window."""
        self._state = replace(self._state, path=self.life.path)
        self._carry_out(decisions.Watch(words=False))
        self._port.open(self.here.tell)

    def receive(self, message: ConsoleMessage) -> None:
        """Think, then act."""
        self._act(core.step(self._state, message, self._clock.now()))

    def closed(self, ending: Ending) -> None:
        """Send everybody away, and close the window."""
        self._act(core.closing(self._state))
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        """Where it listens, or why it does not."""
        return core.facts(self._state)

    def _act(self, step: decisions.Step) -> None:
        self._state, decided = step
        for decision in decided:
            self._carry_out(decision)

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Watch(words=words):
                self._evidence.tell(Watch(watcher=self.here, may_see_words=words))
            case decisions.LookAround():
                self._house.tell(DescribeTree(reply_to=self.here))
            case decisions.Listen():
                self._port.open(self.here.tell)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case decisions.CarryOut(given=given):
                self._errands.run(given)
            case decisions.AskCaptain(asked=asked):
                question = AskAsOperator(handoff=asked.handoff, request=asked.request, reply_to=self.here)
                self._captain.tell(question)
            case decisions.TellCaptain(message=message):
                self._captain.tell(message)
            case decisions.Log(text=text, failed=failed):
                logger.log("WARNING" if failed else "INFO", "{}", text)
            case decisions.ShowStatus() | decisions.ShowReceipt() | decisions.ShowWords():
                self._port.publish(*serving.shown(decision, self._clock.wall().timestamp()))
            case decisions.Answer() | decisions.AnswerWhy() | decisions.AnswerOrder() | decisions.PassOn():
                serving.answer(decision)
            case _:
                assert_never(decision)
