"""The shell of a stay: letters go to the core, and what the core decides goes to the neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from actors.base import Life, Worker
from actors.clock import Clock
from actors.stay import core, decisions, leaving
from actors.stay.settings import StaySettings
from actors.stay.state import State
from messages.captain import CaptainMessage
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage
from messages.gateway import GatewayMessage, StayOpened
from messages.ids import LineId, RoomId, StayId, new_id
from messages.lifecycle import Close, Ending, Open, Scalar
from messages.mailbox import Mailbox
from messages.realtime import RealtimeMessage
from messages.stay import OpenEar, StayMessage
from messages.voice import VoiceMessage


class Stay(Worker[StayMessage]):
    """One stay; its end, whatever brought it about, is the end of its family."""

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        room: RoomId,
        gateway: Mailbox[GatewayMessage],
        voice: Mailbox[VoiceMessage],
        ears: Mailbox[Open[OpenEar] | Close],
        floor: Mailbox[FloorMessage],
        realtime: Mailbox[RealtimeMessage],
        captain: Mailbox[CaptainMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        settings: StaySettings,
    ) -> None:
        super().__init__(life)
        self._gateway = gateway
        self._voice = voice
        self._ears = ears
        self._floor = floor
        self._realtime = realtime
        self._captain = captain
        self._evidence = evidence
        self._clock = clock
        self._state = State(stay_id=stay_id, room=room, settings=settings)

    def opened(self) -> None:
        self._state, decided = core.begin(self._state)
        for decision in decided:
            self._carry_out(decision)
        self._gateway.tell(StayOpened(stay=self._state.stay_id, room=self._state.room, mailbox=self.here))

    def receive(self, message: StayMessage) -> None:
        now = self._clock.now()
        self._state, decided = core.step(self._state, message, now, LineId(new_id()))
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        for decision in leaving.stopped(self._state, ending, self._clock.now()):
            self._carry_out(decision)

    def describe(self) -> Mapping[str, Scalar]:
        state = self._state
        return {
            "phase": state.phase.value,
            "stay": state.stay_id,
            "room": state.room,
            "humans": state.humans(),
            "heard": len(state.consented),
            "encryption": state.encryption,
        }

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.TellVoice():
                self._voice.tell(decision.message)
            case decisions.TellEars():
                self._ears.tell(decision.message)
            case decisions.TellFloor():
                self._floor.tell(decision.message)
            case decisions.PassOn():
                self._floor.tell(replace(decision.order, reply_to=self.here))
            case decisions.Answer():
                decision.mailbox.tell(decision.answer)
            case decisions.TellRealtime():
                self._realtime.tell(decision.message)
            case decisions.TellGateway():
                self._gateway.tell(decision.message)
            case decisions.TellCaptain():
                self._captain.tell(decision.message)
            case decisions.Record():
                self._evidence.tell(decision.receipt)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case decisions.Finish():
                self.finish()
            case _:
                assert_never(decision)
