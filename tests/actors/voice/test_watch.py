"""Sound that arrives and is not understood, or waits and does not leave, is a trouble with a name."""

from dataclasses import replace

import pytest

from actors.voice.core import step
from actors.voice.decisions import Connect, Decision, Disconnect, Listen, Record, TellStay, Wake
from actors.voice.settings import VoiceSettings
from actors.voice.state import Phase, State
from messages.evidence import Failed
from messages.ids import CaptureId, Connection, PersonId, RoomId, StayId
from messages.stay import LinkDegraded, LinkPrivate
from messages.voice import (
    LinkDown,
    LinkPulse,
    LinkSecured,
    LinkUp,
    OpenLink,
    OpenMicrophone,
    ReopenDue,
    VoiceMessage,
)
from tests.actors.voice.fake import FrameList

STAY, DEN, ATTIC = StayId("s1"), RoomId("den"), RoomId("attic")
ANNA = OpenMicrophone(person=PersonId("7"), capture=CaptureId("c1"), sink=FrameList())


class Link:
    def __init__(self) -> None:
        self.state = State(settings=VoiceSettings(), stay=STAY)
        self.now = 100.0
        self.decisions: tuple[Decision, ...] = ()
        self.take(OpenLink(room=DEN))
        self.come_up()

    def take(self, message: VoiceMessage) -> tuple[Decision, ...]:
        self.state, self.decisions = step(self.state, message, self.now)
        return self.decisions

    def come_up(self) -> None:
        self.take(LinkUp(connection=self.state.connection, encryption="dave"))

    def pulse(
        self, *, arrived: int = 0, decoded: int = 0, waiting: int = 0, sent: int = 0, alone: bool = False
    ) -> None:
        self.take(
            LinkPulse(
                connection=self.state.connection,
                arrived=arrived,
                decoded=decoded,
                waiting=waiting,
                sent=sent,
                alone=alone,
            )
        )
        self.now += 1.0

    def goes_deaf(self) -> None:
        for second in range(4):
            self.pulse(arrived=50 * second)

    def reopens(self) -> None:
        self.take(ReopenDue(token=self.state.token))
        self.come_up()

    def failures(self) -> list[str]:
        return [
            one.receipt.reason
            for one in self.decisions
            if isinstance(one, Record) and isinstance(one.receipt, Failed)
        ]


@pytest.fixture
def link() -> Link:
    return Link()


def test_packets_that_are_never_understood_for_three_seconds_are_on_record_and_reopen_the_link(
    link: Link,
) -> None:
    for second in range(3):
        link.pulse(arrived=50 * second)
        assert link.decisions == ()
    link.pulse(arrived=150)
    assert link.decisions == (
        Record(receipt=Failed(stay_id=STAY, stage="voice_link", reason="deaf")),
        TellStay(message=LinkDegraded(reason="deaf")),
        Disconnect(connection=Connection(1)),
        Wake(seconds=0.0, message=ReopenDue(token=link.state.token)),
    )


def test_a_pause_of_the_speaker_does_not_make_a_deaf_link_hear(link: Link) -> None:
    for arrived in (0, 50, 50, 50, 100, 100):
        link.pulse(arrived=arrived)
        assert link.failures() == []
    link.pulse(arrived=150)
    assert link.failures() == ["deaf"]


def test_one_packet_that_is_understood_is_enough_to_be_not_deaf(link: Link) -> None:
    for second in range(10):
        link.pulse(arrived=50 * second, decoded=second // 2)
    assert link.state.phase is Phase.UP


def test_frames_that_wait_for_two_seconds_while_none_leaves_are_on_record(link: Link) -> None:
    link.pulse(sent=10, waiting=20)
    link.pulse(sent=10, waiting=20)
    assert link.failures() == []
    link.pulse(sent=10, waiting=20)
    assert link.failures() == ["mute"]


def test_who_has_nothing_to_say_or_says_it_slowly_is_not_mute(link: Link) -> None:
    for second in range(10):
        link.pulse(sent=second // 2, waiting=20 * (second % 2))
    assert link.state.phase is Phase.UP


def test_who_is_alone_on_his_server_while_people_he_hears_are_in_the_room_is_astray(link: Link) -> None:
    for _ in range(20):
        link.pulse(alone=True)
    assert link.state.phase is Phase.UP
    link.take(ANNA)
    for seconds in (5, 5):
        link.pulse()
        for _ in range(seconds):
            assert link.failures() == []
            link.pulse(alone=True)
    assert (link.failures(), link.state.phase) == ([], Phase.UP)
    link.pulse(alone=True)
    assert link.failures() == ["astray"]
    link.reopens()
    for _ in range(20):
        link.pulse(alone=True)
        assert (link.failures(), link.state.phase) == ([], Phase.UP)


def test_a_trouble_reopens_the_link_once_until_it_was_over(link: Link) -> None:
    link.goes_deaf()
    link.reopens()
    link.goes_deaf()
    assert (link.failures(), link.state.phase) == ([], Phase.UP)
    link.pulse(arrived=200, decoded=1)
    for second in range(3):
        link.pulse(arrived=250 + 50 * second, decoded=1)
    assert link.failures() == ["deaf"]


def test_a_house_that_was_held_up_does_not_take_its_own_pause_for_the_links(link: Link) -> None:
    link.pulse(arrived=0)
    link.now += 60.0
    link.pulse(arrived=50)
    assert link.state.phase is Phase.UP


def test_a_pulse_of_a_link_that_is_not_up_says_nothing(link: Link) -> None:
    link.take(LinkDown(connection=link.state.connection, reason="reset", terminal=False))
    before = link.state
    link.pulse(arrived=50)
    assert (link.state, link.decisions) == (before, ())


def test_a_media_process_that_died_is_replaced_at_once_but_not_one_after_the_other(link: Link) -> None:
    down = LinkDown(connection=link.state.connection, reason="media_process", terminal=False)
    assert TellStay(message=LinkDegraded(reason="media_process")) in link.take(down)
    assert link.decisions[-1] == Wake(seconds=0.0, message=ReopenDue(token=link.state.token))
    link.now += 5.0
    link.reopens()
    link.take(replace(down, connection=link.state.connection))
    assert link.decisions[-1] == Wake(seconds=1.0, message=ReopenDue(token=link.state.token))
    link.now += 20.0
    link.reopens()
    link.take(replace(down, connection=link.state.connection))
    assert link.decisions[-1] == Wake(seconds=0.0, message=ReopenDue(token=link.state.token))
    link.take(ReopenDue(token=link.state.token))
    link.take(replace(down, connection=link.state.connection))
    assert link.decisions[-1] == Wake(seconds=2.0, message=ReopenDue(token=link.state.token))


def test_the_code_of_the_encrypted_group_is_told_to_the_stay(link: Link) -> None:
    secured = LinkSecured(connection=link.state.connection, privacy_code="12345")
    assert link.take(secured) == (TellStay(message=LinkPrivate(privacy_code="12345")),)


def test_in_another_room_nobody_is_heard_who_was_heard_in_the_first(link: Link) -> None:
    link.take(ANNA)
    decisions = link.take(OpenLink(room=ATTIC))
    assert decisions[:3] == (
        Disconnect(connection=Connection(1)),
        Listen(microphone=ANNA, open=False),
        Connect(connection=Connection(2), room=ATTIC),
    )
    assert link.state.microphones == ()


def test_the_same_room_again_keeps_who_is_heard(link: Link) -> None:
    link.take(ANNA)
    assert Listen(microphone=ANNA, open=True) in link.take(OpenLink(room=DEN))
