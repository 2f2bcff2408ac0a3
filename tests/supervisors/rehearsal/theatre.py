"""A theatre whose house is a few lines: it comes when asked, records what it is told to, and speaks tones."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from actors.audio.opus import OpusEncoder
from actors.local_room import LOBBY, LocalRoom, Posted
from messages import evidence as e
from messages.attachment import Attachment
from messages.captain import AskAsOperator
from messages.console import OperatorAnswered, OperatorTold
from messages.gateway import (
    ConsentAsked,
    GatewayMessage,
    GatewayPortEvent,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemberDeparted,
    MessageSeen,
    RefusedJoin,
)
from messages.ids import ConfirmationId, MessageId, PersonId, RoomId
from messages.lifecycle import LifeState, Scalar, TreeNode
from messages.mailbox import Mailbox
from messages.people import Person
from messages.tools import React
from supervisors.rehearsal.minds import Scripted
from supervisors.rehearsal.scenario import RoomEntry
from supervisors.rehearsal.stage import Annex, House, Overrides, Speech
from tests.supervisors.rehearsal.play import STAY, moment, playback
from tests.supervisors.rehearsal.test_sound import tone


@dataclass
class Voice:
    """Speaks tones, and reads back whatever it is told to."""

    reads: str = ""

    def speak(self, text: str, pitch: float) -> Iterator[bytes]:
        yield tone(0.02 * len(text.split()))

    def transcribe(self, pcm: bytes) -> str:
        assert pcm
        return self.reads


@dataclass
class Theatre:
    """Opens one fake house; it may be told to refuse to join."""

    reads: str = ""
    refuses: bool = False
    wrong_settings: str = ""
    trouble: str = ""
    servers_in_trouble: str = ""
    opened: tuple[Overrides, tuple[Scripted, ...]] | None = None
    crashed: list[str] = field(default_factory=list)
    news: list[GatewayPortEvent] = field(default_factory=list)
    """Everything that the account was told."""
    speech: Speech = field(init=False)

    def __post_init__(self) -> None:
        self.speech = Voice(self.reads)

    over_discord = False

    def room(self) -> LocalRoom:
        return LocalRoom(RoomId("rehearsal"))

    def annexes(self, room: LocalRoom, entries: tuple[RoomEntry, ...]) -> Mapping[str, Annex]:
        raise AssertionError(entries)

    def number(self, room: LocalRoom, person: Person) -> int:
        return int(person.id)

    def open(
        self, *, settings: Overrides, room: LocalRoom, replies: tuple[Scripted, ...], state: Path
    ) -> AbstractContextManager[House]:
        if self.wrong_settings:
            raise ValueError(self.wrong_settings)
        self.opened = (settings, replies)
        return self._house(room)

    @contextmanager
    def _house(self, room: LocalRoom) -> Generator[House]:
        house = FakeHouse(self, room)
        yield house
        house.close()


class Evidence:
    def __init__(self) -> None:
        self.watcher: Mailbox[e.Recorded | e.PrivateWords] | None = None
        self.now: Callable[[], float] = lambda: 0.0

    def tell(self, message: e.EvidenceMessage, /) -> None:
        match message:
            case e.Watch():
                self.watcher = message.watcher
            case (
                e.Flush()
                | e.SinkFailed()
                | e.SinkRestored()
                | e.SinkSynced()
                | e.EvidenceTick()
                | e.ReceiptsAsked()
                | e.PurgePerson()
                | e.SinkPurged()
            ):
                pass
            case e.HeardWords() | e.SpokenWords():
                self._show(message)
            case _:
                what = moment(0.0, message).what
                assert isinstance(what, e.Recorded)
                self._show(e.Recorded(receipt=message, at=self.now(), json_line=what.json_line))

    def _show(self, seen: e.Recorded | e.PrivateWords) -> None:
        if self.watcher:
            self.watcher.tell(seen)


class Gateway:
    def __init__(self, house: FakeHouse) -> None:
        self._house = house

    def tell(self, message: GatewayMessage, /) -> None:
        match message:
            case JoinVoice():
                self._house.come(message)
            case LeaveVoice():
                message.reply_to.tell(LeaveAnswered(room=None))
                self._house.leave("operator")
            case _:
                raise AssertionError(message)


class Captain:
    """Says back to the operator what he asks for, with a file."""

    def tell(self, message: AskAsOperator, /) -> None:
        told = OperatorTold(handoff=message.handoff, tool="recall", outcome="notes")
        message.reply_to.tell(told)
        text = f"You said: {message.request}"
        message.reply_to.tell(OperatorAnswered(handoff=message.handoff, text=text, files=("map.png",)))


class FakeHouse:
    """Greets with a second of sound; leaves when the last person has left or he is put out."""

    def __init__(self, theatre: Theatre, room: LocalRoom) -> None:
        self._theatre = theatre
        self._room = room
        self._left = False
        self.evidence = Evidence()
        self.gateway = Gateway(self)
        self.captain = Captain()
        room.attach_account(self.saw)

    def come(self, order: JoinVoice) -> None:
        self.evidence.now = time.time
        room = self._room.id
        assert order.room == room
        if self._theatre.refuses:
            order.reply_to.tell(JoinRefused(reason=RefusedJoin.FAILED, detail="no_link"))
            return
        humans = len(self._room.people)
        self.evidence.tell(e.Joined(stay_id=STAY, room_id=room, humans=humans, bots=0, encryption="none"))
        order.reply_to.tell(Joined(room=room, stay=STAY))
        self._room.enter()
        self.evidence.tell(playback("started", "u0"))
        encoder = OpusEncoder()
        for number in range(50):
            self._room.transmit(encoder.encode(tone(0.02)), time.monotonic() + 0.02 * number)
        encoder.close()
        self.evidence.tell(playback("drained", "u0"))
        self._room.post("hello in writing")

    def saw(self, event: GatewayPortEvent) -> None:
        self._theatre.news.append(event)
        if isinstance(event, MessageSeen) and event.room == LOBBY:
            self._answer(event.message)
        if isinstance(event, ConsentAsked):
            phase = "granted" if event.granted else "withdrawn"
            self.evidence.tell(e.Consent(stay_id=STAY, person_id=event.person, phase=phase))
        if isinstance(event, MemberDeparted) and not self._room.people:
            self.leave("self_decided")

    def _answer(self, message: MessageId) -> None:
        """Nod, send a picture to the lobby, and ask something in the room."""
        chat = self._room.chat
        chat.do(React(emoji="👍"), LOBBY, message)
        dot = Attachment(name="dot.png", kind="image/png", data=b"")
        chat.post(Posted(room=LOBBY, text="Here it is.", reply_to=message, attachments=(dot,)))
        chat.ask(ConfirmationId(message), self._room.id, "May I do this?")

    def tree(self) -> TreeNode:
        ill = self._theatre.servers_in_trouble
        captain = _node("root/captain", 0, {"servers_in_trouble": ill} if ill else {})
        return replace(_node("floor", len(self._theatre.crashed), {}), children=(captain,))

    def trouble(self) -> str:
        return self._theatre.trouble

    def crash(self, path_suffix: str) -> None:
        if path_suffix == "nobody":
            raise LookupError("there are: stay, floor")
        self._theatre.crashed.append(path_suffix)

    def close(self) -> None:
        self._room.detach_account()
        self.leave("shutdown")

    def leave(self, reason: str) -> None:
        if not self._left:
            self._left = True
            count = e.Consent(stay_id=STAY, person_id=PersonId("bob"), phase="counted", decoded=0, unread=3)
            self.evidence.tell(count)
            self.evidence.tell(e.Left(stay_id=STAY, reason=reason, duration_ms=10))


def _node(path: str, restarts: int, facts: dict[str, Scalar]) -> TreeNode:
    kind = path.rpartition("/")[2].title()
    return TreeNode(
        path=path, kind=kind, state=LifeState.OPEN, restarts=restarts, mailbox_depth=0, facts=facts
    )
