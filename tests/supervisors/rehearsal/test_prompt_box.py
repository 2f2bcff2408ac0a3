"""A house in another process is rehearsed as one in this process is: the same orders, the same news."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from messages.captain import AskAsOperator
from messages.console import OperatorAnswered, OperatorTold
from messages.evidence import BridgeReady, HeardWords, PrivateWords, Recorded, SpokenWords, Watch
from messages.gateway import GatewayMessage, Joined, JoinRefused, JoinVoice, LeaveAnswered, RefusedJoin
from messages.ids import PersonId, RoomId, StayId, UtteranceId
from messages.lifecycle import LifeState, TreeNode
from messages.mailbox import Mailbox
from supervisors.rehearsal import prompt_box, wire
from supervisors.rehearsal.minds import CaptainReplyEntry, ReplyEntry
from supervisors.rehearsal.prompt_box import PromptBox
from tests.probe import Probe

TREE = TreeNode(
    path="root", kind="Supervisor", state=LifeState.OPEN, restarts=0, mailbox_depth=2, facts={"up": True}
)
DEADLINE = 20.0


@dataclass
class House:
    """Takes orders; its record can be watched."""

    evidence: Mailbox[Watch] = field(default_factory=Probe[Watch])
    gateway: Mailbox[GatewayMessage] = field(default_factory=Probe[GatewayMessage])
    captain: Mailbox[AskAsOperator] = field(default_factory=Probe[AskAsOperator])
    interrupted: Probe[str] = field(default_factory=Probe[str])

    def tree(self) -> TreeNode:
        return TREE

    def crash(self, name: str, /) -> None:
        if name != "tts":
            raise LookupError(f"{name} is nobody")

    def interrupt(self) -> None:
        self.interrupted.tell("interrupted")


class Theatre:
    """The other end of the socket."""

    def __init__(self, end: socket.socket) -> None:
        end.settimeout(DEADLINE)
        self.end, self.lines = end, end.makefile("rb")

    def say(self, said: wire.ToHouse) -> None:
        self.end.sendall(wire.line(said))

    def hears(self) -> wire.FromHouse:
        return wire.from_house(self.lines.readline())

    def close(self) -> None:
        self.lines.close()
        self.end.close()


@pytest.fixture
def play() -> Iterator[tuple[Theatre, PromptBox, House]]:
    ours, theirs = socket.socketpair()
    theatre, box, house = Theatre(ours), PromptBox(theirs), House()
    box.watch(house)
    box.serve(house)
    yield theatre, box, house
    theatre.close()
    box.close()


def test_the_script_comes_first() -> None:
    ours, theirs = socket.socketpair()
    box = PromptBox(theirs)
    reply = ReplyEntry(when="greeting", text="Hello.")
    doing = CaptainReplyEntry(heard="blue", tool="music__play", arguments={"n": 1, "loud": True}, delay=2.5)
    ours.sendall(wire.line(wire.script((doing, reply))))
    assert box.script() == (reply, doing)
    box.close()
    ours.close()


def test_anything_else_first_is_no_rehearsal() -> None:
    ours, theirs = socket.socketpair()
    box = PromptBox(theirs)
    ours.sendall(wire.line(wire.Leave()))
    with pytest.raises(wire.NotOurs):
        box.script()
    box.close()
    ours.close()


def test_an_account_that_is_ready_before_the_house_is_open_is_told_once_it_is() -> None:
    ours, theirs = socket.socketpair()
    theatre, box, house = Theatre(ours), PromptBox(theirs), House()
    box.watch(house)
    box.tell(Recorded(receipt=BridgeReady(rooms=1), at=1.0, json_line="{}"))
    box.serve(house)
    assert isinstance(theatre.hears(), wire.Opened)
    theatre.close()
    box.close()


def test_an_order_to_join_reaches_the_gateway_and_its_answer_the_theatre(
    play: tuple[Theatre, PromptBox, House],
) -> None:
    theatre, _, house = play
    theatre.say(wire.Join(room="77"))
    assert isinstance(house.gateway, Probe)
    order = house.gateway.expect(JoinVoice, timeout=DEADLINE)
    assert order.room == "77"
    order.reply_to.tell(Joined(room=RoomId("77"), stay=StayId("s")))
    assert theatre.hears() == wire.Came(room="77", stay="s")
    order.reply_to.tell(JoinRefused(reason=RefusedJoin.ALLOWLIST, detail="no"))
    assert theatre.hears() == wire.Came(refused="allowlist", detail="no")


def test_what_the_operator_wants_reaches_the_captain_and_its_answers_the_theatre(
    play: tuple[Theatre, PromptBox, House],
) -> None:
    theatre, _, house = play
    theatre.say(wire.Ask(handoff="h", request="come here"))
    assert isinstance(house.captain, Probe)
    asked = house.captain.expect(AskAsOperator, timeout=DEADLINE)
    assert (asked.handoff, asked.request) == ("h", "come here")
    asked.reply_to.tell(OperatorTold(handoff=asked.handoff, tool="voice_join", outcome="joined"))
    asked.reply_to.tell(OperatorAnswered(handoff=asked.handoff, text="Here.", files=("a.png",)))
    assert theatre.hears() == wire.Told(handoff="h", tool="voice_join", outcome="joined")
    assert theatre.hears() == wire.Answered(handoff="h", text="Here.", files=("a.png",))


def test_news_cross_with_their_words(play: tuple[Theatre, PromptBox, House]) -> None:
    theatre, box, house = play
    assert isinstance(house.evidence, Probe)
    watcher: Mailbox[Recorded | PrivateWords] = house.evidence.expect(Watch, timeout=DEADLINE).watcher
    watcher.tell(
        HeardWords(stay_id=StayId("s"), person_id=PersonId("7"), label="Ada", text="Hello.", typed=False)
    )
    watcher.tell(SpokenWords(stay_id=StayId("s"), utterance_id=UtteranceId("u"), text="Hi.", whole=True))
    box.tell(LeaveAnswered(room=None))
    box.say(wire.Opened())
    assert theatre.hears() == wire.Heard(stay_id="s", person_id="7", label="Ada", text="Hello.", typed=False)
    assert theatre.hears() == wire.Spoke(stay_id="s", utterance_id="u", text="Hi.", whole=True)
    assert theatre.hears() == wire.Opened()


def test_the_tree_and_a_crash_are_answered(play: tuple[Theatre, PromptBox, House]) -> None:
    theatre, _, _ = play
    theatre.say(wire.Look())
    assert theatre.hears() == wire.Seen(tree=TREE)
    theatre.say(wire.Crash(name="tts"))
    assert theatre.hears() == wire.Crashed()
    theatre.say(wire.Crash(name="nobody"))
    assert theatre.hears() == wire.Crashed(problem="nobody is nobody")


def test_a_theatre_that_hangs_up_closes_the_house(play: tuple[Theatre, PromptBox, House]) -> None:
    theatre, _, house = play
    theatre.close()
    assert house.interrupted.expect(str, timeout=DEADLINE) == "interrupted"


def test_an_account_that_is_ready_again_opens_the_house_no_second_time(
    play: tuple[Theatre, PromptBox, House],
) -> None:
    theatre, box, _ = play
    ready = Recorded(receipt=BridgeReady(rooms=1), at=1.0, json_line="{}")
    box.tell(ready)
    box.tell(ready)
    told = (theatre.hears(), theatre.hears(), theatre.hears())
    assert told == (wire.Opened(), wire.Receipted(at=1.0, line="{}"), wire.Receipted(at=1.0, line="{}"))


def test_a_theatre_that_reads_nothing_does_not_keep_the_house_from_closing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prompt_box, "MOST_WAITING", 1)
    monkeypatch.setattr(prompt_box, "CLOSE_SECONDS", 0.1)
    ours, theirs = socket.socketpair()
    box, full = PromptBox(theirs), wire.Receipted(at=1.0, line="x" * 1_000_000)
    box.serve(House())
    for _ in range(3):
        box.say(full)
    box.close()
    ours.close()


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"kind":"crash"}', b'{"kind":"dance"}', b"\xff\xfe"])
def test_a_line_that_nobody_would_write_is_refused_without_being_repeated(text: bytes) -> None:
    with pytest.raises(wire.NotOurs):
        wire.to_house(text)
    with pytest.raises(wire.NotOurs):
        wire.from_house(text)
