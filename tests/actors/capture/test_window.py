"""A window makes the state of an ear anew, and changes only what a window can."""

from dataclasses import replace

from actors.capture.segment import Asked, Extent, Segment, longer
from actors.capture.settings import CaptureSettings
from actors.capture.state import Flow, Transcriber
from messages.ids import Token
from messages.usage import Spending
from tests.actors.capture.listener import FIRST, ONE, Listener

SEGMENT = Segment(
    id=FIRST,
    connection=ONE,
    began=1.0,
    extent=Extent(length=9, voiced=5, heard_to=7, last_voice=1.3),
    asked=Asked(at=6, to=5, guessed_to=4),
    said="hello",
)


def test_whatever_else_an_ear_knows_stays() -> None:
    before = replace(
        Listener().state,
        segments=3,
        closely=True,
        transcriber=Transcriber(connection=ONE),
        token=Token(7),
        wake_at=9.0,
        spent=Spending(provider="local", model="whisper-tiny.en"),
        spent_since=5.0,
    )
    flow = Flow(heard_at=2.0, unbroken=4, run=1)
    assert before.after_window(flow, SEGMENT) == replace(before, flow=flow, open=SEGMENT)


def test_a_segment_grows_and_stays_what_it_was() -> None:
    grown = {
        0.9: Extent(length=10, voiced=6, heard_to=10, last_voice=1.4),
        0.4: Extent(length=10, voiced=5, heard_to=10, last_voice=1.4),
        0.1: Extent(length=10, voiced=5, heard_to=7, last_voice=1.3),
    }
    for probability, extent in grown.items():
        assert longer(SEGMENT, probability, 1.4, CaptureSettings()) == replace(SEGMENT, extent=extent)
