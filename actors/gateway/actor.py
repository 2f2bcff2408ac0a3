"""The shell of the gateway: letters to the core, decisions to the account, the stays and whoever asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.gateway import core, decisions, passing
from actors.gateway.authority import authority_of
from actors.gateway.delivery import deliver, order
from actors.gateway.errands import Errands
from actors.gateway.lane import TextLane
from actors.gateway.port import GatewayPort
from actors.gateway.settings import AuthoritySettings, GatewaySettings, TextSettings
from actors.gateway.state import State
from messages.captain import AccountOpened, CaptainMessage
from messages.evidence import EvidenceMessage
from messages.gateway import GatewayMessage
from messages.ids import GuildId, StayId, new_id
from messages.lifecycle import Ending, Open, Scalar
from messages.mailbox import Mailbox
from messages.stay import BeginStay


class Gateway(Worker[GatewayMessage]):
    """The one who keeps the account."""

    def __init__(
        self,
        life: Life,
        *,
        stays: Mailbox[Open[BeginStay]],
        captain: Mailbox[CaptainMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        port: GatewayPort,
        settings: GatewaySettings,
        authority: AuthoritySettings,
        text: TextSettings,
        names: tuple[str, ...],
        home: GuildId,
    ) -> None:
        super().__init__(life)
        self._stays = stays
        self._captain = captain
        self._evidence = evidence
        self._clock = clock
        self._port = port
        lane = TextLane(settings=text, names=names)
        self._state = State(
            settings=settings,
            authority=authority_of(authority, home),
            text=lane,
            errands=Errands(life=f"deed-{new_id()}"),
        )

    def opened(self) -> None:
        self._port.open(self.here.tell)
        self._captain.tell(AccountOpened())

    def receive(self, message: GatewayMessage) -> None:
        self._state, decided = core.step(self._state, message, self._clock.now(), StayId(new_id()))
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        # Whoever typed a command is answered over the port.
        for owed in core.stopped(self._state, self._clock.now(), ending.value):
            self._carry_out(owed)
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        return self._state.describe()

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Begin():
                logger.bind(stay=decision.stay.stay).info("a stay in {} begins", decision.stay.room)
                self._stays.tell(Open(request=decision.stay))
            case decisions.TellStay():
                decision.mailbox.tell(decision.message)
            case passing.PassOn():
                decision.mailbox.tell(replace(decision.order, reply_to=self.here))
            case decisions.TellCaptain():
                self._captain.tell(decision.message)
            case decisions.Answer():
                deliver(decision)
            case decisions.Warn():
                logger.warning("the account is gone: {}. {}", decision.reason, decision.remedy)
            case decisions.Record():
                self._evidence.tell(decision.receipt)
            case passing.Purge():
                self._evidence.tell(decision.message)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case decisions.Enter() | decisions.Leave() | decisions.Watch() | decisions.Post():
                order(self._port, decision)
            case decisions.Typing() | decisions.Do() | decisions.LookUp():
                order(self._port, decision)
            case decisions.Confirm() | decisions.Settle():
                order(self._port, decision)
            case _:
                assert_never(decision)
