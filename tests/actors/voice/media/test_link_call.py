"""Lines with real keys, on one call: whoever comes, goes or fails, in the end they hear each other."""

import itertools

import pytest

from actors.voice.media.acts import GroupTrouble
from actors.voice.media.group import SILENCE, DaveTrouble
from actors.voice.media.grouping import STRANGER
from actors.voice.media.newcomers import newcomers
from tests.actors.voice.media.call import SPEECH, Call
from tests.actors.voice.media.line import ADA, BEA, RESUMED
from tests.loopback.discord.mls.delivery import Send

CAM = 13


def test_two_people_meet() -> None:
    call = Call()
    call.join(ADA)
    with pytest.raises(DaveTrouble, match="NotReady"):
        call.seats[ADA].group.seal(SPEECH)
    call.join(BEA)
    call.all_hear_all()
    assert call.seats[ADA].group.epoch == 1


@pytest.mark.parametrize("first_is_zero", [True, False])
def test_people_come_and_go(first_is_zero: bool) -> None:
    call = Call(first_is_zero=first_is_zero)
    call.join(ADA, BEA, CAM)
    call.all_hear_all()
    code = call.seats[ADA].group.privacy_code
    call.leave(BEA)
    call.all_hear_all()
    assert call.seats[ADA].group.privacy_code != code
    call.join(BEA)
    call.all_hear_all()
    assert all(seat.troubles == [] for seat in call.seats.values())


def test_the_last_one_is_alone_with_a_new_group_and_is_joined_again() -> None:
    call = Call()
    call.join(ADA, BEA)
    call.leave(BEA)
    ada = call.seats[ADA].group
    assert (ada.version, ada.ready, ada.privacy_code, ada.epoch) == (1, False, "", None)
    call.join(BEA)
    call.all_hear_all()


def test_a_proposal_before_the_name_waits_for_it() -> None:
    call = Call()
    call.names = False
    call.join(ADA, BEA)
    ada = call.seats[ADA].link
    assert not ada.work_waiting
    assert ada.due == call.now + STRANGER
    call.name(ADA, BEA)
    call.settle()
    call.all_hear_all()
    assert all(seat.troubles == [] for seat in call.seats.values())


def test_somebody_who_is_never_named_is_not_let_in() -> None:
    call = Call()
    call.names = False
    call.join(ADA, BEA)
    call.pass_time(STRANGER)
    assert GroupTrouble(op=27, kind="UnexpectedUser") in call.seats[ADA].troubles
    assert not call.seats[ADA].group.ready
    call.name(ADA, BEA)
    call.settle()
    call.all_hear_all()


def test_strangers_for_ever_end_the_line_within_bounds() -> None:
    call = Call()
    call.names = False
    call.join(ADA, BEA)
    for _ in range(30):
        call.pass_time(STRANGER)
    ada = call.seats[ADA]
    assert ada.lost is not None
    assert ada.lost.reason == "dave_storm"


def test_a_stray_proposal_costs_one_repair() -> None:
    call = Call()
    call.join(ADA, BEA, CAM)
    call.post(call.delivery.stray(ADA))
    call.all_hear_all()
    assert call.seats[ADA].troubles == [GroupTrouble(op=27, kind="WrongEpoch")]


@pytest.mark.parametrize("first_is_zero", [True, False])
def test_a_spoilt_commit_costs_one_repair(first_is_zero: bool) -> None:
    call = Call(first_is_zero=first_is_zero)
    call.join(ADA, BEA)
    call.delivery.committers = frozenset({ADA})
    call.delivery.spoil(BEA)
    call.join(CAM)
    call.all_hear_all()
    assert call.seats[BEA].troubles == [GroupTrouble(op=29, kind="InvalidMembershipTag")]


def test_a_downgrade_and_back() -> None:
    call = Call()
    call.join(ADA, BEA)
    ada, bea = call.seats[ADA].group, call.seats[BEA].group
    sealed = ada.seal(SPEECH)
    call.post(call.delivery.downgrade())
    assert ada.seal(SPEECH) == SPEECH
    assert bea.open(ADA, SPEECH) == SPEECH
    assert bea.open(ADA, sealed) == SPEECH  # it was on its way
    assert bea.privacy_code == ""
    call.post(call.delivery.upgrade())
    call.all_hear_all()
    assert bea.open(ADA, SPEECH) == SPEECH  # so was this one
    call.pass_time(11.0)
    with pytest.raises(DaveTrouble, match="UnencryptedWhenPassthroughDisabled"):
        bea.open(ADA, SPEECH)


def test_one_who_knows_no_dave_makes_the_call_plain_until_he_goes() -> None:
    call = Call()
    call.join(ADA, BEA)
    call.post(call.delivery.connected(CAM, 0))
    assert call.seats[ADA].group.seal(SPEECH) == SPEECH
    call.join(14)
    assert call.seats[14].group.version == 0
    call.post(call.delivery.leave(CAM))
    call.all_hear_all()


def test_silence_is_never_sealed_and_always_heard() -> None:
    call = Call()
    call.join(ADA, BEA)
    assert call.seats[ADA].group.seal(SILENCE) == SILENCE
    assert call.seats[BEA].group.open(ADA, SILENCE) == SILENCE


@pytest.mark.parametrize("moment", range(12))
def test_a_line_that_breaks_between_any_two_letters_comes_to_keys_all_the_same(moment: int) -> None:
    call = Call()
    call.join(ADA, BEA)
    ada, letters = call.seats[ADA], itertools.count()

    def break_once(_: Send) -> None:
        if next(letters) == moment:
            ada.do(ada.link.closed(1006, call.now))
            ada.do(ada.link.connected(call.now))
            ada.do(ada.link.text(RESUMED, call.now))

    ada.before = break_once
    call.join(CAM)
    call.leave(BEA)
    call.join(BEA)
    call.all_hear_all()
    assert ada.troubles == []


def test_whom_a_proposal_adds_can_be_read_from_it() -> None:
    call, bodies = Call(), list[bytes]()
    call.join(ADA, BEA)

    def keep(send: Send) -> None:
        if send.op == 27 and isinstance(send.body, bytes):
            bodies.append(send.body[1:])

    call.seats[ADA].before = keep
    call.join(CAM)
    call.leave(BEA)
    assert [newcomers(body) for body in bodies] == [{CAM}, frozenset()]
    add = bodies[0]
    assert [newcomers(add[:length]) for length in range(len(add))] == [frozenset()] * len(add)
    for index, change in itertools.product(range(len(add)), (0x01, 0x80, 0xFF)):
        newcomers(add[:index] + bytes([add[index] ^ change]) + add[index + 1 :])


def test_bytes_that_are_no_proposal_add_nobody() -> None:
    assert newcomers(b"\xc0" + bytes(20)) == frozenset()
    assert newcomers(b"\x03\x00\x01\x00") == frozenset()
