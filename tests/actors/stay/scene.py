"""A stay as far as a test needs it, and what it decides next."""

from __future__ import annotations

from collections.abc import Sequence

from actors.stay import core
from actors.stay.decisions import Decision, Record, TellGateway
from actors.stay.settings import StaySettings
from actors.stay.state import State
from messages.audio import Frame
from messages.gateway import StayChanged, StayFacts
from messages.ids import CaptureId, LineId, PersonId, RoomId, StayId
from messages.people import Person
from messages.stay import (
    ConsentGiven,
    ConversationOpened,
    EarOpened,
    EarsOpened,
    FloorOpened,
    LinkClosed,
    LinkReady,
    RosterKnown,
    StayMessage,
)

STAY, ROOM = StayId("s1"), RoomId("den")
ANNA = Person(id=PersonId("anna"), label="Anna")
BEN = Person(id=PersonId("ben"), label="Ben")
ROBOT = Person(id=PersonId("robot"), label="Robot", bot=True)
UP = LinkReady(encryption="local")
HOUSE = (FloorOpened(), ConversationOpened(), EarsOpened())
CAPTURE = CaptureId("s1-1")


class Sink:
    """A sink that nobody puts anything into."""

    def put(self, frame: Frame, /) -> None:
        raise AssertionError(frame)


SINK = Sink()
EAR = EarOpened(person=ANNA.id, capture=CAPTURE, sink=SINK)


def joining(policy: str = "explicit", **settings: bool) -> State:
    state = State(stay_id=STAY, room=ROOM, settings=StaySettings(consent_policy=policy, **settings))
    return core.begin(state)[0]


def after(state: State, *events: StayMessage, now: float = 10.0) -> State:
    for event in events:
        state, _ = core.step(state, event, now, LineId("l1"))
    return state


def everything_decided(state: State, event: StayMessage, now: float = 10.0) -> tuple[Decision, ...]:
    return core.step(state, event, now, LineId("l1"))[1]


def decided(state: State, event: StayMessage, now: float = 10.0) -> tuple[Decision, ...]:
    """What else is decided than to let the account know what has changed."""
    return tuple(one for one in everything_decided(state, event, now) if not _is_news(one))


def news(state: State, event: StayMessage) -> list[StayFacts]:
    """What the account is told that people may know."""
    told = [one.message for one in everything_decided(state, event) if isinstance(one, TellGateway)]
    return [one.facts for one in told if isinstance(one, StayChanged)]


def _is_news(decision: Decision) -> bool:
    return isinstance(decision, TellGateway) and isinstance(decision.message, StayChanged)


def active(*people: Person, policy: str = "explicit") -> State:
    return after(joining(policy), *HOUSE, RosterKnown(people=people or (ANNA,)), UP)


def listening() -> State:
    return after(active(), ConsentGiven(person=ANNA.id), EAR)


def receipts(decisions: Sequence[Decision]) -> list[object]:
    return [one.receipt for one in decisions if isinstance(one, Record)]


def ended(state: State, now: float = 12.0) -> list[object]:
    return receipts(decided(state, LinkClosed(counts=()), now))
