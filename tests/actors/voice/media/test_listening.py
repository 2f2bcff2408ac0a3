"""Whoever may be heard is heard, frame by frame; of everybody else nothing is ever opened."""

import pytest

from actors.audio.opus import OpusDecoder
from actors.voice.media.cipher import AES_GCM, XCHACHA, Cipher
from actors.voice.media.group import SILENCE
from actors.voice.media.listening import KEPT_SECONDS, MOST_KEPT, Listening
from actors.voice.media.mail import Heard
from actors.voice.media.owners import MOST_PACKETS, MOST_STREAMS
from messages.audio import FRAME_BYTES
from tests.actors.voice.media.hearing import ADA, BERT, Hearing, opus
from tests.actors.voice.media.packets import KEY, Envelope, Sender

OTHER_KEY = bytes(32)


def deliver_nothing(heard: Heard) -> None:
    raise AssertionError(heard)


def test_a_permitted_person_is_heard_frame_by_frame() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 1, 2)
    assert hearing.users() == [ADA] * 3
    assert [len(frame.pcm) for frame in hearing.heard] == [FRAME_BYTES] * 3
    assert [frame.timestamp for frame in hearing.heard] == [96_000, 96_960, 97_920]
    assert not any(frame.concealed for frame in hearing.heard)
    assert hearing.listening.counts() == {ADA: (3, 0)}


def test_a_person_without_permission_costs_no_key_and_no_decoder() -> None:
    hearing = Hearing(permitted=())
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, *range(100))
    assert hearing.cipher.calls == hearing.listening.tally.transport_calls == 0
    assert not hearing.keys.asked + hearing.users()
    assert not hearing.decoders
    assert hearing.listening.counts() == {ADA: (0, 100)}
    assert hearing.listening.due is None


def test_only_the_permitted_of_two_is_opened() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.listening.speaker(8, BERT)
    for place in range(10):
        hearing.send(ADA, 7, place)
        hearing.send(BERT, 8, place)
    assert hearing.cipher.calls == 10
    assert set(hearing.users()) == set(hearing.keys.asked) == {ADA}
    assert hearing.listening.counts() == {ADA: (10, 0), BERT: (0, 10)}


def test_permission_holds_from_the_very_next_packet() -> None:
    hearing = Hearing(permitted=())
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 1)
    hearing.listening.microphone(ADA, True)
    hearing.send(ADA, 7, 2, 3)
    hearing.listening.microphone(ADA, False)
    hearing.send(ADA, 7, 4)
    assert hearing.listening.counts() == {ADA: (2, 3)}
    assert hearing.cipher.calls == 2


def test_a_withdrawn_permission_frees_everything_at_once() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 2)
    hearing.listening.group_waiting(True)
    hearing.send(ADA, 7, 3, epoch=9)
    assert hearing.listening.due is not None
    hearing.listening.microphone(ADA, False)
    assert hearing.decoders[0].closed
    assert hearing.listening.due is None
    hearing.keys.epoch = 9
    hearing.listening.retry(hearing.now)
    hearing.wait(1.0)
    assert len(hearing.heard) == 1
    assert hearing.dropped == {"closed": 1}


def test_a_second_permission_begins_a_second_stream() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 2)
    hearing.listening.microphone(ADA, False)
    hearing.listening.microphone(ADA, True)
    hearing.send(ADA, 7, 1)
    assert len(hearing.decoders) == 2


def test_packets_of_a_stranger_wait_unopened_and_are_read_in_order_if_he_may_be_heard() -> None:
    hearing = Hearing()
    hearing.send(ADA, 7, 0)
    hearing.wait(0.020)
    hearing.send(ADA, 7, 1)
    assert hearing.cipher.calls == 0
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 2)
    assert [frame.timestamp for frame in hearing.heard] == [96_000, 96_960, 97_920]
    assert [frame.at for frame in hearing.heard] == pytest.approx([50.0, 50.02, 50.02])


def test_packets_of_a_stranger_who_may_not_be_heard_stay_unread() -> None:
    hearing = Hearing()
    hearing.send(BERT, 8, 0, 1, 2)
    hearing.listening.speaker(8, BERT)
    assert hearing.cipher.calls == 0
    assert hearing.listening.counts() == {BERT: (0, 3)}
    hearing.listening.microphone(BERT, True)
    assert hearing.heard == []


def test_packets_of_a_stranger_are_thrown_away_after_a_second() -> None:
    hearing = Hearing()
    hearing.send(ADA, 7, 0)
    hearing.wait(0.5)
    hearing.send(ADA, 7, 1)
    hearing.wait(0.6)
    hearing.listening.speaker(7, ADA)
    assert [frame.timestamp for frame in hearing.heard] == [96_960]
    assert hearing.dropped == {"unknown_ssrc": 1}
    assert hearing.listening.due is None


def test_of_a_stranger_only_the_newest_packets_are_kept() -> None:
    hearing = Hearing()
    hearing.send(ADA, 7, *range(MOST_PACKETS + 5))
    hearing.listening.speaker(7, ADA)
    assert len(hearing.heard) == MOST_PACKETS
    assert hearing.heard[0].timestamp == 96_000 + 5 * 960
    assert hearing.dropped == {"unknown_ssrc": 5}


def test_of_a_crowd_of_strangers_only_some_are_kept() -> None:
    hearing = Hearing()
    for ssrc in range(1000, 1000 + MOST_STREAMS + 3):
        hearing.send(ADA, ssrc, 0)
    assert hearing.dropped == {"unknown_ssrc": 3}
    hearing.wait(1.0)
    assert hearing.dropped == {"unknown_ssrc": MOST_STREAMS + 3}


def test_his_own_packets_are_not_listened_to() -> None:
    hearing = Hearing()
    hearing.listening.speaker(99, ADA)
    hearing.send(ADA, 99, 0, 1)
    assert hearing.dropped == {"own": 2}
    assert hearing.cipher.calls == 0


def test_what_is_no_packet_of_sound_is_counted_by_what_it_is() -> None:
    hearing = Hearing()
    for datagram in (b"", bytes(2000), bytes(74), b"\x80\xc9" + bytes(40), b"\x90\x66" + bytes(40)):
        hearing.listening.datagram(datagram, hearing.now)
    hearing.listening.datagram(b"\x8f\x78" + bytes(40), hearing.now)
    assert hearing.dropped == dict.fromkeys(["short", "long", "version", "rtcp", "payload_type", "header"], 1)


def test_packets_before_there_is_a_line_are_nobodys() -> None:
    hearing, early = Hearing(), Listening(OpusDecoder, deliver_nothing)
    early.microphone(ADA, True)
    early.rekey(hearing.cipher)
    early.speaker(7, ADA)
    early.datagram(hearing.server.packet(Envelope(), hearing.frame), 1.0)
    assert early.tally.dropped == {"no_line": 1}
    assert early.due is None


@pytest.mark.parametrize("mode", [AES_GCM, XCHACHA])
def test_extension_padding_and_contributors_do_not_reach_the_decoder(mode: str) -> None:
    hearing = Hearing()
    hearing.server = Sender(mode)
    hearing.listening.rekey(Cipher(mode, KEY))
    hearing.listening.speaker(7, ADA)
    kinds = [Envelope(), Envelope(extension=2), Envelope(padding=6), Envelope(csrc=2, extension=1, padding=3)]
    for place, envelope in enumerate(kinds):
        hearing.send(ADA, 7, place, envelope=envelope)
    assert hearing.decoders[0].packets == [hearing.frame] * 4


def test_a_sealed_lie_about_lengths_costs_one_packet() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    lie = Envelope(extension=200).header(), b"short"
    hearing.listening.datagram(hearing.server.cipher.seal(*lie), hearing.now)
    hearing.send(ADA, 7, 1)
    assert hearing.dropped == {"extension": 1}
    assert len(hearing.heard) == 1


def test_a_packet_sealed_with_another_key_moves_nothing() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    forged = Sender(key=OTHER_KEY).packet(Envelope().after(20_000), hearing.frame)
    hearing.listening.datagram(forged, hearing.now)
    hearing.send(ADA, 7, 1)
    assert len(hearing.heard) == 2
    assert hearing.dropped == {"sealed": 1}


def test_a_new_key_on_the_same_line_leaves_everybody_who_he_is() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.server = Sender(key=OTHER_KEY)
    hearing.send(ADA, 7, 1)
    hearing.listening.rekey(Cipher(AES_GCM, OTHER_KEY))
    hearing.send(ADA, 7, 1, 2)
    assert len(hearing.heard) == 3
    assert len(hearing.decoders) == 1
    assert hearing.dropped == {"sealed": 1}


def test_silence_is_silence_and_nobody_has_to_have_encrypted_it() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.send(ADA, 7, *range(1, 6), frame=SILENCE)
    assert len(hearing.heard) == 6
    assert not any(hearing.heard[-1].pcm)
    assert hearing.listening.counts() == {ADA: (6, 0)}


def test_a_plain_frame_in_an_encrypted_call_is_not_heard() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.listening.datagram(hearing.server.packet(Envelope(), hearing.frame), hearing.now)
    assert hearing.heard == []
    assert hearing.dropped == {"NoValidCryptorFound": 1}


def test_a_packet_that_comes_again_is_opened_once() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 0, 1)
    assert hearing.cipher.calls == 2
    assert len(hearing.heard) == 2
    assert hearing.dropped == {"late": 1}


def test_a_packet_that_comes_again_while_the_first_is_held_is_not_opened_and_takes_nothing_away() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 2, 2, 1)
    assert hearing.cipher.calls == len(hearing.keys.asked) == 3
    assert [frame.timestamp for frame in hearing.heard] == [96_000, 96_960, 97_920]
    assert hearing.dropped == {"duplicate": 1}


def test_a_lost_packet_is_made_up_for_and_says_so() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 2)
    hearing.wait(0.060)
    assert [frame.concealed for frame in hearing.heard] == [False, True, False]
    assert hearing.decoders[0].packets == [hearing.frame, None, hearing.frame]
    assert hearing.listening.counts() == {ADA: (2, 0)}


def test_what_is_no_opus_resets_that_decoder_and_nobody_elses() -> None:
    hearing = Hearing(permitted=(ADA, BERT))
    hearing.listening.speaker(7, ADA)
    hearing.listening.speaker(8, BERT)
    hearing.send(ADA, 7, 0)
    hearing.send(BERT, 8, 0)
    hearing.send(ADA, 7, 1, frame=b"\xff\xff")
    hearing.send(ADA, 7, 2, frame=b"")
    hearing.send(ADA, 7, 3)
    hearing.send(BERT, 8, 1)
    assert hearing.users() == [ADA, BERT, ADA, BERT]
    assert [decoder.resets for decoder in hearing.decoders] == [2, 0]
    assert hearing.dropped == {"opus": 2}


@pytest.mark.parametrize("milliseconds", [10, 40, 60])
def test_packets_of_other_lengths_become_frames_of_twenty_milliseconds(milliseconds: int) -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    for place, packet in enumerate(opus(6, milliseconds)):
        clock = Envelope(sequence=1000 + place, timestamp=96_000 + 48 * milliseconds * place)
        hearing.send(ADA, 7, 0, frame=packet, envelope=clock)
    frames = 6 * milliseconds // 20
    assert [frame.timestamp for frame in hearing.heard] == [96_000 + 960 * at for at in range(frames)]
    assert {len(frame.pcm) for frame in hearing.heard} == {FRAME_BYTES}
    assert hearing.listening.counts() == {ADA: (6, 0)}


# --- while the group learns


def test_a_frame_under_a_key_that_is_still_to_come_is_lost_if_nothing_is_to_come() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.send(ADA, 7, 1, epoch=2)
    hearing.keys.epoch = 2
    hearing.send(ADA, 7, 2, epoch=2)
    hearing.wait(0.060)
    assert [frame.concealed for frame in hearing.heard] == [False, True, False]
    assert hearing.dropped == {"NoValidCryptorFound": 1}


def test_a_frame_under_a_new_key_waits_for_the_group_and_keeps_its_place() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.group_waiting(True)
    hearing.send(ADA, 7, 1, epoch=2)
    hearing.send(ADA, 7, 1, epoch=2)
    hearing.send(ADA, 7, 2, epoch=1)
    assert len(hearing.heard) == 1
    hearing.keys.epoch = 2
    hearing.listening.group_waiting(False)
    hearing.listening.retry(hearing.now)
    hearing.send(ADA, 7, 3, epoch=2)
    assert [frame.timestamp for frame in hearing.heard] == [96_000 + 960 * at for at in range(4)]
    assert not any(frame.concealed for frame in hearing.heard)
    assert hearing.dropped == {"duplicate": 1}
    assert hearing.listening.due is None


def test_a_frame_that_the_group_still_cannot_open_waits_on_if_there_is_more_work() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.group_waiting(True)
    hearing.send(ADA, 7, 1, epoch=2)
    hearing.listening.retry(hearing.now)
    hearing.keys.epoch = 2
    hearing.listening.retry(hearing.now)
    assert len(hearing.heard) == 2
    assert hearing.dropped == {}


def test_a_frame_that_the_group_cannot_open_after_all_its_work_is_lost() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.group_waiting(True)
    hearing.send(ADA, 7, 1, epoch=2)
    hearing.send(ADA, 7, 2)
    hearing.listening.group_waiting(False)
    hearing.listening.retry(hearing.now)
    assert [frame.concealed for frame in hearing.heard] == [False, True, False]
    assert hearing.dropped == {"NoValidCryptorFound": 1}


def test_nothing_waits_for_the_group_longer_than_two_slots() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.group_waiting(True)
    hearing.send(ADA, 7, 1, epoch=2)
    hearing.send(ADA, 7, 2)
    assert hearing.listening.due == hearing.now + KEPT_SECONDS
    hearing.wait(KEPT_SECONDS)
    assert len(hearing.heard) == 3
    hearing.send(ADA, 7, 3, epoch=2)
    hearing.now += KEPT_SECONDS
    hearing.listening.retry(hearing.now)
    assert hearing.dropped == {"NoValidCryptorFound": 2}


def test_no_more_than_so_many_frames_wait_for_the_group() -> None:
    hearing = Hearing(permitted=tuple(range(100, 200)))
    hearing.listening.group_waiting(True)
    for user in range(100, 100 + MOST_KEPT + 6):
        hearing.listening.speaker(1000 + user, user)
        hearing.send(user, 1000 + user, 0, epoch=2)
    assert hearing.dropped == {"NoValidCryptorFound": 6}
    hearing.keys.epoch = 2
    hearing.listening.retry(hearing.now)
    assert len(hearing.heard) == MOST_KEPT


def test_a_packet_of_twenty_milliseconds_waits_behind_half_a_frame() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    half, whole = opus(1, 10)[0], opus(1)[0]
    for place, (packet, began) in enumerate(((half, 0), (whole, 480), (half, 1440))):
        clock = Envelope(sequence=1000 + place, timestamp=96_000 + began)
        hearing.send(ADA, 7, 0, frame=packet, envelope=clock)
    assert [frame.timestamp for frame in hearing.heard] == [96_000, 96_960]
