"""The switches of the voice servers do what they say, to people as to the bot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.discord.account import logged_in
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice import group
from tests.loopback.discord.voice.faults import Weather
from tests.loopback.discord.voice.library import hang_up, join, wake_the_reader
from tests.loopback.discord.voice.record import Kind
from tests.loopback.discord.voice.tones import packets
from tests.loopback.discord.voice.wire import Op


@pytest.fixture
def server() -> Iterator[Discord]:
    with Discord() as opened:
        yield opened


@pytest.fixture
def guild(server: Discord) -> Guild:
    return server.guild("Home")


@pytest.fixture
def room(guild: Guild) -> VoiceRoom:
    return guild.voice("General")


def person(server: Discord, guild: Guild, name: str, *, dave: int = 1) -> Participant:
    return Participant(server.voice, guild.member(name), dave=dave)


def test_proposals_can_come_before_the_names_in_them(server: Discord, guild: Guild, room: VoiceRoom) -> None:
    ada, bert = person(server, guild, "Ada"), person(server, guild, "Bert")
    server.voice.faults.late_names.add(bert.id)

    ada.join(room)
    bert.join(room)
    ada.wait_for_group(bert.id)
    bert.wait_for_group(ada.id)

    told = bert.record.from_server()
    assert told.index(Op.PROPOSALS) < told.index(Op.CLIENTS_CONNECT)
    assert bert.group_errors


def test_whoever_knows_no_encryption_takes_it_from_all_until_he_goes(
    server: Discord, guild: Guild, room: VoiceRoom
) -> None:
    server.voice.faults.require_dave = False
    ada, bert = person(server, guild, "Ada"), person(server, guild, "Bert")
    old = person(server, guild, "Old", dave=0)
    ada.join(room)
    bert.join(room)
    first = ada.wait_for_group(bert.id)

    old.join(room)
    ada.wait(lambda: not ada.client.member.version)
    ada.send_packet(packets(440, 0.02)[0])
    old.wait_for_sound(ada.id, 1)
    old.leave()
    ada.wait(lambda: ada.privacy_code not in {first, ""})

    assert bert.wait_for_group(ada.id) == ada.privacy_code
    assert ada.record.count(Kind.PLAIN) == 1
    assert ada.record.leaked() == []


def test_a_spoilt_commit_is_refused_and_its_reader_let_in_anew(
    server: Discord, guild: Guild, room: VoiceRoom
) -> None:
    ada, bert, cleo = (person(server, guild, name) for name in ("Ada", "Bert", "Cleo"))
    ada.join(room)
    bert.join(room)
    ada.wait_for_group(bert.id)

    def spoil(keys: group.Group) -> None:
        keys.delivery.committers = frozenset({bert.id})
        keys.spoil(ada.id)

    server.voice.in_group(guild.id, room.id, spoil)

    cleo.join(room)

    for one, others in ((ada, (bert, cleo)), (bert, (ada, cleo)), (cleo, (ada, bert))):
        one.wait_for_group(*(other.id for other in others))
    assert Op.INVALID_COMMIT_WELCOME in ada.record.from_client()
    assert ada.client.member.recoveries == 1


def test_a_transition_waits_only_so_long_for_him_who_does_not_answer(
    server: Discord, guild: Guild, room: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group, "PATIENCE_SECONDS", 0.1)
    ada, bert, cleo = (person(server, guild, name) for name in ("Ada", "Bert", "Cleo"))
    ada.join(room)
    bert.join(room)
    ada.wait_for_group(bert.id)
    bert.wait_for_group(ada.id)
    server.voice.half_open(bert.id)

    cleo.join(room)
    cleo.wait_for_group(ada.id, bert.id)

    ada.wait(lambda: Op.EXECUTE_TRANSITION in ada.record.from_server())
    assert bert.record.from_client().count(Op.TRANSITION_READY) == 0


def test_what_is_lost_on_the_way_to_the_server_nobody_hears(
    server: Discord, guild: Guild, room: VoiceRoom
) -> None:
    ada, bert = person(server, guild, "Ada"), person(server, guild, "Bert")
    ada.join(room)
    bert.join(room)
    ada.wait_for_group(bert.id)
    bert.wait_for_group(ada.id)
    weather = server.voice.faults.upstream = Weather(loss=0.3, seed=5)

    for packet in packets(440, 1.0):
        ada.send_packet(packet)
    ada.wait(lambda: len(ada.record.arrivals) + weather.happened["lost"] == 50)
    bert.wait_for_sound(ada.id, len(ada.record.arrivals))

    assert weather.happened["lost"] > 5
    assert len(bert.heard) == len(ada.record.arrivals)


def test_a_stage_has_no_encryption(server: Discord, guild: Guild) -> None:
    stage = guild.stage("Talk")
    ada, bert = person(server, guild, "Ada"), person(server, guild, "Bert")
    ada.join(stage)
    bert.join(stage)

    sound = packets(440, 0.02)[0]
    ada.send_packet(sound)
    bert.wait_for_sound(ada.id, 1)

    assert [one.opus for one in bert.heard] == [sound]
    assert not {25, 26, 27} & {*ada.record.from_client(), *ada.record.from_server()}


def test_what_is_not_answered_is_seen_in_the_record(server: Discord, guild: Guild, room: VoiceRoom) -> None:
    ada = person(server, guild, "Ada")
    faults = server.voice.faults
    faults.heartbeat_ms, faults.next_ssrc = 20.0, [77]
    faults.heartbeats_unanswered.add(ada.id)

    ada.join(room)
    ada.wait(lambda: ada.record.from_client().count(Op.HEARTBEAT) > 3)

    assert Op.HEARTBEAT_ACK not in ada.record.from_server()
    assert len(ada.record.keepalives) > 1
    assert ada.client.ssrc == ada.record.ssrc == 77


def test_connections_are_refused_for_as_long_as_was_said(
    server: Discord, guild: Guild, room: VoiceRoom
) -> None:
    ada = person(server, guild, "Ada")
    ada.join(room)

    server.voice.refuse_connections_for(0.15)
    server.voice.abort(ada.id)

    ada.wait(lambda: ada.resumed == 1)
    assert server.voice.endpoints[0].attempts == 2


def test_a_person_whose_first_line_cannot_be_opened_tries_again(
    server: Discord, guild: Guild, room: VoiceRoom
) -> None:
    ada = person(server, guild, "Ada")
    server.voice.refuse_connections_for(0.15)

    ada.join(room)

    assert ada.client.ssrc == ada.record.ssrc


def test_the_library_follows_its_server_to_another_endpoint(
    server: Discord, guild: Guild, room: VoiceRoom
) -> None:
    ada = person(server, guild, "Ada")
    server.voice.faults.heartbeat_ms = 100.0  # with each we look again
    ada.join(room)
    with logged_in(server) as account:
        voice = join(account, room.id)
        first = ada.wait_for_group(server.user)

        wake_the_reader(server)
        server.voice.move(guild.id)
        guild.bot.new_server()
        ada.wait(lambda: ada.privacy_code not in {first, ""})

        server.wait(lambda: voice.voice_privacy_code == ada.privacy_code)
        hang_up(server, account, voice)
    assert server.voice.desk.refused == []
    assert len(server.voice.endpoints[1].rooms) == 1
