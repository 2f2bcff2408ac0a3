"""The page: every actor, its neighbours and its strategy; start from the mouth, stop from the ears."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from actors.base import Life
from actors.captain.actor import Captain
from actors.captain.port import CaptainPort
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
from actors.gateway.port import GatewayPort
from actors.playback.actor import Playback
from actors.realtime.actor import Realtime
from actors.realtime.port import RealtimePort
from actors.stay.actor import Stay
from actors.tts.actor import Tts
from actors.tts.port import TtsPort
from actors.voice.actor import Voice
from actors.voice.port import VoicePort
from messages.captain import CaptainMessage
from messages.console import ConsoleMessage
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage
from messages.gateway import GatewayMessage
from messages.lifecycle import RestartType, Strategy
from messages.playback import PlaybackMessage
from messages.realtime import RealtimeMessage
from messages.stay import BeginStay, EarsOpened, OpenEar, StayMessage
from messages.tts import TtsMessage
from messages.voice import VoiceMessage
from supervisors.address import Address
from supervisors.dynamic import DynamicMessage, DynamicSupervisor
from supervisors.settings import Settings
from supervisors.supervisor import ChildSpec, Supervisor, SupervisorMessage

PERMANENT, TRANSIENT, TEMPORARY = RestartType.PERMANENT, RestartType.TRANSIENT, RestartType.TEMPORARY
MOST_EARS = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """How each room gets its hand on the outside world; called once for each life of the room."""

    gateway: Callable[[], GatewayPort]
    voice: Callable[[], VoicePort]
    activity: Callable[[], VoiceActivityPort]
    transcriber: Callable[[], TranscriberPort]
    conversation: Callable[[], RealtimePort]
    synthesizer: Callable[[], TtsPort]
    captain: Callable[[], CaptainPort]
    evidence: Callable[[], EvidencePort]
    console: Callable[[], ConsolePort]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What the whole house shares."""

    clock: Clock
    words: Words
    settings: Settings
    ports: Ports


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseDoors:
    """Where letters for the rooms of the house go, over every restart."""

    root: Address[SupervisorMessage] = field(default_factory=Address)
    evidence: Address[EvidenceMessage] = field(default_factory=Address)
    captain: Address[CaptainMessage] = field(default_factory=Address)
    gateway: Address[GatewayMessage] = field(default_factory=Address)
    stays: Address[DynamicMessage[BeginStay]] = field(default_factory=Address)
    console: Address[ConsoleMessage] = field(default_factory=Address)


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyDoors:
    """Where letters for the rooms of one stay go; another stay has others."""

    stay: Address[StayMessage] = field(default_factory=Address)
    voice: Address[VoiceMessage] = field(default_factory=Address)
    playback: Address[PlaybackMessage] = field(default_factory=Address)
    tts: Address[TtsMessage] = field(default_factory=Address)
    floor: Address[FloorMessage] = field(default_factory=Address)
    realtime: Address[RealtimeMessage] = field(default_factory=Address)
    ears: Address[DynamicMessage[OpenEar]] = field(default_factory=Address)


def house(life: Life, kit: Equipment, at: HouseDoors) -> Supervisor:
    """Return the root; past its intensity the program ends and the service manager decides."""

    def evidence(life: Life) -> Evidence:
        return Evidence(life, clock=kit.clock, port=kit.ports.evidence(), settings=kit.settings.evidence)

    def captain(life: Life) -> Captain:
        return Captain(
            life,
            gateway=at.gateway,
            evidence=at.evidence,
            clock=kit.clock,
            port=kit.ports.captain(),
            settings=kit.settings.captain,
        )

    def console(life: Life) -> Console:
        return Console(
            life,
            house=at.root,
            evidence=at.evidence,
            clock=kit.clock,
            port=kit.ports.console(),
            settings=kit.settings.console,
        )

    children = (
        ChildSpec(name="evidence", make=evidence, address=at.evidence, restart=PERMANENT),
        ChildSpec(name="captain", make=captain, address=at.captain, restart=PERMANENT),
        ChildSpec(name="body", make=lambda life: body(life, kit, at), restart=PERMANENT),
        ChildSpec(name="console", make=console, address=at.console, restart=PERMANENT),
    )
    return Supervisor(life, children=children, strategy=Strategy.ONE_FOR_ONE, intensity=3, period=60.0)


def body(life: Life, kit: Equipment, at: HouseDoors) -> Supervisor:
    """Return the account and its stays: they fall with the gateway only if the gateway falls."""

    def gateway(life: Life) -> Gateway:
        return Gateway(
            life,
            stays=at.stays,
            evidence=at.evidence,
            clock=kit.clock,
            port=kit.ports.gateway(),
            settings=kit.settings.gateway,
        )

    def stays(life: Life) -> DynamicSupervisor[BeginStay]:
        return DynamicSupervisor(
            life,
            make_child=lambda asked: ChildSpec(
                name=asked.stay, make=lambda life: family(life, kit, at, asked), restart=TEMPORARY
            ),
            max_children=kit.settings.gateway.max_stays,
            refused=at.gateway,
        )

    children = (
        ChildSpec(name="gateway", make=gateway, address=at.gateway, restart=PERMANENT),
        ChildSpec(name="stays", make=stays, address=at.stays, restart=PERMANENT),
    )
    return Supervisor(life, children=children, strategy=Strategy.REST_FOR_ONE, intensity=3, period=60.0)


def family(life: Life, kit: Equipment, at: HouseDoors, asked: BeginStay) -> Supervisor:
    """Return everything that lives and dies with one stay; whether to come back is his decision."""
    own = FamilyDoors()

    def stay(life: Life) -> Stay:
        return Stay(
            life,
            stay_id=asked.stay,
            room=asked.room,
            gateway=at.gateway,
            voice=own.voice,
            ears=own.ears,
            floor=own.floor,
            realtime=own.realtime,
            captain=at.captain,
            evidence=at.evidence,
            clock=kit.clock,
            settings=kit.settings.stay,
        )

    def voice(life: Life) -> Voice:
        return Voice(
            life,
            stay_id=asked.stay,
            stay=own.stay,
            playback=own.playback,
            evidence=at.evidence,
            clock=kit.clock,
            port=kit.ports.voice(),
            settings=kit.settings.voice,
        )

    def realtime(life: Life) -> Realtime:
        return Realtime(
            life,
            stay_id=asked.stay,
            room=asked.room,
            floor=own.floor,
            tts=own.tts,
            stay=own.stay,
            captain=at.captain,
            returns=own.realtime,
            evidence=at.evidence,
            clock=kit.clock,
            port=kit.ports.conversation(),
            settings=kit.settings.realtime,
        )

    def ears(life: Life) -> DynamicSupervisor[OpenEar]:
        return DynamicSupervisor(
            life,
            make_child=lambda wanted: ear(kit, at, own, asked, wanted),
            max_children=MOST_EARS,
            ready=lambda: own.stay.tell(EarsOpened()),
        )

    children = (
        ChildSpec(name="stay", make=stay, address=own.stay, restart=TEMPORARY, significant=True),
        ChildSpec(name="voice", make=voice, address=own.voice, restart=TRANSIENT),
        ChildSpec(name="mouth", make=lambda life: mouth(life, kit, at, own, asked), restart=TRANSIENT),
        ChildSpec(name="realtime", make=realtime, address=own.realtime, restart=TRANSIENT),
        ChildSpec(name="ears", make=ears, address=own.ears, restart=TRANSIENT),
    )
    return Supervisor(life, children=children, strategy=Strategy.ONE_FOR_ONE, intensity=5, period=30.0)


def mouth(life: Life, kit: Equipment, at: HouseDoors, own: FamilyDoors, asked: BeginStay) -> Supervisor:
    """Return the three that hold parts of one belief: what is being said."""

    def playback(life: Life) -> Playback:
        return Playback(
            life,
            stay_id=asked.stay,
            voice=own.voice,
            tts=own.tts,
            floor=own.floor,
            realtime=own.realtime,
            stay=own.stay,
            evidence=at.evidence,
            clock=kit.clock,
            settings=kit.settings.playback,
        )

    def tts(life: Life) -> Tts:
        return Tts(
            life,
            stay_id=asked.stay,
            playback=own.playback,
            evidence=at.evidence,
            clock=kit.clock,
            port=kit.ports.synthesizer(),
            settings=kit.settings.tts,
        )

    def floor(life: Life) -> Floor:
        return Floor(
            life,
            stay_id=asked.stay,
            stay=own.stay,
            playback=own.playback,
            tts=own.tts,
            realtime=own.realtime,
            evidence=at.evidence,
            clock=kit.clock,
            words=kit.words,
            settings=kit.settings.floor,
        )

    children = (
        ChildSpec(name="playback", make=playback, address=own.playback, restart=PERMANENT),
        ChildSpec(name="tts", make=tts, address=own.tts, restart=PERMANENT),
        ChildSpec(name="floor", make=floor, address=own.floor, restart=PERMANENT),
    )
    return Supervisor(life, children=children, strategy=Strategy.ONE_FOR_ALL, intensity=3, period=60.0)


def ear(kit: Equipment, at: HouseDoors, own: FamilyDoors, asked: BeginStay, wanted: OpenEar) -> ChildSpec:
    """Return the listener of one consented person; nobody reopens it by reflex."""

    def capture(life: Life) -> Capture:
        return Capture(
            life,
            stay_id=asked.stay,
            person=wanted.person,
            capture_id=wanted.capture,
            stay=own.stay,
            floor=own.floor,
            evidence=at.evidence,
            clock=kit.clock,
            activity=kit.ports.activity(),
            port=kit.ports.transcriber(),
            settings=kit.settings.capture,
        )

    return ChildSpec(name=wanted.person.id, make=capture, restart=TEMPORARY)
