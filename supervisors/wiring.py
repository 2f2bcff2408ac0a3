"""Who may speak to whom in the house: each room is made here, with its neighbours, port and settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from actors.base import Life
from actors.captain.actor import Captain
from actors.clock import Clock
from actors.console.actor import Console
from actors.evidence.actor import Evidence
from actors.gateway.actor import Gateway
from actors.gateway.authority import authority_of
from actors.local_room import GUILD
from actors.meter.actor import Meter
from messages.ids import RoomId
from supervisors.doors import HouseDoors
from supervisors.settings import Settings

if TYPE_CHECKING:
    from actors.captain.port import LedgerPort, MindPort, ToolboxPort
    from actors.capture.port import TranscriberPort, VoiceActivityPort
    from actors.console.port import ConsolePort
    from actors.evidence.port import EvidencePort
    from actors.floor.words import Words
    from actors.gateway.port import GatewayPort
    from actors.meter.port import MeterPort
    from actors.realtime.port import RealtimePort
    from actors.tts.port import TtsPort
    from actors.voice.port import VoicePort


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """How each room gets its hand on the outside world; called once for each life of the room."""

    gateway: Callable[[], GatewayPort]
    voice: Callable[[], VoicePort]
    activity: Callable[[], VoiceActivityPort]
    transcriber: Callable[[], TranscriberPort]
    realtime: Callable[[], RealtimePort]
    tts: Callable[[], TtsPort]
    captain_mind: Callable[[], MindPort]
    toolbox: Callable[[], ToolboxPort]
    ledger: Callable[[], LedgerPort]
    evidence: Callable[[], EvidencePort]
    meter: Callable[[], MeterPort]
    console: Callable[[], ConsolePort]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What the whole house shares."""

    clock: Clock
    words: Words
    settings: Settings
    ports: Ports
    home: RoomId | None = None
    """The local room, where that is the only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRooms:
    """The rooms that there is one of, each made anew for each of its lives."""

    kit: Equipment
    at: HouseDoors

    def evidence(self, life: Life) -> Evidence:
        """The record; tells those who may want to watch that it lives, and shows them what they ask for."""
        return Evidence(
            life,
            watchers=(self.at.meter, self.at.console, self.at.audience),
            clock=self.kit.clock,
            port=self.kit.ports.evidence(),
            settings=self.kit.settings.evidence,
        )

    def captain(self, life: Life) -> Captain:
        """The slow mind; writes to chats, and answers whoever asked."""
        return Captain(
            life,
            gateway=self.at.gateway,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            mind=self.kit.ports.captain_mind(),
            toolbox=self.kit.ports.toolbox(),
            ledger=self.kit.ports.ledger(),
            settings=self.kit.settings.captain,
            authority=authority_of(self.kit.settings.authority, GUILD),
            persona=self.kit.settings.realtime.persona,
            transcripts_kept=self.kit.settings.evidence.transcripts,
        )

    def meter(self, life: Life) -> Meter:
        """Watches the record, looks at everybody now and then, and says what a stay has cost."""
        return Meter(
            life,
            house=self.at.root,
            gateway=self.at.gateway,
            record=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.meter(),
            settings=self.kit.settings.costs,
        )

    def console(self, life: Life) -> Console:
        """Asks the root how everybody is, watches the record, and has done what the operator orders."""
        return Console(
            life,
            house=self.at.root,
            gateway=self.at.gateway,
            captain=self.at.captain,
            evidence=self.at.evidence,
            way_out=self.at.exit,
            clock=self.kit.clock,
            port=self.kit.ports.console(),
            settings=self.kit.settings.console,
            costs=self.kit.settings.costs,
            home=self.kit.home,
            words=self.kit.settings.evidence.transcripts or self.kit.home is not None,
        )

    def gateway(self, life: Life) -> Gateway:
        """The account; begins stays, tells them the facts of their room, and asks the captain in writing."""
        floor = self.kit.settings.floor
        return Gateway(
            life,
            stays=self.at.stays,
            captain=self.at.captain,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.gateway(),
            settings=self.kit.settings.gateway,
            authority=self.kit.settings.authority,
            text=self.kit.settings.text,
            names=(floor.name, *floor.aliases),
            home=GUILD,
        )
