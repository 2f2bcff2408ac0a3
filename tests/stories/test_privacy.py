"""What was said, and by whom, is the room's business: not a word of it is ever written down."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from loguru import logger

from actors.realtime.script import ScriptedReply
from messages.console import StatusAsked
from messages.ids import PersonId
from messages.people import Person
from tests.stories.telling import tell
from tests.stories.world import World

LABELS = ("Zebulon", "Wilhelmina")
SAID, TYPED, ANSWERED, ASKED, RETURNED = "periwinkle", "gooseberry", "rhubarb", "kumquat", "tamarind"
PRIVATE = [word.lower() for word in (*LABELS, SAID, TYPED, ANSWERED, ASKED, RETURNED)]
REPLIES = (
    ScriptedReply(
        heard=SAID, text=f"A {ANSWERED} I believe.", tool="ask_clankie", request=f"What is a {ASKED}?"
    ),
    ScriptedReply(heard=TYPED, text=f"No {ANSWERED} today."),
    ScriptedReply(when="handoff_result", text=f"The {RETURNED}: {{result}}"),
)
ACTORS = (
    "evidence",
    "captain",
    "gateway",
    "console",
    "stay",
    "voice",
    "mouth/playback",
    "mouth/tts",
    "mouth/floor",
    "realtime",
    "ears/p1",
)


class _Kept(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(level=logging.DEBUG)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Every line that anybody logs at any level, with what it is bound to and with its exception."""
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, format="{message} {extra} {exception}", diagnose=True)
    root, kept = logging.getLogger(), _Kept(lines)
    before = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    yield lines
    root.setLevel(before)
    root.removeHandler(kept)
    logger.remove(sink)


@pytest.mark.parametrize("crashing", [None, *ACTORS])
def test_no_word_and_no_name_is_in_a_receipt_a_log_line_or_the_status(
    logged: list[str], crashing: str | None
) -> None:
    shown: list[str] = []

    def story(seed: int) -> World:
        with World(seed, people=(), replies=REPLIES) as world:
            for number, label in enumerate(LABELS, 1):
                world.room.arrive(Person(id=PersonId(f"p{number}"), label=label))
            world.join()
            world.room.consent(PersonId("p1"), True)
            world.run(0.5)
            world.say("p1", f"Clankie what about the {SAID}")
            world.run(3.0 + seed % 10 / 5)
            assert any(SAID in line for line in world.heard)
            if crashing is not None:
                world.crash(crashing)
            world.run(1.0)
            world.room.type(PersonId("p2"), f"Clankie no {TYPED} please")
            world.run(12.0)
            if crashing not in {"stay", "gateway"}:
                assert any(ANSWERED in line.lower() for line in world.spoken)
            world.depart("p2")
            world.doors.console.tell(StatusAsked(answer=shown.append))
            world.run(2.0)
        for written in (world.paper, logged, shown):
            assert written
            everything = "\n".join(written).lower()
            assert [word for word in PRIVATE if word in everything] == []
        return world

    tell(story, 40)
