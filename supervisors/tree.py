"""The page: every actor, who falls with whom, in which order; start from the mouth, stop from the ears."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from actors.base import Life
from messages.captain import CaptainMessage, ResultUnsaid
from messages.evidence import BridgeDegraded, Degraded, EvidenceMessage
from messages.ids import StayId
from messages.lifecycle import Ending, RestartType, Strategy
from messages.mailbox import Mailbox
from messages.realtime import HandoffReturned, RealtimeMessage
from messages.stay import BeginStay, EarsOpened, OpenEar
from supervisors.doors import FamilyDoors, HouseDoors
from supervisors.dynamic import DynamicSupervisor
from supervisors.supervisor import ChildSpec, Mended, Supervisor
from supervisors.wiring import Equipment, HouseRooms

if TYPE_CHECKING:
    from supervisors.family import FamilyRooms

PERMANENT, TRANSIENT, TEMPORARY = RestartType.PERMANENT, RestartType.TRANSIENT, RestartType.TEMPORARY
MOST_CLOSING = 4


def house(life: Life, kit: Equipment, at: HouseDoors) -> Supervisor:
    """Return the root; past its intensity the program ends, and the service manager decides."""
    rooms = HouseRooms(kit=kit, at=at)
    children = (
        ChildSpec(name="evidence", make=rooms.evidence, address=at.evidence, restart=PERMANENT),
        ChildSpec(name="captain", make=rooms.captain, address=at.captain, restart=PERMANENT),
        ChildSpec(name="meter", make=rooms.meter, address=at.meter, restart=PERMANENT),
        ChildSpec(name="body", make=lambda life: body(life, rooms), restart=PERMANENT),
        ChildSpec(name="console", make=rooms.console, address=at.console, restart=PERMANENT),
    )
    mended = of_house(at.evidence)
    return Supervisor(
        life, children=children, strategy=Strategy.ONE_FOR_ONE, intensity=3, period=60.0, mended=mended
    )


def body(life: Life, rooms: HouseRooms) -> Supervisor:
    """Return the account and its stays, which fall with it and not without it."""
    at = rooms.at
    children = (
        ChildSpec(name="gateway", make=rooms.gateway, address=at.gateway, restart=PERMANENT),
        ChildSpec(name="stays", make=lambda life: stays(life, rooms), address=at.stays, restart=PERMANENT),
    )
    mended = of_house(at.evidence)
    return Supervisor(
        life, children=children, strategy=Strategy.REST_FOR_ONE, intensity=3, period=60.0, mended=mended
    )


def stays(life: Life, rooms: HouseRooms) -> DynamicSupervisor[BeginStay]:
    """Return the families, begun on request and never by reflex: coming back is his decision."""

    def begin(asked: BeginStay) -> ChildSpec:
        return ChildSpec(name=asked.stay, make=lambda life: family(life, rooms, asked), restart=TEMPORARY)

    # The gateway counts stays that are not over; families of those that are may still be closing.
    most = rooms.kit.settings.gateway.max_stays + MOST_CLOSING
    return DynamicSupervisor(life, make_child=begin, max_children=most, refused=rooms.at.gateway)


def family(life: Life, house_rooms: HouseRooms, asked: BeginStay) -> Supervisor:
    """Return everything that lives and dies with one stay."""
    # A house is open sooner without what only a stay needs; see `warm`.
    from supervisors.family import FamilyRooms

    own, mended = FamilyDoors(), of_stay(house_rooms.at.evidence, asked.stay, life.path)
    rooms = FamilyRooms(kit=house_rooms.kit, at=house_rooms.at, own=own, asked=asked)
    children = (
        ChildSpec(name="stay", make=rooms.stay, address=own.stay, restart=TEMPORARY, significant=True),
        ChildSpec(name="voice", make=rooms.voice, address=own.voice, restart=TRANSIENT),
        ChildSpec(name="mouth", make=lambda life: mouth(life, rooms, mended), restart=TRANSIENT),
        ChildSpec(name="realtime", make=rooms.realtime, address=own.realtime, restart=TRANSIENT),
        ChildSpec(name="ears", make=lambda life: ears(life, rooms), address=own.ears, restart=TRANSIENT),
    )
    unsaid = written_instead(house_rooms.at.captain, asked)
    return Supervisor(
        life,
        children=children,
        strategy=Strategy.ONE_FOR_ONE,
        intensity=5,
        period=30.0,
        mended=mended,
        gone=lambda: own.realtime.retire(unsaid),
    )


def mouth(life: Life, rooms: FamilyRooms, mended: Mended) -> Supervisor:
    """Return the three that hold parts of one belief: what is being said."""
    own = rooms.own
    children = (
        ChildSpec(name="playback", make=rooms.playback, address=own.playback, restart=PERMANENT),
        ChildSpec(name="tts", make=rooms.tts, address=own.tts, restart=PERMANENT),
        ChildSpec(name="floor", make=rooms.floor, address=own.floor, restart=PERMANENT),
    )
    return Supervisor(
        life, children=children, strategy=Strategy.ONE_FOR_ALL, intensity=3, period=60.0, mended=mended
    )


def ears(life: Life, rooms: FamilyRooms) -> DynamicSupervisor[OpenEar]:
    """Return the listeners, one for each person who consented; nobody reopens one by reflex."""

    def listen(wanted: OpenEar) -> ChildSpec:
        return ChildSpec(
            name=wanted.person.id, make=lambda life: rooms.capture(life, wanted), restart=TEMPORARY
        )

    return DynamicSupervisor(
        life,
        make_child=listen,
        max_children=rooms.kit.settings.stay.most_heard,
        refused=rooms.own.stay,
        ready=lambda: rooms.own.stay.tell(EarsOpened()),
    )


def of_house(record: Mailbox[EvidenceMessage]) -> Mended:
    """Put on record which part of the house failed and began anew."""

    def mended(path: str, ending: Ending) -> None:
        record.tell(BridgeDegraded(part=path.partition("/")[2], reason=ending.value))

    return mended


def of_stay(record: Mailbox[EvidenceMessage], stay: StayId, family: str) -> Mended:
    """Put on record which part of this stay, whose `family` has this path, failed and began anew."""

    def mended(path: str, ending: Ending) -> None:
        part = path.removeprefix(f"{family}/")
        record.tell(Degraded(stay_id=stay, phase="restarted", reason=ending.value, part=part))

    return mended


def written_instead(captain: Mailbox[CaptainMessage], asked: BeginStay) -> Callable[[RealtimeMessage], None]:
    """A result that finds nobody there any more goes back to the captain, who writes it into the chat."""

    def unsaid(message: RealtimeMessage) -> None:
        if isinstance(message, HandoffReturned):
            captain.tell(
                ResultUnsaid(
                    handoff=message.handoff,
                    stay=asked.stay,
                    room=asked.room,
                    request=message.request,
                    text=message.text,
                )
            )

    return unsaid


def warm() -> None:
    """Import the rooms of a stay, so that whoever calls him first need not wait for it."""
    importlib.import_module("supervisors.family")
