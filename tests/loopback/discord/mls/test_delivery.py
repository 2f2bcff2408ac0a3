"""Real DAVE sessions on all sides agree in the end, whoever comes, goes or fails, in any order."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.loopback.discord.mls.codec import (
    Malformed,
    Reader,
    Welcome,
    read_commit,
    read_key_package,
    read_welcome,
    vector,
    write_welcome,
)
from tests.loopback.discord.mls.delivery import Delivery, Send
from tests.loopback.discord.mls.members import CHANNEL, SPEECH, Channel, Member

ADA, BEA, CAM, BOT = 11, 12, 13, 14


def channel_of(*users: int, first_is_zero: bool = True) -> Channel:
    channel = Channel(Delivery(CHANNEL, first_is_zero=first_is_zero))
    for user in users:
        channel.join(user)
        channel.settle()
    return channel


def everybody_hears_everybody(channel: Channel) -> None:
    """Equal privacy codes, nothing open, and each one's sealed speech opens for each other."""
    channel.settle()
    members = list(channel.members.values())
    assert channel.delivery.settled
    assert set(channel.delivery.members) == (set(channel.members) if len(members) > 1 else set())
    assert len({member.code for member in members}) <= 1
    for one, other in itertools.permutations(members, 2):
        sealed = one.seal(SPEECH)
        assert sealed != SPEECH
        assert other.open(one.user, sealed) == SPEECH


def plain_frames_pass(channel: Channel) -> None:
    channel.settle()
    for one, other in itertools.permutations(channel.members.values(), 2):
        assert one.seal(SPEECH) == SPEECH
        assert other.version == 0
        assert other.open(one.user, SPEECH) == SPEECH


def test_two_members_meet() -> None:
    channel = channel_of(ADA, BOT)
    everybody_hears_everybody(channel)
    # Everybody hears of the external sender first, and one of the two, not both, gets the other's commit.
    assert channel.members[ADA].ops(25, 27, 29, 30) in ([25, 27, 29], [25, 27, 30])


def test_a_third_member_joins_an_established_group() -> None:
    channel = channel_of(ADA, BOT)
    before = channel.members[ADA].code
    cam = channel.join(CAM)
    everybody_hears_everybody(channel)
    assert cam.ops(25, 27, 29, 30) == [25, 30]  # an Add of that epoch would have been fatal to him
    assert cam.code != before
    assert not cam.troubles


def test_three_who_come_at_once_form_one_group() -> None:
    channel = Channel()
    for user in (ADA, BEA, BOT):
        channel.join(user)
    everybody_hears_everybody(channel)
    assert channel.delivery.epoch == 1
    assert channel.delivery.members[0] in channel.members


def test_an_old_member_leaves_and_cannot_listen_any_longer() -> None:
    channel = channel_of(ADA, BEA, BOT)
    ada = channel.leave(ADA)
    everybody_hears_everybody(channel)
    sealed = channel.members[BOT].seal(SPEECH)
    with pytest.raises(ValueError, match=r"NoValidCryptorFound|NoDecryptor"):
        ada.open(BOT, sealed)


def test_a_newcomer_takes_the_leaf_that_became_free() -> None:
    channel = channel_of(ADA, BEA, BOT)
    free = channel.delivery.members.index(BEA)
    channel.leave(BEA)
    channel.settle()
    channel.join(CAM)
    everybody_hears_everybody(channel)
    assert channel.delivery.members.index(CAM) == free


def test_ten_comings_and_goings_with_speech_after_each() -> None:
    channel = channel_of(ADA, BOT)
    for user, comes in ((BEA, 1), (CAM, 1), (ADA, 0), (BEA, 0), (ADA, 1), (CAM, 0), (BEA, 1), (CAM, 1)):
        channel.join(user) if comes else channel.leave(user)
        everybody_hears_everybody(channel)
    channel.leave(BOT)
    everybody_hears_everybody(channel)
    channel.join(BOT)
    everybody_hears_everybody(channel)
    assert not any(member.troubles for member in channel.members.values())


def test_a_member_who_returns_at_once_is_removed_before_he_is_added() -> None:
    channel = channel_of(ADA, BEA, BOT)
    channel.leave(BEA)
    channel.join(BEA)  # nobody has committed his Remove yet
    everybody_hears_everybody(channel)
    assert channel.delivery.epoch == 4
    assert not channel.members[ADA].troubles


def test_a_member_on_a_new_line_is_removed_and_added_though_he_never_left() -> None:
    channel = channel_of(ADA, BOT)
    channel.join(BOT)
    everybody_hears_everybody(channel)
    assert not channel.members[ADA].troubles


@pytest.mark.parametrize("winner", [ADA, BOT])
def test_only_the_commits_of_those_preferred_win(winner: int) -> None:
    channel = Channel()
    channel.delivery.committers = frozenset({winner})
    for user in (ADA, BOT):
        channel.join(user)
    everybody_hears_everybody(channel)
    channel.join(CAM)
    everybody_hears_everybody(channel)
    # His own commit comes back to him; the founder has leaf 0.
    assert channel.delivery.members[0] == winner
    assert channel.members[winner].ops(29, 30) == [29, 29]


def test_a_commit_that_lost_wins_after_all_when_the_preferred_member_leaves() -> None:
    channel = channel_of(ADA, BEA, BOT)
    channel.delivery.committers = frozenset({BOT})
    channel.members[BOT].commits = False
    channel.join(CAM)
    channel.settle()
    assert CAM not in channel.delivery.members
    channel.leave(BOT)
    everybody_hears_everybody(channel)


@pytest.mark.parametrize("first_is_zero", [True, False])
def test_the_first_transition_is_confirmed_only_if_it_has_an_id(first_is_zero: bool) -> None:
    channel = channel_of(ADA, BOT, first_is_zero=first_is_zero)
    assert channel.members[BOT].ops(22) == ([] if first_is_zero else [22])
    channel.join(CAM)
    everybody_hears_everybody(channel)
    assert channel.members[CAM].ops(22) == [22]


def test_a_transition_waits_for_all_until_its_time_is_up() -> None:
    channel = channel_of(ADA, BOT)
    channel.members[ADA].confirms = False
    channel.join(CAM)
    channel.settle()
    (transition,) = channel.delivery.transitions
    assert channel.members[BOT].ops(22) == []
    channel.mail += channel.delivery.expire(transition)
    assert channel.delivery.expire(transition) == []
    everybody_hears_everybody(channel)
    assert channel.members[ADA].ops(22) == [22]


def test_a_transition_does_not_wait_for_somebody_who_left() -> None:
    channel = channel_of(ADA, BEA, BOT)
    channel.members[ADA].confirms = False
    channel.join(CAM)
    channel.settle()
    channel.leave(ADA)
    everybody_hears_everybody(channel)


@pytest.mark.parametrize("spoilt", [ADA, CAM])
def test_who_gets_an_invalid_commit_or_welcome_is_removed_and_added_again(spoilt: int) -> None:
    channel = channel_of(ADA, BOT)
    channel.delivery.committers = frozenset({BOT})
    channel.delivery.spoil(spoilt)
    channel.join(CAM)
    everybody_hears_everybody(channel)
    assert len(channel.members[spoilt].troubles) >= 1
    assert not channel.members[BOT].troubles


def test_a_proposal_of_another_epoch_makes_a_member_begin_again() -> None:
    channel = channel_of(ADA, BOT)
    channel.mail += channel.delivery.stray(BOT)
    everybody_hears_everybody(channel)
    (trouble,) = channel.members[BOT].troubles
    assert "WrongEpoch" in trouble


def test_all_members_may_fail_at_once() -> None:
    channel = channel_of(ADA, BOT)
    for user in (ADA, BOT):
        channel.mail += channel.delivery.stray(user)
    everybody_hears_everybody(channel)


def test_who_is_left_alone_starts_a_new_group_and_is_joined_in_it() -> None:
    channel = channel_of(ADA, BOT)
    bot = channel.members[BOT]
    channel.leave(ADA)
    channel.settle()
    assert bot.heard[-2:] == [
        (24, {"protocol_version": 1, "epoch": 1}),
        (21, {"protocol_version": 1, "transition_id": 0}),
    ]
    assert channel.delivery.epoch == 0
    assert not bot.ready
    channel.join(ADA)
    everybody_hears_everybody(channel)
    assert channel.delivery.epoch == 1


def test_who_leaves_before_there_is_a_group_is_revoked() -> None:
    channel = Channel()
    bot, ada, bea = (channel.join(user) for user in (BOT, ADA, BEA))
    for member in (bot, ada, bea):
        member.commits = False
    channel.settle()
    channel.leave(ADA)
    bot.commits = bea.commits = True
    everybody_hears_everybody(channel)
    kinds = [body[0] for op, body in bot.heard if op == 27 and isinstance(body, bytes)]
    assert kinds == [0, 0, 1, 0]
    assert set(channel.delivery.members) == {BOT, BEA}


def test_a_channel_goes_down_to_no_encryption_and_up_again() -> None:
    channel = channel_of(ADA, BOT)
    channel.mail += channel.delivery.downgrade()
    channel.settle()
    assert channel.members[BOT].ops(21, 22) == [21, 22]
    plain_frames_pass(channel)
    assert channel.delivery.settled
    channel.mail += channel.delivery.upgrade()
    everybody_hears_everybody(channel)


def test_a_participant_without_dave_takes_everybody_down_until_he_leaves() -> None:
    channel = channel_of(ADA, BOT)
    channel.join(CAM, version=0)
    bea = channel.join(BEA)  # comes while it is down, and so has no session yet
    channel.settle()
    assert bea.version == 0
    plain_frames_pass(channel)
    channel.leave(CAM)
    channel.settle()
    assert bea.session is not None
    everybody_hears_everybody(channel)


def test_an_upgrade_overtakes_a_downgrade_that_nobody_executed() -> None:
    channel = channel_of(ADA, BOT)
    channel.join(CAM, version=0)
    channel.leave(CAM)
    everybody_hears_everybody(channel)
    assert channel.members[BOT].version == 1
    assert channel.members[BOT].ops(22) == []


def act_of_chance(channel: Channel, chance: random.Random) -> None:
    user = chance.randrange(1, 6)
    if user not in channel.members:
        channel.join(user)
        return
    healthy = channel.delivery.settled and channel.delivery.epoch > 0
    match chance.randrange(10):
        case 0 | 1 if healthy:
            channel.delivery.spoil(user)
        case 2 if healthy:
            channel.mail += channel.delivery.stray(user)
        case 3:
            channel.join(user)
        case _:
            channel.leave(user)


def some_letters_arrive(channel: Channel, chance: random.Random) -> None:
    """Each one's letters keep their order; between people there is none."""
    for _ in range(chance.randrange(12)):
        readers = sorted({send.to for send in channel.mail})
        writers = [user for user, member in channel.members.items() if member.out]
        if readers and (not writers or chance.random() < 0.5):
            channel.deliver(chance.choice(readers))
        elif writers:
            channel.hear(chance.choice(writers))


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_in_whatever_order_they_end_in_one_group(seed: int) -> None:
    chance = random.Random(seed)
    channel = Channel(Delivery(CHANNEL, first_is_zero=chance.random() < 0.5))
    for _ in range(12):
        act_of_chance(channel, chance)
        some_letters_arrive(channel, chance)
    everybody_hears_everybody(channel)


def test_each_newcomer_gets_his_own_secret_only() -> None:
    channel = Channel()
    for user in (ADA, BEA, BOT):
        channel.join(user)
    channel.settle()
    welcomes = [
        read_welcome(body[2:])
        for member in channel.members.values()
        for op, body in member.heard
        if op == 30 and isinstance(body, bytes)
    ]
    assert [len(welcome.secrets) for welcome in welcomes] == [1, 1]
    assert welcomes[0].secrets != welcomes[1].secrets
    assert welcomes[0].group_info == welcomes[1].group_info


def test_a_key_package_in_another_name_or_from_a_stranger_changes_nothing() -> None:
    delivery = Delivery(CHANNEL)
    _, package = Member(ADA).out[0]
    assert isinstance(package, bytes)
    assert delivery.key_package(ADA, package) == []
    assert delivery.connected(BOT) == [Send(BOT, 25, delivery.external_sender())]
    with pytest.raises(Malformed, match="somebody else's name"):
        delivery.key_package(BOT, package)
    with pytest.raises(Malformed):
        delivery.key_package(BOT, package[:-1] + bytes([package[-1] ^ 1]))


def test_a_commit_for_another_channel_is_refused() -> None:
    channel = channel_of(ADA)
    channel.join(BOT)
    while not channel.members[ADA].out:
        channel.deliver() if channel.mail else channel.hear(BOT)
    op, commit = channel.members[ADA].out[0]
    assert op == 28
    assert isinstance(commit, bytes)
    with pytest.raises(Malformed, match="another group"):
        Delivery(CHANNEL + 1).commit_welcome(ADA, commit)
    assert read_commit(commit).welcome is not None


@given(st.binary(max_size=20_000))
def test_a_vector_is_read_as_it_was_written(body: bytes) -> None:
    reader = Reader(vector(body) + b"rest")
    assert reader.vector() == body
    assert reader.take(4) == b"rest"
    reader.end()


@given(st.lists(st.tuples(st.binary(min_size=32, max_size=32), st.binary(), st.binary())), st.binary())
def test_a_welcome_is_read_as_it_was_written(people: list[tuple[bytes, bytes, bytes]], info: bytes) -> None:
    secrets = [(name, vector(kem) + vector(text)) for name, kem, text in people]
    body = write_welcome([vector(name) + secret for name, secret in secrets], info)
    assert read_welcome(body) == Welcome(secrets=tuple(secrets), group_info=info)


@given(
    st.binary(max_size=600),
    st.integers(0, 500),
    st.sampled_from([b"", bytes([0, 1, 0, 2]), bytes([0, 1, 0, 1])]),
)
def test_garbage_is_malformed_and_nothing_else(garbage: bytes, cut: int, head: bytes) -> None:
    _, package = Member(ADA).out[0]
    assert isinstance(package, bytes)
    for body in (head + garbage, package[:cut] + garbage):
        for read in (read_key_package, read_commit, read_welcome):
            try:
                read(body)
            except Malformed:
                continue
