"""A stream's number is handed on, and nobody is ever heard under another's name."""

import pytest

from actors.voice.media.owners import MOST_FORMER
from tests.actors.voice.media.hearing import ADA, BERT, Hearing


def test_a_stream_that_is_given_to_somebody_else_begins_anew() -> None:
    hearing = Hearing(permitted=(ADA, BERT))
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 1, 3)
    hearing.listening.departed(ADA)
    assert hearing.decoders[0].closed
    hearing.listening.speaker(7, BERT)
    hearing.send(BERT, 7, 40_000)
    hearing.wait(1.0)
    assert hearing.users() == [ADA, ADA, BERT]
    assert len(hearing.decoders) == 2


@pytest.mark.parametrize("version", [0, 1])
def test_a_late_packet_of_a_streams_former_owner_goes_nowhere(version: int) -> None:
    hearing = Hearing(version=version, permitted=(ADA, BERT))
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 1)
    hearing.listening.departed(ADA)
    hearing.send(ADA, 7, 2)
    hearing.listening.speaker(7, BERT)
    hearing.send(ADA, 7, 3)
    hearing.send(BERT, 7, 40_000)
    hearing.send(ADA, 7, 4)
    hearing.send(BERT, 7, 40_001)
    assert hearing.users() == [ADA, ADA, BERT, BERT]
    assert hearing.dropped == {"former_owner": 3}


def test_somebodys_first_packets_on_a_handed_down_stream_wait_for_his_name() -> None:
    hearing = Hearing(permitted=(ADA, BERT))
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.departed(ADA)
    hearing.send(BERT, 7, 40_000)
    hearing.listening.speaker(7, BERT)
    assert hearing.users() == [ADA, BERT]


def test_a_stream_left_by_somebody_who_never_spoke_keeps_nothing_for_the_next() -> None:
    hearing = Hearing(version=0, permitted=(BERT,))
    hearing.listening.speaker(7, ADA)
    hearing.listening.departed(ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.speaker(7, BERT)
    assert hearing.heard == []
    assert hearing.dropped == {"former_owner": 1}


def test_somebody_who_comes_back_to_his_own_stream_is_heard_at_once() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.departed(ADA)
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 1)
    assert len(hearing.heard) == 2


def test_a_stream_can_be_named_anew_without_a_goodbye() -> None:
    hearing = Hearing(permitted=(ADA, BERT))
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0)
    hearing.listening.speaker(7, BERT)
    hearing.send(BERT, 7, 40_000)
    hearing.listening.speaker(8, BERT)
    hearing.send(BERT, 8, 0)
    hearing.listening.speaker(8, BERT)
    hearing.send(BERT, 8, 1)
    assert hearing.users() == [ADA, BERT, BERT, BERT]
    assert [decoder.closed for decoder in hearing.decoders] == [True, True, False]


def test_who_left_many_streams_is_not_remembered_for_ever() -> None:
    hearing = Hearing()
    for ssrc in range(1000, 1100):
        hearing.listening.speaker(ssrc, ADA)
    hearing.listening.departed(BERT)
    assert len(hearing.listening._owners._former) == MOST_FORMER


def test_on_another_line_nobody_is_known_and_permissions_hold() -> None:
    hearing = Hearing()
    hearing.listening.speaker(7, ADA)
    hearing.send(ADA, 7, 0, 1)
    hearing.send(BERT, 8, 0)
    hearing.listening.line(hearing.cipher, hearing.keys, 100)
    assert hearing.decoders[0].closed
    hearing.send(BERT, 7, 5)
    assert hearing.cipher.calls == 2
    hearing.listening.speaker(9, ADA)
    hearing.send(ADA, 9, 0)
    assert hearing.listening.counts() == {ADA: (3, 0)}
    assert hearing.dropped == {"unknown_ssrc": 1}
