"""The captain's mailbox: questions of all rooms in, one answer to each out."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import assert_never

from actors.authority import Authority
from actors.base import Life, Worker
from actors.captain import core, decisions, delivery, describing
from actors.captain.events import CaptainCloses, CaptainOpens, Event, NotesKept, PersonForgotten
from actors.captain.port import LedgerPort, MindPort, ToolboxPort
from actors.captain.prompts import prompt_version
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
        mind: MindPort,
        toolbox: ToolboxPort,
        ledger: LedgerPort,
        settings: CaptainSettings,
        authority: Authority,
        persona: str,
        transcripts_kept: bool,
    ) -> None:
        super().__init__(life)
        self._gateway, self._evidence, self._clock = gateway, evidence, clock
        self._mind, self._toolbox, self._ledger = mind, toolbox, ledger
        self._unreadable, self._on_disk = 0, True
        self._state = State(
            settings=settings,
            authority=authority,
            here=self.here,
            persona=persona,
            transcripts_kept=transcripts_kept,
            prompt="" if settings.provider == "local" else prompt_version(),
        )

    def opened(self) -> None:
        book = self._ledger.open()
        self._unreadable = book.unreadable
        self._mind.open(self.here.tell)
        self._toolbox.open(self.here.tell)
        self._step(CaptainOpens(book=book))

    def receive(self, message: CaptainMessage) -> None:
        self._step(message)

    def closed(self, ending: Ending) -> None:
        self._step(CaptainCloses(ending=ending))
        self._mind.close()
        self._toolbox.close()
        self._ledger.close()

    def describe(self) -> Mapping[str, Scalar]:
        ledger = "written" if self._on_disk else "cannot be written"
        own: dict[str, Scalar] = {"mind": self._mind.describe(), "ledger": ledger}
        return own | describing.facts(self._state) | {"unreadable_lines": self._unreadable}

    def _step(self, event: Event) -> None:
        events = deque([event])
        while events:
            wall = self._clock.wall().timestamp()
            self._state, decided = core.step(self._state, events.popleft(), self._clock.now(), wall)
            for decision in decided:
                events.extend(self._carry_out(decision))

    def _carry_out(self, decision: decisions.Decision) -> tuple[Event, ...]:
        match decision:
            case decisions.Begin():
                self._mind.begin(decision.brief)
            case decisions.Think():
                self._mind.think(decision.turn, decision.step, decision.items)
            case decisions.Over():
                self._mind.over(decision.turn)
            case decisions.Use():
                self._toolbox.use(decision.turn, decision.call, decision.tool, decision.arguments)
            case decisions.Drop():
                self._toolbox.drop(decision.turn)
            case decisions.TellGateway():
                self._gateway.tell(decision.message)
            case decisions.TellEvidence():
                self._evidence.tell(decision.message)
            case decisions.Tell():
                decision.deliver()
            case decisions.Journal():
                delivery.log(decision.entry)
                self._on_disk = self._ledger.append(decision.lane, decision.entry)
            case decisions.Keep() | decisions.Forget():
                return (self._written(decision),)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)
        return ()

    def _written(self, decision: decisions.Keep | decisions.Forget) -> Event:
        """What is on disk is what counts."""
        kept = self._on_disk = self._ledger.keep(decision.notes)
        if isinstance(decision, decisions.Keep):
            return NotesKept(turn=decision.turn, call=decision.call, kept=kept)
        whole = self._on_disk = self._ledger.forget(decision.asked.person, decision.deleted) and kept
        return PersonForgotten(asked=decision.asked, deleted=decision.deleted, whole=whole)
