"""With real keys on both sides: what the group cannot open yet is not lost, and nothing is opened twice."""

import davey
import pytest

from actors.audio.opus import OpusDecoder
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.dave import DaveGroup
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Heard
from tests.actors.voice.media.hearing import opus
from tests.actors.voice.media.packets import KEY, Envelope, Sender
from tests.loopback.discord.mls.members import CHANNEL, Channel, Member

ADA, BERT, HIMSELF = 11, 22, 14


class Call:
    """Ada and he in one group; Ada's packets arrive at his Listening."""

    def __init__(self) -> None:
        self.channel = Channel()
        for user in (ADA, HIMSELF):
            self.channel.join(user)
            self.channel.settle()
        self.heard: list[Heard] = []
        self.listening = Listening(OpusDecoder, self.heard.append)
        self.listening.line(Cipher(AES_GCM, KEY), self.group(), 99)
        self.listening.speaker(7, ADA)
        self.listening.microphone(ADA, True)
        self.server = Sender()
        self.frame = opus()[0]

    def session(self, user: int) -> davey.DaveSession:
        session = self.channel.members[user].session
        assert session is not None
        return session

    def group(self) -> DaveGroup:
        group = DaveGroup(user=HIMSELF, channel=CHANNEL)
        group.agree(1)
        group._session = self.session(HIMSELF)
        return group

    def sealed(self, place: int) -> bytes:
        """A packet of Ada's, under the newest key that she has."""
        return self.server.packet(Envelope().after(place), self.session(ADA).encrypt_opus(self.frame))

    def arrive(self, *datagrams: bytes, now: float = 10.0) -> None:
        for datagram in datagrams:
            self.listening.datagram(datagram, now)

    def let_in(self, user: int) -> None:
        """Somebody joins; everybody but himself has heard the outcome, which waits for him in the mail."""
        self.channel.join(user)
        while any(member.out for member in self.channel.members.values()) or self.others_mail():
            writers: list[Member] = [member for member in self.channel.members.values() if member.out]
            if writers:
                self.channel.hear(writers[0].user)
            else:
                self.channel.deliver(self.others_mail()[0])

    def others_mail(self) -> list[int]:
        return [send.to for send in self.channel.mail if send.to != HIMSELF]


def test_a_real_frame_is_heard_and_a_replayed_one_costs_nothing() -> None:
    call = Call()
    first, second = call.sealed(0), call.sealed(1)
    call.arrive(first, second, second, first)
    assert len(call.heard) == 2
    assert call.listening.tally.transport_calls == 2


def test_a_held_frame_survives_its_double() -> None:
    call = Call()
    packets = [call.sealed(place) for place in range(3)]
    call.arrive(packets[0], packets[2], packets[2], packets[1])
    assert [frame.concealed for frame in call.heard] == [False, False, False]
    assert call.listening.tally.dropped == {"duplicate": 1}


def test_a_frame_of_somebody_else_does_not_open_as_hers() -> None:
    call = Call()
    call.channel.join(BERT)
    call.channel.settle()
    frame = call.session(BERT).encrypt_opus(call.frame)
    call.arrive(call.server.packet(Envelope(), frame))
    assert call.heard == []
    assert call.listening.tally.dropped.total() == 1


@pytest.mark.parametrize("waits", [True, False])
def test_the_first_frames_under_a_new_key_are_lost_only_if_nobody_waits_for_it(waits: bool) -> None:
    call = Call()
    call.arrive(call.sealed(0))
    call.let_in(BERT)
    call.listening.group_waiting(waits)
    call.arrive(call.sealed(1), call.sealed(2))
    assert len(call.heard) == 1
    call.channel.settle()
    call.listening.group_waiting(False)
    call.listening.retry(10.015)
    call.arrive(call.sealed(3))
    call.listening.tick(10.100)
    assert [frame.concealed for frame in call.heard] == [False, not waits, not waits, False]
