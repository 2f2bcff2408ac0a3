"""The captain as an actor: with ports that only listen, and with his own rules and his own ledger."""

from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, cast

from loguru import logger

from actors.base import Life
from actors.captain.actor import Captain
from actors.captain.brief import Brief, Item
from actors.captain.journal import Book, Entry, LaneId, Note, TurnOver
from actors.captain.local import LocalMind
from actors.captain.local_ledger import LocalLedger
from actors.captain.port import LedgerPort, MindPort
from actors.captain.settings import CaptainSettings
from messages.captain import AskersKnown, CaptainMessage, ForgetInMind, LossTold, MachineDone, ToolboxChanged
from messages.evidence import CaptainTool, EvidenceMessage
from messages.gateway import (
    Asker,
    ForgetAnswered,
    GatewayMessage,
    Joined,
    JoinVoice,
    TextAnswered,
    TurnLost,
    WhoAsks,
)
from messages.ids import CallId, HandoffId, PersonId, RoomId, StayId
from messages.lifecycle import Ending
from messages.realtime import HandoffFailed, HandoffReturned
from messages.tools import ComeToVoice, NoteAbout, Remember, UseMachine
from tests.actors.captain.scene import (
    ADA,
    CONVERSATION,
    DEN,
    LAW,
    LOOK,
    SERVERS,
    aloud,
    fails,
    says,
    wants,
    wrote,
)
from tests.clock import ManualClock
from tests.probe import Probe

JOINED = Joined(room=RoomId("den"), stay=StayId("stay"), name="Den")


class Mind:
    """Listens, and says what a test lets it say."""

    def __init__(self, heard: list[str]) -> None:
        self.heard = heard

    def open(self, events: object) -> None:
        self.heard.append("mind opens")

    def begin(self, brief: Brief) -> None:
        self.heard.append(f"begin {brief.turn}")

    def think(self, turn: HandoffId, step: int, items: tuple[Item, ...]) -> None:
        self.heard.append(f"think {turn} {step} {len(items)}")

    def over(self, turn: HandoffId) -> None:
        self.heard.append(f"over {turn}")

    def close(self) -> None:
        self.heard.append("mind closes")

    def describe(self) -> str:
        return "a listener"


class Toolbox:
    """The same for tools."""

    def __init__(self, heard: list[str]) -> None:
        self.heard = heard

    def open(self, events: object) -> None:
        self.heard.append("toolbox opens")

    def use(self, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        self.heard.append(f"use {turn} {call} {tool} {arguments}")

    def drop(self, turn: HandoffId) -> None:
        self.heard.append(f"drop {turn}")

    def close(self) -> None:
        self.heard.append("toolbox closes")


class Ledger:
    """The same for what is written down; while it is `full` nothing is."""

    def __init__(self, heard: list[str]) -> None:
        self.heard, self.full = heard, False

    def open(self) -> Book:
        return Book(unreadable=3)

    def append(self, lane: LaneId, entry: Entry) -> bool:
        self.heard.append(f"write {type(entry).__name__}")
        return not self.full

    def keep(self, notes: tuple[Note, ...]) -> bool:
        self.heard.append(f"keep {len(notes)}")
        return not self.full

    def forget(self, person: PersonId, texts: tuple[str, ...]) -> bool:
        self.heard.append(f"forget {person} {' '.join(texts)}".rstrip())
        return not self.full

    def close(self) -> None:
        self.heard.append("ledger closes")


class Room:
    """An unstarted captain among probes, by a manual clock."""

    def __init__(self, *, rules: bool = False, ledger: LedgerPort | None = None) -> None:
        self.gateway, self.evidence = Probe[GatewayMessage](), Probe[EvidenceMessage]()
        self.heard: list[str] = []
        self.clock, self.ledger = ManualClock(), Ledger(self.heard)
        mind: MindPort = LocalMind(self.clock) if rules else Mind(self.heard)
        self.actor = Captain(
            Life.alone(),
            gateway=self.gateway,
            evidence=self.evidence,
            clock=self.clock,
            mind=mind,
            toolbox=Toolbox(self.heard),
            ledger=ledger or self.ledger,
            settings=CaptainSettings(mcp=SERVERS),
            authority=LAW,
            persona="Be brief.",
            transcripts_kept=True,
        )
        CONVERSATION.clear()
        self.actor.opened()

    def tell(self, *messages: CaptainMessage) -> None:
        for message in messages:
            self.actor.receive(message)

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)
        letters = cast("SimpleQueue[Any]", self.actor.actor_inbox)
        while not letters.empty():
            self.actor.receive(letters.get().message)
            self.clock.advance(0)

    def identify(self, name: str) -> None:
        """Answer as the gateway does."""
        who = self.gateway.expect(WhoAsks)
        asker = Asker(person=ADA, guild=DEN)
        who.reply_to.tell(AskersKnown(handoff=HandoffId(name), askers=(asker,)))
        self.wait(0)


def opened(tmp_path: Path, clock: ManualClock) -> LocalLedger:
    return LocalLedger(tmp_path / "captain", keep_days=30, now=lambda: clock.wall().timestamp())


def test_decisions_reach_the_ports_in_their_order() -> None:
    room = Room()
    use = UseMachine(tool="music__list", arguments="{}")
    room.tell(ToolboxChanged(server="music", tools=(LOOK,)), wrote("a"), wants("a", use))
    room.tell(MachineDone(handoff=HandoffId("a"), call=CallId("c1"), text="nothing"), says("a", 2))
    assert room.heard == [
        "mind opens",
        "toolbox opens",
        "write HeardAsked",
        "begin a",
        "think a 1 0",
        "write ToolBegun",
        "use a c1 music__list {}",
        "write ToolEnded",
        "think a 2 1",
        "over a",
        "write SaidAnswer",
        "write TurnOver",
    ]
    assert room.gateway.expect(TextAnswered).text == "Done."
    assert room.evidence.expect(CaptainTool).outcome == "done"


def test_the_status_explains_a_silence() -> None:
    room = Room()
    room.ledger.full = True
    room.tell(aloud("a"), wrote("b"))
    assert room.actor.describe() == {
        "mind": "a listener",
        "ledger": "cannot be written",
        "lanes": 2,
        "at_work": 2,
        "waiting": 0,
        "done": 0,
        "failed": 0,
        "trouble": "",
        "notes": 0,
        "machine_tools": 0,
        "servers_in_trouble": "",
        "unreadable_lines": 3,
    }


def test_a_note_is_kept_before_the_mind_is_told_so() -> None:
    room = Room()
    room.tell(wrote("a"), wants("a", Remember(note="likes tea", about=NoteAbout.SPEAKER)))
    assert room.heard[-3:] == ["keep 1", "write ToolEnded", "think a 2 1"]
    assert room.evidence.expect(CaptainTool).outcome == "done"
    room.ledger.full = True
    room.tell(wrote("b", room="attic"), wants("b", Remember(note="x", about=NoteAbout.SPEAKER)))
    assert room.evidence.expect(CaptainTool).reason == "not_kept"


def test_whoever_is_forgotten_is_told_so_after_it_is_done() -> None:
    room, him = Room(), Probe[ForgetAnswered]()
    room.tell(ForgetInMind(person=ADA.id, was_heard=False, reply_to=him))
    assert room.heard[-2:] == ["keep 0", "forget ada"]
    assert him.expect(ForgetAnswered).notes == ()


def test_a_turn_that_fails_is_one_line_in_the_log() -> None:
    room, lines = Room(), list[str]()
    sink = logger.add(lines.append, format="{level}: {message}", level="INFO")
    room.tell(wrote("a"), fails("a", "max_output_tokens"), wrote("b"), says("b"))
    logger.remove(sink)
    assert lines == ["WARNING: the captain's turn a has failed: max_output_tokens\n"]


def test_a_captain_that_closes_lets_go_of_everything() -> None:
    room = Room()
    room.tell(aloud("a"))
    room.actor.closed(Ending.CRASHED)
    assert CONVERSATION.expect(HandoffFailed).reason == "captain_closed"
    assert room.heard[-3:] == ["mind closes", "toolbox closes", "ledger closes"]


def test_his_own_rules_come_to_whoever_asks_and_say_so() -> None:
    room = Room(rules=True)
    room.tell(replace(wrote("a"), request="come to voice"))
    room.wait(1)
    room.gateway.expect(JoinVoice).reply_to.tell(JOINED)
    room.wait(1)
    assert "Den" in room.gateway.expect(TextAnswered).text


def test_his_own_rules_answer_two_questions_in_one_answer() -> None:
    room = Room(rules=True)
    room.tell(replace(wrote("a"), request="what time is it"), replace(wrote("b"), request="what day is it"))
    room.wait(1)
    room.wait(1)
    answer = room.gateway.expect(TextAnswered)
    assert (answer.text.count("It is 1"), answer.text.count("January")) == (1, 1)
    assert answer.along == ("a",)


def test_a_next_life_tells_what_the_last_one_left_undone(tmp_path: Path) -> None:
    clock = ManualClock()
    first = Room(ledger=opened(tmp_path, clock))
    first.tell(wrote("a"))
    second = Room(ledger=opened(tmp_path, clock))
    assert second.gateway.expect(TurnLost).message == "a"
    second.tell(LossTold(handoff=wrote("a").handoff))
    third = Room(ledger=opened(tmp_path, clock))
    assert third.gateway.received() == []
    second.tell(wrote("b"), says("b"))
    _, entries = opened(tmp_path, clock).open().lanes[0]
    assert [one.how for one in entries if isinstance(one, TurnOver)] == ["interrupted", "answered"]


def test_an_answer_that_comes_back_by_the_mailbox_finds_its_call() -> None:
    room = Room()
    room.tell(aloud("a"))
    room.identify("a")
    room.tell(wants("a", ComeToVoice()))
    order = room.gateway.expect(JoinVoice)
    order.reply_to.tell(JOINED)
    room.wait(0)
    room.tell(says("a", 2, "I am here."))
    assert CONVERSATION.expect(HandoffReturned).text == "I am here."
