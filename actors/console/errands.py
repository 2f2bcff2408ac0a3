"""Each order as the letter that it becomes, and where the answer to it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, assert_never

from messages.console import (
    FlushEnded,
    FlushOrdered,
    HushOrdered,
    InterruptOrdered,
    JoinEnded,
    JoinOrdered,
    LeaveEnded,
    LeaveOrdered,
    OrderEnded,
    OrderGiven,
    PurgeEnded,
    PurgeOrdered,
    RestartEnded,
    RestartOrdered,
    SayOrdered,
    ShutdownOrdered,
    WithdrawOrdered,
)
from messages.evidence import Flush, Flushed, Purged, PurgePerson
from messages.gateway import AskedBy, JoinAnswer, JoinVoice, LeaveAnswered, LeaveVoice
from messages.ids import OrderId, RoomId
from messages.lifecycle import CloseHouse, RestartAnswered, RestartChild
from messages.mailbox import Mailbox
from messages.orders import Hush, Interrupt, SayAloud, StayOrder, StayOrdered, WithdrawConsent

A = TypeVar("A")
_BY = AskedBy.OPERATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[A]):
    """A mailbox for an answer that does not say to which order it is one."""

    here: Mailbox[OrderEnded]
    ended: Callable[[A], OrderEnded]

    def tell(self, answer: A, /) -> None:
        """Say it, and pass the answer on."""
        self.here.tell(self.ended(answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Errands:
    """Whom orders are for; `home` is the local room, where there is one."""

    here: Mailbox[OrderEnded]
    gateway: Mailbox[JoinVoice | LeaveVoice | StayOrdered]
    house: Mailbox[RestartChild]
    evidence: Mailbox[Flush | PurgePerson]
    way_out: Mailbox[CloseHouse]
    home: RoomId | None

    def run(self, given: OrderGiven) -> None:
        """Tell whom it is for."""
        match given.order:
            case JoinOrdered() | LeaveOrdered() as order:
                self._move(given.id, order)
            case SayOrdered() | HushOrdered() | InterruptOrdered() | WithdrawOrdered() as order:
                self.gateway.tell(StayOrdered(stay=order.stay, order=self._letter(given.id, order)))
            case RestartOrdered() | FlushOrdered() | PurgeOrdered() | ShutdownOrdered() as order:
                self._at_home(given.id, order)
            case _:
                assert_never(given.order)

    def _move(self, name: OrderId, order: JoinOrdered | LeaveOrdered) -> None:
        def came(told: JoinAnswer) -> OrderEnded:
            return JoinEnded(order=name, answer=told)

        def went(told: LeaveAnswered) -> OrderEnded:
            return LeaveEnded(order=name, answer=told)

        match order:
            case JoinOrdered(room=room):
                reply = Reply(here=self.here, ended=came)
                self.gateway.tell(JoinVoice(asked_by=_BY, reply_to=reply, room=room or self.home))
            case LeaveOrdered(stay=stay):
                left = Reply(here=self.here, ended=went)
                self.gateway.tell(LeaveVoice(asked_by=_BY, reply_to=left, stay=stay))
            case _:
                assert_never(order)

    def _letter(
        self, name: OrderId, order: SayOrdered | HushOrdered | InterruptOrdered | WithdrawOrdered
    ) -> StayOrder:
        match order:
            case SayOrdered(text=text):
                return SayAloud(order=name, text=text, reply_to=self.here)
            case HushOrdered(seconds=seconds):
                return Hush(order=name, seconds=seconds, reply_to=self.here)
            case InterruptOrdered():
                return Interrupt(order=name, reply_to=self.here)
            case WithdrawOrdered(person=person):
                return WithdrawConsent(order=name, person=person, reply_to=self.here)
            case _:
                assert_never(order)

    def _at_home(
        self, name: OrderId, order: RestartOrdered | FlushOrdered | PurgeOrdered | ShutdownOrdered
    ) -> None:
        def restarted(told: RestartAnswered) -> OrderEnded:
            return RestartEnded(order=name, answer=told)

        def flushed(told: Flushed) -> OrderEnded:
            return FlushEnded(order=name, answer=told)

        def purged(told: Purged) -> OrderEnded:
            return PurgeEnded(order=name, answer=told)

        match order:
            case RestartOrdered(path=path):
                self.house.tell(RestartChild(path=path, reply_to=Reply(here=self.here, ended=restarted)))
            case FlushOrdered():
                self.evidence.tell(Flush(done=Reply(here=self.here, ended=flushed)))
            case PurgeOrdered(person=person):
                done = Reply(here=self.here, ended=purged)
                self.evidence.tell(PurgePerson(person=person, receipts=True, done=done))
            case ShutdownOrdered():
                self.way_out.tell(CloseHouse())
            case _:
                assert_never(order)
