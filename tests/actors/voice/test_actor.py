"""The shell of the voice link passes letters on and opens and closes its port."""

import pytest
from loguru import logger

from actors.base import Life
from actors.voice.actor import Voice
from actors.voice.settings import VoiceSettings
from messages.evidence import EvidenceMessage, Failed
from messages.ids import CaptureId, Connection, PersonId, RoomId, StayId, UtteranceId
from messages.lifecycle import Ending
from messages.playback import LinkRestarted, PlaybackMessage
from messages.stay import LinkGone, LinkOpened, LinkReady, StayMessage
from messages.voice import (
    CloseLink,
    CloseMicrophone,
    CutSound,
    EndSound,
    HoldSound,
    LinkUp,
    OpenLink,
    OpenMicrophone,
    PlaySound,
    SetGain,
    SoundStarted,
)
from tests.actors.voice.fake import FakeVoicePort, FrameList
from tests.clock import ManualClock
from tests.probe import Probe

DEN = RoomId("den")
ONE = Connection(1)
U = UtteranceId("u1")


class House:
    def __init__(self) -> None:
        self.stay, self.playback = Probe[StayMessage](), Probe[PlaybackMessage]()
        self.evidence, self.clock, self.port = Probe[EvidenceMessage](), ManualClock(), FakeVoicePort()
        self.voice = Voice(
            Life.alone("voice"),
            stay_id=StayId("s1"),
            stay=self.stay,
            playback=self.playback,
            evidence=self.evidence,
            clock=self.clock,
            port=self.port,
            settings=VoiceSettings(),
        )
        self.voice.opened()


@pytest.fixture
def house() -> House:
    return House()


def test_a_new_life_says_so_to_those_who_counted_on_the_old_one(house: House) -> None:
    assert house.stay.received() == [LinkOpened()]
    assert house.playback.received() == [LinkRestarted()]
    assert house.port.asked == [("open",)]


def test_orders_become_calls_of_the_port(house: House) -> None:
    sink = FrameList()
    mine = PersonId("anna"), CaptureId("c1")
    house.voice.on_receive(OpenLink(room=DEN))
    house.voice.on_receive(LinkUp(connection=ONE, encryption="local"))
    house.voice.on_receive(OpenMicrophone(person=mine[0], capture=mine[1], sink=sink))
    house.voice.on_receive(PlaySound(utterance=U, pcm=b"12"))
    house.voice.on_receive(SetGain(utterance=U, decibels=-12.0, seconds=0.06))
    house.voice.on_receive(HoldSound(utterance=U, held=True))
    house.voice.on_receive(EndSound(utterance=U))
    house.voice.on_receive(CutSound(utterance=U))
    house.voice.on_receive(CloseMicrophone(person=mine[0]))
    house.voice.on_receive(CloseLink())
    house.voice.closed(Ending.SHUTDOWN)
    assert house.stay.expect(LinkReady) == LinkReady(encryption="local")
    assert house.port.asked[1:] == [
        ("connect", ONE, DEN),
        ("microphone", *mine, sink),
        ("play", ONE, U, b"12"),
        ("gain", ONE, U, -12.0, 0.06),
        ("hold", ONE, U, True),
        ("end", ONE, U),
        ("cut", ONE, U),
        ("microphone", *mine, None),
        ("disconnect", ONE),
        ("close",),
    ]


def test_a_link_that_does_not_come_up_in_time_is_gone_and_on_record(house: House) -> None:
    house.voice.on_receive(OpenLink(room=DEN))
    assert house.clock.next_due() == 30.0
    # An unstarted actor has a mailbox that nobody reads, so the test carries the letter.
    house.clock.advance(30.0)
    house.voice.on_receive(house.voice.actor_inbox.get().message)
    assert house.stay.expect(LinkGone) == LinkGone(reason="not_ready")
    assert house.evidence.expect(Failed).stage == "voice_link"
    assert house.voice.describe()["link"] == "gone"


def test_the_log_says_why_a_link_is_gone(house: House) -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}")
    try:
        house.voice.on_receive(OpenLink(room=DEN))
        house.clock.advance(30.0)
        house.voice.on_receive(house.voice.actor_inbox.get().message)
    finally:
        logger.remove(sink)
    assert lines == ["voice link 1: connecting\n", "voice link 1: gone, not_ready\n"]


def test_what_the_port_says_goes_through_the_mailbox_to_playback(house: House) -> None:
    house.voice.on_receive(OpenLink(room=DEN))
    started = SoundStarted(connection=ONE, utterance=U, at=1.0)
    house.port.events(started)
    house.voice.on_receive(house.voice.actor_inbox.get().message)
    assert house.playback.expect(SoundStarted) == started
