"""Who may speak to whom: each room is made here, and given its neighbours, its port and its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from actors.base import Life
from actors.captain.actor import Captain
from actors.captain.port import LedgerPort, MindPort, ToolboxPort
from actors.capture.actor import Capture
from actors.capture.port import TranscriberPort, VoiceActivityPort
from actors.clock import Clock
from actors.console.actor import Console
from actors.console.port import ConsolePort
from actors.evidence.actor import Evidence
from actors.evidence.port import EvidencePort
from actors.floor.actor import Floor
from actors.floor.words import Words
from actors.gateway.actor import Gateway
from actors.gateway.authority import authority_of
from actors.gateway.port import GatewayPort
from actors.local_room import GUILD
from actors.playback.actor import Playback
from actors.realtime.actor import Realtime
from actors.realtime.port import RealtimePort
from actors.stay.actor import Stay
from actors.tts.actor import Tts
from actors.tts.port import TtsPort
from actors.voice.actor import Voice
from actors.voice.port import VoicePort
from messages.ids import RoomId
from messages.stay import BeginStay, OpenEar
from supervisors.doors import FamilyDoors, HouseDoors
from supervisors.settings import Settings


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
            watchers=(self.at.console, self.at.audience),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRooms:
    """The rooms of one stay."""

    kit: Equipment
    at: HouseDoors
    own: FamilyDoors
    asked: BeginStay

    def stay(self, life: Life) -> Stay:
        """One stay: hears from everybody in it, and decides who may be heard and when it is over."""
        return Stay(
            life,
            stay_id=self.asked.stay,
            room=self.asked.room,
            gateway=self.at.gateway,
            voice=self.own.voice,
            ears=self.own.ears,
            floor=self.own.floor,
            realtime=self.own.realtime,
            captain=self.at.captain,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            settings=self.kit.settings.stay,
        )

    def voice(self, life: Life) -> Voice:
        """The link; tells playback what was really sent."""
        return Voice(
            life,
            stay_id=self.asked.stay,
            stay=self.own.stay,
            playback=self.own.playback,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.voice(),
            settings=self.kit.settings.voice,
        )

    def playback(self, life: Life) -> Playback:
        """Feeds the link, pulls from tts, and tells everybody what was heard."""
        return Playback(
            life,
            stay_id=self.asked.stay,
            voice=self.own.voice,
            tts=self.own.tts,
            floor=self.own.floor,
            realtime=self.own.realtime,
            stay=self.own.stay,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            settings=self.kit.settings.playback,
        )

    def tts(self, life: Life) -> Tts:
        """Sound for playback."""
        return Tts(
            life,
            stay_id=self.asked.stay,
            playback=self.own.playback,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.tts(),
            settings=self.kit.settings.tts,
        )

    def floor(self, life: Life) -> Floor:
        """Whose turn it is, and whether he is cut off."""
        return Floor(
            life,
            stay_id=self.asked.stay,
            stay=self.own.stay,
            playback=self.own.playback,
            tts=self.own.tts,
            realtime=self.own.realtime,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            words=self.kit.words,
            settings=self.kit.settings.floor,
        )

    def realtime(self, life: Life) -> Realtime:
        """The conversation; speaks through tts, asks the captain, may end the stay."""
        return Realtime(
            life,
            stay_id=self.asked.stay,
            room=self.asked.room,
            floor=self.own.floor,
            tts=self.own.tts,
            stay=self.own.stay,
            captain=self.at.captain,
            returns=self.own.realtime,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.realtime(),
            settings=self.kit.settings.realtime,
        )

    def capture(self, life: Life, wanted: OpenEar) -> Capture:
        """One listener; tells the floor."""
        return Capture(
            life,
            stay_id=self.asked.stay,
            person=wanted.person,
            capture_id=wanted.capture,
            stay=self.own.stay,
            floor=self.own.floor,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            activity=self.kit.ports.activity(),
            port=self.kit.ports.transcriber(),
            settings=self.kit.settings.capture,
        )
