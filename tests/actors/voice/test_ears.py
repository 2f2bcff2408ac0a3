"""Nobody is decoded who did not consent, and nobody's broken packet is anybody else's trouble."""

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.voice.ears import MOST_WAITING, Ears
from messages.audio import FRAME_BYTES
from messages.ids import CaptureId, PersonId
from messages.voice import MicrophoneCount
from tests.actors.voice.fake import FrameList

ANNA, BERT = PersonId("anna"), PersonId("bert")
ONE, TWO = CaptureId("c1"), CaptureId("c2")
BROKEN = b"\x00\x01\x02\x03\xff" * 300


class CountingDecoder(OpusDecoder):
    """The real decoder, and how often each was used."""

    made: list["CountingDecoder"]

    def __init__(self) -> None:
        super().__init__()
        self.packets: list[bytes | None] = []
        self.resets = 0
        self.made.append(self)

    def decode(self, packet: bytes | None) -> bytes:
        self.packets.append(packet)
        return super().decode(packet)

    def reset(self) -> None:
        self.resets += 1
        super().reset()


def counting() -> tuple[type[CountingDecoder], list[CountingDecoder]]:
    made: list[CountingDecoder] = []
    return type("Counting", (CountingDecoder,), {"made": made}), made


def packets(count: int) -> list[bytes]:
    encoder = OpusEncoder()
    try:
        return [encoder.encode(bytes(FRAME_BYTES)) for _ in range(count)]
    finally:
        encoder.close()


def test_a_packet_of_somebody_without_consent_never_reaches_a_decoder() -> None:
    make, made = counting()
    knocks = list[int]()
    ears = Ears(make, lambda: knocks.append(1))
    ears.open(ANNA, ONE, FrameList())
    for packet in packets(3):
        ears.take(BERT, packet, 1.0)
    assert not ears.decode_some(8)
    assert (made, knocks) == ([], [])
    assert ears.counts() == (MicrophoneCount(person=BERT, decoded=0, unread=3),)
    ears.close()


def test_what_waited_when_consent_was_withdrawn_is_not_decoded_either() -> None:
    make, made = counting()
    ears, sink = Ears(make, lambda: None), FrameList()
    ears.open(ANNA, ONE, sink)
    first, second, third = packets(3)
    ears.take(ANNA, first, 1.0)
    ears.decode_some(8)
    ears.take(ANNA, second, 2.0)
    ears.open(ANNA, ONE, None)
    ears.take(ANNA, third, 3.0)
    ears.decode_some(8)
    ears.forget_closed()
    assert made[0].packets == [first]
    assert [(frame.person, frame.capture, frame.at, len(frame.pcm)) for frame in sink.frames] == [
        (ANNA, ONE, 1.0, FRAME_BYTES)
    ]
    assert ears.counts() == (MicrophoneCount(person=ANNA, decoded=1, unread=2),)


def test_what_came_before_consent_is_not_decoded_after_it() -> None:
    make, made = counting()
    ears = Ears(make, lambda: None)
    ears.take(ANNA, packets(1)[0], 1.0)
    ears.open(ANNA, ONE, FrameList())
    ears.decode_some(8)
    assert made == []
    ears.close()


def test_a_broken_packet_resets_the_decoder_of_its_sender_only() -> None:
    make, made = counting()
    ears, anna, bert = Ears(make, lambda: None), FrameList(), FrameList()
    ears.open(ANNA, ONE, anna)
    ears.open(BERT, TWO, bert)
    for packet in packets(10):
        ears.take(ANNA, packet, 1.0)
        ears.take(BERT, packet, 1.0)
    ears.take(BERT, BROKEN, 1.0)
    for packet in packets(10):
        ears.take(ANNA, packet, 1.0)
        ears.take(BERT, packet, 1.0)
    while ears.decode_some(8):
        pass
    assert (len(anna.frames), len(bert.frames)) == (20, 20)
    assert [decoder.resets for decoder in made] == [0, 1]
    assert ears.broken == 1
    ears.close()


def test_a_new_microphone_of_the_same_person_has_a_decoder_of_its_own() -> None:
    make, made = counting()
    ears, second = Ears(make, lambda: None), FrameList()
    ears.open(ANNA, ONE, FrameList())
    ears.take(ANNA, packets(1)[0], 1.0)
    ears.decode_some(8)
    ears.open(ANNA, TWO, second)
    ears.take(ANNA, packets(1)[0], 2.0)
    ears.decode_some(8)
    assert len(made) == 2
    assert second.frames[0].capture == TWO
    ears.close()


def test_when_decoding_does_not_keep_up_the_oldest_packets_fall_out_unread() -> None:
    make, _ = counting()
    ears, sink = Ears(make, lambda: None), FrameList()
    ears.open(ANNA, ONE, sink)
    packet = packets(1)[0]
    for number in range(MOST_WAITING + 2):
        ears.take(ANNA, packet, float(number))
    assert ears.decode_some(1)
    assert (ears.overflowed, sink.frames[0].at) == (2, 2.0)
    ears.close()
    assert ears.counts() == (MicrophoneCount(person=ANNA, decoded=1, unread=MOST_WAITING + 1),)


def test_a_flood_of_one_person_costs_another_neither_a_packet_nor_his_turn() -> None:
    make, _ = counting()
    ears, anna, bert = Ears(make, lambda: None), FrameList(), FrameList()
    ears.open(ANNA, ONE, anna)
    ears.open(BERT, TWO, bert)
    packet = packets(1)[0]
    for number in range(1_000):
        ears.take(ANNA, packet, float(number))
        if number % 100 == 0:
            ears.take(BERT, packet, float(number))
    assert ears.decode_some(20)
    assert [frame.at for frame in bert.frames] == [100.0 * number for number in range(10)]
    while ears.decode_some(8):
        pass
    assert len(anna.frames) == MOST_WAITING
    ears.close()
