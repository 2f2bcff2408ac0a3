"""A listener's core with its own time, and what may be read off its decisions."""

from typing import cast

import pytest

from actors.capture.core import step
from actors.capture.decisions import AskWords, Decision, Record, TellFloor, Wake
from actors.capture.events import Event, WindowHeard
from actors.capture.phrase_book import phrase_book
from actors.capture.settings import CaptureSettings
from actors.capture.state import Ear, State
from messages.capture import CaptureTick, TranscriptReady
from messages.floor import WordsHeard
from messages.ids import CaptureId, Connection, PersonId, SegmentId, StayId, Token
from messages.people import Person

ANNA = Person(id=PersonId("anna"), label="Anna")
FIRST, SECOND = SegmentId("ear.1"), SegmentId("ear.2")
ONE = Connection(1)
WINDOW = 0.032


def about(seconds: float) -> float:
    return cast(float, pytest.approx(seconds))


class Listener:
    """A core with its own time: windows follow each other, and timers fire in between."""

    def __init__(self, settings: CaptureSettings | None = None) -> None:
        ear = Ear(
            stay=StayId("stay"),
            person=ANNA,
            capture=CaptureId("ear"),
            settings=settings or CaptureSettings(),
            book=phrase_book(),
        )
        self.state = State(ear=ear)
        self.now = 100.0
        self.wake: tuple[float, Token] | None = None

    def hear(self, *probabilities: float, windows: int = 1) -> list[Decision]:
        done: list[Decision] = []
        for probability in probabilities * windows:
            done += self.wait(WINDOW)
            done += self.do(WindowHeard(probability=probability, at=self.now))
        return done

    def do(self, event: Event) -> list[Decision]:
        self.state, decisions = step(self.state, event, self.now)
        for decision in decisions:
            if isinstance(decision, Wake):
                self.wake = (self.now + decision.seconds, decision.message.token)
        return [decision for decision in decisions if not isinstance(decision, Wake)]

    def wait(self, seconds: float) -> list[Decision]:
        end, done = self.now + seconds, list[Decision]()
        while self.wake is not None and self.wake[0] <= end:
            self.now, token = self.wake
            self.wake = None
            done += self.do(CaptureTick(token=token))
        self.now = end
        return done

    def ready(self, text: str, *, final: bool = True, segment: SegmentId = FIRST) -> list[Decision]:
        return self.do(
            TranscriptReady(connection=ONE, segment=segment, text=text, final=final, speechless=False)
        )

    def say(self, voiced: int = 30) -> list[Decision]:
        """A whole segment of `voiced` windows, closed by silence."""
        return self.hear(0.9, windows=voiced) + self.hear(0.0, windows=19)


def told(decisions: list[Decision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellFloor)]


def receipts(decisions: list[Decision]) -> list[object]:
    return [decision.receipt for decision in decisions if isinstance(decision, Record)]


def asks(decisions: list[Decision]) -> list[AskWords]:
    return [decision for decision in decisions if isinstance(decision, AskWords)]


def words(decisions: list[Decision]) -> list[WordsHeard]:
    return [message for message in told(decisions) if isinstance(message, WordsHeard)]
