"""A program in rehearsal may refuse, fall silent or die: it is said in words, and nothing stays behind."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from actors.evidence.wire import to_line
from messages.captain import AskAsOperator
from messages.console import OperatorAnswered, OperatorNews, OperatorTold
from messages.evidence import (
    BridgeReady,
    Consent,
    Handoff,
    HeardWords,
    PrivateWords,
    Receipt,
    Recorded,
    SpokenWords,
    Watch,
)
from messages.gateway import (
    AskedBy,
    JoinAnswer,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    PostText,
    RefusedJoin,
)
from messages.ids import HandoffId, PersonId, RoomId, StayId
from messages.lifecycle import LifeState, TreeNode
from supervisors.rehearsal import remote, wire
from supervisors.rehearsal.aliases import Aliases
from supervisors.rehearsal.remote import RemoteHouse
from supervisors.rehearsal.scenario import BadScenario
from tests.clock import ManualClock
from tests.probe import Probe

DEADLINE = 30.0
OPENED = wire.line(wire.Opened()).decode().strip()
PROLOGUE = """
import socket, sys, threading
line = socket.socket(fileno=int(sys.argv[-1]))
orders = line.makefile("rb")
script = orders.readline()
print("loading", flush=True)
def say(text):
    line.sendall(text.encode() + b"\\n")
"""
OPENS = f"{PROLOGUE}\nsay({OPENED!r})\n"
NAMES = {"1001": "ada", "1002": "bob"}


def program(text: str, log: Path, names: Mapping[str, str] = NAMES) -> RemoteHouse:
    return RemoteHouse((sys.executable, "-c", text), os.environ, (), names, log / "log")


def is_gone(process: int) -> bool:
    return not Path(f"/proc/{process}").exists()


def test_one_that_ends_before_it_is_open_is_told_with_its_last_line(tmp_path: Path) -> None:
    house = program(f"{PROLOGUE}\nprint('no token')", tmp_path)
    with pytest.raises(BadScenario, match=r"did not open: no token \(all of it: .*log\)"), house:
        pass
    assert is_gone(house.process)


def test_one_that_does_not_open_in_time_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "OPEN_SECONDS", 0.05)
    house = program(f"{PROLOGUE}\norders.readline(), orders.readline()", tmp_path)
    with pytest.raises(BadScenario, match="the program did not open"), house:
        pass
    assert is_gone(house.process)


def test_who_interrupts_while_it_opens_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(RemoteHouse, "_answer", interrupted)
    house = program(f"{PROLOGUE}\nwhile True: threading.Event().wait()", tmp_path)
    with pytest.raises(KeyboardInterrupt), house:
        pass
    assert is_gone(house.process)


def test_one_that_does_not_close_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "CLOSE_SECONDS", 0.2)
    child = "import threading; threading.Event().wait()"
    stubborn = f"""{PROLOGUE}
import subprocess, threading
child = subprocess.Popen([sys.executable, "-c", {child!r}])
print(child.pid, flush=True)
say({OPENED!r})
threading.Event().wait()
"""
    with program(stubborn, tmp_path) as house:
        child_id = int((tmp_path / "log").read_text().split()[-1])
        alive = os.pidfd_open(child_id)
    assert is_gone(house.process)
    try:
        assert select.select([alive], [], [], DEADLINE)[0] == [alive]
    finally:
        os.close(alive)


def test_one_that_dies_in_mid_play_says_so_and_answers_nothing_at_once(tmp_path: Path) -> None:
    with program(f"{OPENS}\norders.readline(); print('a bug'); sys.exit(70)", tmp_path) as house:
        assert house.trouble() == ""
        with pytest.raises(BadScenario, match="no longer answers: a bug"):
            house.tree()
        assert house.trouble().startswith("the program ended in mid-play: a bug (all of it: ")
        with pytest.raises(BadScenario, match="no longer answers"):
            house.crash("tts")


def test_one_that_does_not_answer_in_time_is_no_crash_that_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with program(f"{OPENS}\nwhile orders.readline(): pass", tmp_path) as house:
        monkeypatch.setattr(remote, "ANSWER_SECONDS", 0.05)
        with pytest.raises(BadScenario, match="no longer answers"):
            house.crash("tts")


def test_a_line_that_is_none_of_ours_is_the_end_of_it(tmp_path: Path) -> None:
    with program(f"{OPENS}\norders.readline(); say('nonsense')\norders.readline()", tmp_path) as house:
        with pytest.raises(BadScenario, match="no longer answers"):
            house.tree()
        assert house.trouble() != ""


def test_its_news_are_told_about_the_scenarios_people(tmp_path: Path) -> None:
    receipt = Consent(stay_id=StayId("1001"), person_id=PersonId("1001"), phase="granted")
    news = (
        wire.Receipted(at=1.0, line=_line(receipt)),
        wire.Receipted(at=2.0, line="{}"),
        wire.Heard(stay_id="s", person_id="1002", label="Bob", text="hello", typed=True),
        wire.Came(room="77", stay="s"),
    )
    said = "\n".join(f"say({_said(one)})" for one in news)
    watcher, asker = Probe[Recorded | PrivateWords](), Probe[JoinAnswer]()
    with program(f"{OPENS}\norders.readline()\n{said}\norders.readline()", tmp_path) as house:
        house.evidence.tell(Watch(watcher=watcher, may_see_words=True))
        house.gateway.tell(JoinVoice(room=RoomId("77"), asked_by=AskedBy.OPERATOR, reply_to=asker))
        assert asker.expect(Joined, timeout=DEADLINE).room == "77"
        recorded = watcher.expect(Recorded, timeout=DEADLINE)
        assert watcher.expect(HeardWords, timeout=DEADLINE).person_id == "bob"
    assert recorded.receipt == Consent(stay_id=StayId("1001"), person_id=PersonId("ada"), phase="granted")
    assert '"personId":"ada"' in recorded.json_line
    assert '"stayId":"1001"' in recorded.json_line


def test_orders_reach_it_and_its_answers_come_back(tmp_path: Path) -> None:
    ear = TreeNode(
        path="ears/1001", kind="Capture", state=LifeState.OPEN, restarts=0, mailbox_depth=0, facts={}
    )
    answers = (
        wire.Seen(tree=ear),
        wire.Crashed(problem="there are: stay, floor"),
        wire.Crashed(),
        wire.Came(refused="allowlist"),
    )
    said = "\n".join(f"print(orders.readline()); say({_said(one)})" for one in answers)
    spoke = wire.Spoke(stay_id="s", utterance_id="u", text="hello", whole=True)
    last = f"orders.readline(); say({_said(spoke)}); orders.readline()"
    watcher, asker = Probe[Recorded | PrivateWords](), Probe[JoinAnswer | LeaveAnswered]()
    with program(f"{OPENS}\n{said}\n{last}", tmp_path) as house:
        house.evidence.tell(Watch(watcher=watcher, may_see_words=True))
        assert house.tree().path == "ears/ada"
        with pytest.raises(LookupError, match="there are: stay, floor"):
            house.crash("nobody")
        house.crash("ears/ada")
        house.gateway.tell(JoinVoice(room=RoomId("77"), asked_by=AskedBy.OPERATOR, reply_to=asker))
        assert asker.expect(JoinRefused, timeout=DEADLINE).reason is RefusedJoin.ALLOWLIST
        house.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=asker))
        assert watcher.expect(SpokenWords, timeout=DEADLINE).text == "hello"
    assert "ears/1001" in (tmp_path / "log").read_text()


def test_an_operator_asks_over_the_socket_and_only_he_is_answered(tmp_path: Path) -> None:
    news = (
        wire.Told(handoff="other", tool="recall", outcome="notes"),
        wire.Told(handoff="h", tool="voice_join", outcome="joined"),
        wire.Answered(handoff="h", text="", failed="timeout", files=("a.png",)),
    )
    said = "\n".join(f"say({_said(one)})" for one in news)
    operator = Probe[OperatorNews]()
    with program(f"{OPENS}\nprint(orders.readline())\n{said}\norders.readline()", tmp_path) as house:
        house.captain.tell(AskAsOperator(handoff=HandoffId("h"), request="come", reply_to=operator))
        told = operator.expect(OperatorTold, timeout=DEADLINE)
        answered = operator.expect(OperatorAnswered, timeout=DEADLINE)
    assert (told.handoff, told.tool, told.outcome) == ("h", "voice_join", "joined")
    assert (answered.failed, answered.files) == ("timeout", ("a.png",))
    assert '"request":"come"' in (tmp_path / "log").read_text()


def test_nothing_else_is_passed_on(tmp_path: Path) -> None:
    with (
        program(f"{OPENS}\norders.readline()", tmp_path) as house,
        pytest.raises(TypeError, match="PostText"),
    ):
        house.gateway.tell(PostText(room=RoomId("77"), text="hi"))


def test_only_fields_of_people_are_renamed() -> None:
    aliases = Aliases(NAMES)
    handoff = Handoff(
        stay_id=StayId("1001"), handoff_id=HandoffId("1002"), asker_id=PersonId("1002"), phase="began"
    )
    assert aliases.receipt(handoff) == Handoff(
        stay_id=StayId("1001"), handoff_id=HandoffId("1002"), asker_id=PersonId("bob"), phase="began"
    )
    assert aliases.receipt(BridgeReady(rooms=1001)) == BridgeReady(rooms=1001)
    assert aliases.person("9") == "9"


def test_an_ear_has_the_scenarios_name_and_is_crashed_by_it() -> None:
    aliases = Aliases(NAMES)
    ear = TreeNode(
        path="ears/1001", kind="Capture", state=LifeState.OPEN, restarts=0, mailbox_depth=0, facts={}
    )
    assert aliases.tree(ear).path == "ears/ada"
    assert aliases.theirs("ears/ada") == "ears/1001"
    assert aliases.theirs("tts") == "tts"


def _said(news: wire.FromHouse) -> str:
    return repr(wire.line(news).decode().strip())


def _line(receipt: Receipt) -> str:
    line = to_line(receipt, entry_id="e", occurred_at=ManualClock().wall(), origin="discord")
    assert isinstance(line, str)
    return line
