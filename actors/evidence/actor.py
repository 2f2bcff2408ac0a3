"""Whoever did something leaves a receipt here, and nobody ever waits for it to be filed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.evidence import core, decisions, events, writing
from actors.evidence.port import EvidencePort
from actors.evidence.purging import CLOSED, purged
from actors.evidence.settings import EvidenceSettings
from actors.evidence.stamping import Stamp
from actors.evidence.state import State
from messages.evidence import (
    EvidenceMessage,
    EvidenceOpened,
    EvidenceTick,
    Flushed,
    HeardWords,
    SpokenWords,
)
from messages.ids import Token
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox


class Evidence(Worker[EvidenceMessage]):
    """The record of what happened. It outlives everybody else."""

    def __init__(
        self,
        life: Life,
        *,
        watchers: Sequence[Mailbox[EvidenceOpened]],
        clock: Clock,
        port: EvidencePort,
        settings: EvidenceSettings,
    ) -> None:
        super().__init__(life)
        self._watchers = watchers
        self._clock, self._port, self._settings = clock, port, settings
        self._stamp = Stamp(clock)
        self._state = State(
            sync_s=settings.sync_ms / 1000, retry_s=settings.retry_s, flush_s=settings.flush_s, token=Token(0)
        )

    def opened(self) -> None:
        """Open the sink, for whether the disk works is not a question of life, and be known to live."""
        self._port.open(self.here.tell)
        for watcher in self._watchers:
            watcher.tell(EvidenceOpened(record=self.here))
        self._step(EvidenceTick())

    def receive(self, message: EvidenceMessage) -> None:
        """File, show, or see to the sink."""
        if isinstance(message, events.AsItIs):
            self._step(message)
        elif isinstance(message, HeardWords | SpokenWords):
            self._step(writing.private(message, self._stamp.time(), self._settings))
        else:
            signature = self._settings.signature
            self._step(writing.on_the_wire(message, self._stamp.time(), signature))

    def closed(self, ending: Ending) -> None:
        """Everything goes to disk, for as long as it may take."""
        unwritten = self._port.close(self._settings.flush_s)
        lost = self._state.lost + unwritten
        if unwritten:
            logger.warning("evidence closed with {} lines unwritten; lost in all: {}", unwritten, lost)
        for each in self._state.waiting:
            each.done.tell(Flushed(lost=lost, failed=self._state.failing or CLOSED if unwritten else ""))
        for purge in self._state.purges:
            if purge.done is not None:
                purge.done.tell(purged(purge.person, failed=CLOSED))

    def describe(self) -> Mapping[str, Scalar]:
        """Counts since this life began, and why nothing can be written, if so."""
        state = self._state
        return {"recorded": state.recorded, "lost": state.lost, "failing": state.failing}

    def _step(self, event: events.Event) -> None:
        self._state, decided = core.step(self._state, event, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Append(stream=stream, day=day, line=line):
                if not self._port.append(stream, day, line):
                    self._step(events.Dropped())
            case decisions.Show(watcher=watcher, what=what):
                watcher.tell(what)
            case decisions.Sync(token=token):
                self._port.sync(token)
            case decisions.Retry():
                self._port.retry()
            case decisions.Tidy():
                self._port.tidy(self._clock.wall().date())
            case decisions.Purge(token=token, person=person, receipts=receipts):
                self._port.purge(token, person, receipts=receipts)
            case decisions.AnswerPurge(done=done, purged=answer):
                done.tell(answer)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case decisions.Answer(done=done, lost=lost, failed=failed):
                waiting = self._port.waiting() if failed else 0
                done.tell(Flushed(lost=lost + waiting, failed=failed))
            case decisions.AnswerReceipts(asker=asker, known=known):
                asker.tell(known)
            case decisions.Log(text=text):
                logger.warning("{}", text)
            case _:
                assert_never(decision)
