"""Neighbours of a console who do at once whatever it wants, and answer."""

from __future__ import annotations

from dataclasses import dataclass

from messages.captain import AskAsOperator, CaptainMessage
from messages.console import OperatorAnswered, OperatorTold
from messages.evidence import Flush, Flushed, Purged, PurgePerson, Watch
from messages.gateway import Joined, JoinVoice, LeaveAnswered, LeaveVoice
from messages.ids import RoomId, StayId
from messages.lifecycle import DescribeTree, RestartAnswered, RestartChild
from messages.orders import OrderCode, StayOrderAnswered, StayOrdered
from tests.actors.console.fake import a_house

ROOM, STAY = RoomId("r1"), StayId("s1")


class House:
    """It describes itself, and knows one actor by name."""

    def tell(self, wanted: DescribeTree | RestartChild, /) -> None:
        """Answer."""
        if isinstance(wanted, DescribeTree):
            wanted.reply_to.tell(a_house())
        elif wanted.reply_to is not None:
            known = wanted.path == "root/evidence"
            wanted.reply_to.tell(RestartAnswered(path=wanted.path, restarted=known))


@dataclass(frozen=True, slots=True)
class Account:
    """It is in one room, and joins and leaves whatever it is told to."""

    stay: StayId = STAY

    def tell(self, wanted: JoinVoice | LeaveVoice | StayOrdered, /) -> None:
        """Answer."""
        match wanted:
            case LeaveVoice():
                wanted.reply_to.tell(LeaveAnswered(room=ROOM, name="the room"))
            case StayOrdered(stay=stay, order=order):
                code = OrderCode.DONE if stay in {None, self.stay} else OrderCode.NO_STAY
                order.reply_to.tell(StayOrderAnswered(order=order.order, code=code, stay=self.stay))
            case JoinVoice():
                wanted.reply_to.tell(Joined(room=wanted.room or ROOM, stay=self.stay, name="the room"))


class Record:
    """It is always on disk, and never knows the person."""

    def tell(self, wanted: Watch | Flush | PurgePerson, /) -> None:
        """Answer."""
        match wanted:
            case Flush():
                wanted.done.tell(Flushed(lost=0))
            case PurgePerson() if wanted.done is not None:
                wanted.done.tell(Purged(person=wanted.person, lines=0, receipts=0))
            case _:
                pass


class Captain:
    """He uses one tool, and says what he was asked."""

    def tell(self, wanted: CaptainMessage, /) -> None:
        """Answer."""
        if isinstance(wanted, AskAsOperator):
            wanted.reply_to.tell(OperatorTold(handoff=wanted.handoff, tool="say", outcome="done"))
            wanted.reply_to.tell(OperatorAnswered(handoff=wanted.handoff, text=wanted.request))
