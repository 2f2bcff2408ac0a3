"""The addresses of a house and of a family: they outlive every tenant."""

from __future__ import annotations

from dataclasses import dataclass, field

from messages.captain import CaptainMessage
from messages.console import ConsoleMessage
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage
from messages.gateway import GatewayMessage
from messages.playback import PlaybackMessage
from messages.realtime import RealtimeMessage
from messages.stay import BeginStay, OpenEar, StayMessage
from messages.tts import TtsMessage
from messages.voice import VoiceMessage
from supervisors.address import Address
from supervisors.dynamic import DynamicMessage
from supervisors.supervisor import SupervisorMessage


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
