"""What a stay can decide: a letter to one neighbour, a receipt, a timer, or its own end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.stay.state import State
from messages.captain import StayIsOver
from messages.evidence import Receipt
from messages.floor import AwaitQuiet, JustJoined, LineTyped, RosterTold
from messages.gateway import PostText, StayEnded, StayJoined
from messages.lifecycle import Close, Open
from messages.realtime import ForgetPerson, RoomObserved
from messages.stay import OpenEar
from messages.voice import CloseLink, CloseMicrophone, OpenLink, OpenMicrophone


@dataclass(frozen=True, slots=True)
class ToVoice:
    """For the sound link."""

    message: OpenLink | CloseLink | OpenMicrophone | CloseMicrophone


@dataclass(frozen=True, slots=True)
class ToEars:
    """For the supervisor of listeners."""

    message: Open[OpenEar] | Close


@dataclass(frozen=True, slots=True)
class ToFloor:
    """For the floor."""

    message: RosterTold | JustJoined | LineTyped | AwaitQuiet


@dataclass(frozen=True, slots=True)
class ToRealtime:
    """For the conversation."""

    message: RoomObserved | ForgetPerson


@dataclass(frozen=True, slots=True)
class ToGateway:
    """For the account at the door."""

    message: PostText | StayJoined | StayEnded


@dataclass(frozen=True, slots=True)
class ToCaptain:
    """For the slow mind."""

    message: StayIsOver


@dataclass(frozen=True, slots=True)
class Record:
    """For the evidence."""

    receipt: Receipt


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Tell me StayOverdue(token) after so many seconds."""

    seconds: float
    token: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The stay is over; its family goes with it."""


Decision: TypeAlias = (
    ToVoice | ToEars | ToFloor | ToRealtime | ToGateway | ToCaptain | Record | SetTimer | Finish
)


Step: TypeAlias = tuple[State, tuple[Decision, ...]]
