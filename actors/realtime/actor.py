"""The conversation's mailbox: turns and lines in, text and decisions of his out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.realtime import core, decisions, handoffs
from actors.realtime.ending import stopped
from actors.realtime.port import RealtimePort
from actors.realtime.settings import RealtimeSettings
from actors.realtime.state import State, facts
from messages.captain import CaptainMessage
from messages.evidence import EvidenceMessage, Failed, Receipt
from messages.floor import ConversationRestarted, FloorMessage
from messages.ids import RoomId, StayId
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox
from messages.realtime import RealtimeMessage
from messages.reasons import in_words
from messages.stay import ConversationOpened, StayMessage
from messages.tts import TtsMessage


class Realtime(Worker[RealtimeMessage]):
    """Speaks to one model for one stay; asks the stay who is here whenever it begins anew.

    `returns` is where the captain answers: its own address, which outlives this life.
    """

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        room: RoomId,
        floor: Mailbox[FloorMessage],
        tts: Mailbox[TtsMessage],
        stay: Mailbox[StayMessage],
        captain: Mailbox[CaptainMessage],
        returns: Mailbox[RealtimeMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        port: RealtimePort,
        settings: RealtimeSettings,
    ) -> None:
        super().__init__(life)
        self._floor, self._tts, self._stay = floor, tts, stay
        self._captain, self._returns = captain, returns
        self._evidence, self._clock, self._port = evidence, clock, port
        self._state = State(stay=stay_id, room=room, settings=settings, life=life.incarnation)

    def opened(self) -> None:
        self._port.open(self.here.tell)
        self._stay.tell(ConversationOpened())
        self._floor.tell(ConversationRestarted(life=self._state.life))

    def receive(self, message: RealtimeMessage) -> None:
        self._state, decided = core.step(self._state, message, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        reason = "" if ending in (Ending.SHUTDOWN, Ending.ORDERED) else ending.value
        for decision in stopped(self._state, reason, self._clock.now()):
            self._carry_out(decision)
        self._port.close()
        for unsaid in handoffs.unsaid(self._state):
            self._captain.tell(unsaid)

    def describe(self) -> Mapping[str, Scalar]:
        return {**facts(self._state), "mind": self._port.describe()}

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Connect(connection=connection):
                self._port.connect(connection, decision.seed)
            case decisions.Disconnect(connection=connection):
                self._port.disconnect(connection)
            case decisions.Add(connection=connection):
                self._port.add(connection, decision.item)
            case decisions.Respond(connection=connection):
                logger.debug("turn {} is asked of the model", decision.brief.turn)
                self._port.respond(connection, decision.response, decision.brief)
            case decisions.Cancel(connection=connection):
                self._port.cancel(connection, decision.response)
            case decisions.TellTts():
                self._tts.tell(decision.message)
            case decisions.TellFloor():
                self._floor.tell(decision.message)
            case decisions.TellStay():
                self._stay.tell(decision.message)
            case decisions.HandOff():
                self._captain.tell(handoffs.message(decision, self._state, self._returns))
            case decisions.TellCaptain():
                self._captain.tell(decision.message)
            case decisions.Record():
                self._note(decision.receipt)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)

    def _note(self, receipt: Receipt) -> None:
        if isinstance(receipt, Failed):
            why = f"{in_words(receipt.reason)} ({receipt.reason}); clankie doctor looks further"
            logger.bind(stay=receipt.stay_id).warning("the conversation failed: {}", why)
        self._evidence.tell(receipt)
