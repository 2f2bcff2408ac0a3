"""The room of the console, with probes for neighbours and a window of the test's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from loguru import logger

from actors.base import Life
from actors.console.settings import ConsoleSettings
from actors.console.wire import parse
from messages import console as ask
from messages import evidence as say
from messages.captain import AskAsOperator, TakeBack
from messages.ids import HandoffId, RoomId, StayId
from messages.lifecycle import DescribeTree, Ending
from tests.actors.console.fake import FakeServer, a_house
from tests.actors.console.neighbours import Neighbours
from tests.clock import ManualClock
from tests.probe import Probe

HOME = RoomId("local")


class Room:
    """A console on one thread."""

    def __init__(self) -> None:
        near = Neighbours()
        self.house, self.evidence, self.captain = near.house, near.evidence, near.captain
        self.gateway, self.way_out = near.gateway, near.way_out
        self.server, self.clock = FakeServer(), ManualClock()
        self.actor = near.console(
            Life.alone(),
            clock=self.clock,
            port=self.server,
            settings=ConsoleSettings(ask_seconds=30.0),
            home=HOME,
            words=True,
        )
        self.actor.opened()

    def hears(self, handoff: HandoffId, request: str = "come here") -> list[str]:
        """An operator asks; returns the lines that he is told."""
        lines = list[str]()
        self.actor.on_receive(ask.OperatorAsked(handoff=handoff, request=request, news=lines.append))
        return lines


@pytest.fixture
def logged() -> Iterator[list[str]]:
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(str(line)), format="{level} {message}")
    yield lines
    logger.remove(sink)


def test_it_watches_the_record_without_the_words_and_opens_the_window() -> None:
    room = Room()
    assert room.evidence.received() == [say.Watch(watcher=room.actor.here, may_see_words=False)]
    assert room.server.told is not None


def test_a_question_looks_around_and_is_answered_in_json() -> None:
    room, answers = Room(), list[str]()
    room.actor.on_receive(ask.StatusAsked(answer=answers.append))
    assert room.house.received() == [DescribeTree(reply_to=room.actor.here)]
    assert room.clock.next_due() == 1.0
    assert len(room.evidence.received()) == 1
    volition = say.Volition(stay_id=StayId("s"), outcome="taken")
    room.actor.on_receive(say.Recorded(receipt=volition, at=1.0, json_line="{}"))
    room.actor.on_receive(a_house(lost=2))
    [body] = answers
    report = parse(body.encode())
    assert report is not None
    assert (report.tree, report.evidence_lost) == (a_house(lost=2), 2)
    assert [reason.text for reason in report.reasons] == ["speaking unasked was taken"]


def test_a_record_that_begins_anew_is_watched_again() -> None:
    room, record = Room(), Probe[say.Watch]()
    room.evidence.clear()
    room.actor.on_receive(say.EvidenceOpened(record=record))
    assert room.evidence.received() == [say.Watch(watcher=room.actor.here, may_see_words=False)]


def test_where_it_listens_is_logged_and_shown(logged: list[str]) -> None:
    room = Room()
    room.actor.on_receive(ask.ServerReady(port=4330))
    assert room.actor.describe() == {"server": "port 4330", "orders": 0, "no_orders": "", "viewers": 0}
    room.actor.on_receive(ask.ServerReady(port=4330, trouble="no disk; mend it"))
    assert room.actor.describe()["no_orders"] == "no disk; mend it"
    room.actor.on_receive(ask.ServerFailed(reason="EADDRINUSE", remedy="stop it"))
    assert logged == [
        "INFO the console listens on port 4330\n",
        "INFO the console listens on port 4330\n",
        "WARNING nobody can watch or give orders at the console: no disk; mend it\n",
        "WARNING the console cannot listen (EADDRINUSE) and tries on: stop it\n",
    ]


def test_closing_closes_the_window() -> None:
    room = Room()
    room.actor.closed(Ending.SHUTDOWN)
    assert room.server.closed


A, B = HandoffId("a"), HandoffId("b")


def test_an_order_goes_to_the_captain_and_its_news_to_whoever_gave_it() -> None:
    room = Room()
    lines, others = room.hears(A), room.hears(B, "go")
    assert room.captain.received() == [
        AskAsOperator(handoff=A, request="come here", reply_to=room.actor.here),
        AskAsOperator(handoff=B, request="go", reply_to=room.actor.here),
    ]
    assert room.actor.describe()["orders"] == 2
    room.actor.on_receive(ask.OperatorTold(handoff=A, tool="voice_join", outcome="joined"))
    room.actor.on_receive(ask.OperatorAnswered(handoff=A, text="I am \ud83d here", files=("a.png",)))
    room.actor.on_receive(ask.OperatorAnswered(handoff=A, text="once too often"))
    assert lines == [
        '{"tool":"voice_join","outcome":"joined"}',
        '{"answer":"I am ? here","failed":"","files":["a.png"]}',
    ]
    assert others == []


def test_whoever_hangs_up_has_it_taken_back_once() -> None:
    room = Room()
    lines = room.hears(A)
    room.captain.clear()
    for _ in range(2):
        room.actor.on_receive(ask.OperatorHungUp(handoff=A))
    assert room.captain.received() == [TakeBack(handoff=A)]
    room.actor.on_receive(ask.OperatorAnswered(handoff=A, text="too late"))
    assert lines == []


def test_a_captain_who_does_not_answer_is_waited_for_only_so_long() -> None:
    room = Room()
    lines = room.hears(A)
    room.captain.clear()
    assert room.clock.next_due() == 30.0
    room.actor.on_receive(ask.AnswerDue(handoff=A))
    assert lines == ['{"answer":"","failed":"timeout","files":[]}']
    assert room.captain.received() == [TakeBack(handoff=A)]
    room.actor.on_receive(ask.AnswerDue(handoff=A))
    assert len(lines) == 1


def test_who_still_waits_when_it_closes_is_told_so_and_the_captain_too() -> None:
    room = Room()
    lines = room.hears(A)
    room.captain.clear()
    room.actor.closed(Ending.SHUTDOWN)
    assert lines == ['{"answer":"","failed":"console_closed","files":[]}']
    assert room.captain.received() == [TakeBack(handoff=A)]


def test_nothing_that_was_asked_or_answered_is_in_the_log_or_the_status(logged: list[str]) -> None:
    room = Room()
    room.hears(A, "my secret")
    room.actor.on_receive(ask.OperatorTold(handoff=A, tool="music__play", outcome="done"))
    shown = str(room.actor.describe())
    room.actor.on_receive(ask.OperatorAnswered(handoff=A, text="your secret"))
    assert "secret" not in "".join(logged) + shown


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(ValueError, match=f"port must be between 0 and 65535, got {port}"):
        ConsoleSettings(port=port)


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(ValueError, match="directory must not be empty"):
        ConsoleSettings(directory=Path())
    for seconds in (0.0, 86_401.0):
        with pytest.raises(ValueError, match="ask_seconds must be above 0"):
            ConsoleSettings(ask_seconds=seconds)
