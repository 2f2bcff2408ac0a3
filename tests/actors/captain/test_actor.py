"""The captain as an actor, with the local mind that knows a clock and a page of notes."""

from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, cast

import pytest

from actors.base import Life
from actors.captain.actor import Captain
from actors.captain.local import LocalCaptain
from actors.captain.notes import look_up
from actors.captain.settings import CaptainSettings
from messages.captain import CaptainMessage, CaptainPortEvent, StayIsOver
from messages.evidence import EvidenceMessage, Handoff
from messages.gateway import GatewayMessage, PostText
from messages.ids import HandoffId
from messages.lifecycle import Ending
from messages.realtime import HandoffFailed, HandoffReturned, RealtimeMessage
from tests.actors.captain.test_core import question
from tests.clock import ManualClock
from tests.probe import Probe

NOTES = """# Kitchen
- Lunch is at *one* o'clock.
- The spare key hangs behind the door.

# Garage
The ladder belongs to Ben.
"""


class Room:
    """An unstarted Captain with its local mind."""

    def __init__(self, notes_file: Path | None = None, stall_seconds: float = 300.0) -> None:
        self.gateway, self.evidence = Probe[GatewayMessage](), Probe[EvidenceMessage]()
        self.conversation, self.clock = Probe[RealtimeMessage](), ManualClock()
        self.actor = Captain(
            Life.alone(),
            gateway=self.gateway,
            evidence=self.evidence,
            clock=self.clock,
            port=LocalCaptain(self.clock, delay_seconds=2.0, notes_file=notes_file),
            settings=CaptainSettings(stall_seconds=stall_seconds),
        )
        self.actor.opened()

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)
        letters = cast("SimpleQueue[Any]", self.actor.actor_inbox)
        while not letters.empty():
            self.actor.receive(letters.get().message)

    def ask(self, request: str, name: str = "a") -> None:
        asked = replace(question(name), request=request, reply_to=self.conversation)
        self.actor.receive(cast(CaptainMessage, asked))

    def answer(self, request: str) -> str:
        self.ask(request)
        self.wait(2.1)
        return self.conversation.expect(HandoffReturned).text


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text(NOTES, encoding="utf-8")
    return path


def test_an_answer_takes_its_time() -> None:
    room = Room()
    room.ask("what time is it")
    room.wait(1.9)
    assert room.conversation.received() == []
    assert room.actor.describe()["at_work"] == 1
    room.wait(0.2)
    local = room.clock.wall().astimezone()
    assert room.conversation.expect(HandoffReturned).text == f"It is {local:%H:%M}."
    assert [receipt.phase for receipt in room.evidence.received() if isinstance(receipt, Handoff)] == [
        "began",
        "returned",
    ]
    assert room.actor.describe() == {
        "mind": "the time, the date and a page of notes, no language model",
        "at_work": 0,
        "waiting": 0,
        "done": 1,
        "failed": 0,
    }


def test_the_date_is_known() -> None:
    assert "January" in Room().answer("What day is it?")


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ("when is lunch", "Lunch is at *one* o'clock."),
        ("where is the spare key?", "The spare key hangs behind the door."),
        ("who owns the ladders", "The ladder belongs to Ben."),
    ],
)
def test_notes_are_looked_up_by_their_words(notes: Path, request_: str, found: str) -> None:
    assert Room(notes).answer(request_) == f"The notes say: {found}"


def test_a_heading_lends_its_words_to_what_is_below_it() -> None:
    assert look_up(NOTES, "what is in the garage") == "The ladder belongs to Ben."


def test_what_is_not_in_the_notes_is_not_made_up(notes: Path) -> None:
    assert Room(notes).answer("who won the match") == "I found nothing about that in the notes."


@pytest.mark.parametrize("path", [None, Path("there is no such file")])
def test_without_notes_he_says_so(path: Path | None) -> None:
    assert Room(path).answer("where is the key").startswith("I have no notes to look in.")


def test_a_result_after_the_stay_is_posted() -> None:
    room = Room()
    room.ask("what time is it")
    room.actor.receive(StayIsOver(stay=question("a").stay))
    room.wait(2.1)
    assert "It is" in room.gateway.expect(PostText).text


def test_an_answer_to_what_has_stalled_is_not_given() -> None:
    room = Room(stall_seconds=2.0 - 0.5)
    room.ask("what time is it")
    room.wait(3)
    assert [type(message) for message in room.conversation.received()] == [HandoffFailed]


def test_a_captain_that_closes_fails_what_is_open_and_says_nothing_later() -> None:
    room = Room()
    room.ask("what time is it")
    room.actor.closed(Ending.SHUTDOWN)
    assert room.conversation.expect(HandoffFailed).reason == "captain_closed"
    room.wait(3)
    assert len(room.conversation.received()) == 1


def test_a_cancelled_question_is_not_answered() -> None:
    clock, events = ManualClock(), Probe[CaptainPortEvent]()
    mind = LocalCaptain(clock)
    mind.open(events.tell)
    mind.ask(question("a"))
    mind.cancel(HandoffId("a"))
    clock.advance(5)
    assert events.received() == []
