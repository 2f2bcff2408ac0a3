"""Everybody to whom a console may speak, as probes, and a console that speaks to them."""

from __future__ import annotations

from actors.base import Life
from actors.clock import Clock
from actors.console.actor import Console
from actors.console.port import ConsolePort
from actors.console.settings import ConsoleSettings
from actors.costs import CostSettings
from messages.captain import CaptainMessage
from messages.evidence import Flush, PurgePerson, Watch
from messages.gateway import JoinVoice, LeaveVoice
from messages.ids import RoomId
from messages.lifecycle import CloseHouse, DescribeTree, RestartChild
from messages.orders import StayOrdered
from tests.probe import Probe

NO_COSTS = CostSettings()


class Neighbours:
    """A house around one console."""

    def __init__(self) -> None:
        self.house = Probe[DescribeTree | RestartChild]()
        self.gateway = Probe[JoinVoice | LeaveVoice | StayOrdered]()
        self.captain = Probe[CaptainMessage]()
        self.evidence = Probe[Watch | Flush | PurgePerson]()
        self.way_out = Probe[CloseHouse]()

    def console(
        self,
        life: Life,
        *,
        clock: Clock,
        port: ConsolePort,
        settings: ConsoleSettings,
        costs: CostSettings = NO_COSTS,
        home: RoomId | None = None,
        words: bool = False,
    ) -> Console:
        """The console among them."""
        return Console(
            life,
            house=self.house,
            gateway=self.gateway,
            captain=self.captain,
            evidence=self.evidence,
            way_out=self.way_out,
            clock=clock,
            port=port,
            settings=settings,
            costs=costs,
            home=home,
            words=words,
        )
