"""The room of the console, with probes for neighbours and a window of the test's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loguru import logger

from actors.base import Life
from actors.console.actor import Console
from actors.console.settings import ConsoleSettings
from actors.console.wire import parse
from messages import console as ask
from messages import evidence as say
from messages.ids import StayId
from messages.lifecycle import DescribeTree, Ending
from tests.actors.console.fake import FakeServer, a_house
from tests.clock import ManualClock
from tests.probe import Probe


class Room:
    """A console on one thread."""

    def __init__(self) -> None:
        self.house, self.evidence = Probe[DescribeTree](), Probe[say.Watch]()
        self.server, self.clock = FakeServer(), ManualClock()
        self.actor = Console(
            Life.alone(),
            house=self.house,
            evidence=self.evidence,
            clock=self.clock,
            port=self.server,
            settings=ConsoleSettings(),
        )
        self.actor.opened()


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
    assert room.actor.describe() == {"server": "port 4330"}
    room.actor.on_receive(ask.ServerFailed(reason="EADDRINUSE", remedy="stop it"))
    assert logged == [
        "INFO the console listens on port 4330\n",
        "WARNING the console cannot listen (EADDRINUSE): stop it\n",
    ]


def test_closing_closes_the_window() -> None:
    room = Room()
    room.actor.closed(Ending.SHUTDOWN)
    assert room.server.closed


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(ValueError, match=f"port must be between 0 and 65535, got {port}"):
        ConsoleSettings(port=port)
