"""The voice servers take nothing that Discord's would not take."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice import rtp, wire
from tests.loopback.discord.voice.client import Client, Pass
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.tones import packets
from tests.loopback.discord.voice.wire import AES, MODES, Body, Op

SOUND = packets(440, 0.02)[0]


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


@pytest.fixture
def pair(server: Discord, guild: Guild, room: VoiceRoom) -> tuple[Participant, Participant]:
    """Ada and Bert in one group."""
    ada, bert = (Participant(server.voice, guild.member(name)) for name in ("Ada", "Bert"))
    ada.join(room)
    bert.join(room)
    ada.wait_for_group(bert.id)
    bert.wait_for_group(ada.id)
    return ada, bert


def say(server: Discord, person: Participant, op: Op, body: Body) -> None:
    """Let his client say something that it never would."""
    server.ground.run(lambda: person.client._say(op, body))


def come_again(server: Discord, admitted: Pass) -> Client:
    """Another client with the same token."""

    def dial() -> Client:
        client = Client(
            admitted,
            http=server.voice.http,
            modes=MODES,
            dave=1,
            hear=lambda _heard: None,
            changed=server.voice.changed,
        )
        server.voice.visits.add(server.ground.spawn(client.run()))
        return client

    return server.ground.run(dial)


def selecting(**wrong: object) -> Body:
    """An op 1 with something wrong in it."""
    return {"protocol": "udp", "data": {"address": "127.0.0.1", "port": 9, "mode": AES} | wrong}


@pytest.mark.parametrize(
    ("op", "body", "code"),
    [
        (Op.IDENTIFY, {}, 4005),
        (Op.RESUME, {}, 4005),
        (Op.HELLO, {}, 4001),
        (Op.SELECT_PROTOCOL, {"protocol": "webrtc", "data": {}}, 4012),
        (Op.SELECT_PROTOCOL, {"protocol": "udp"}, 4012),
        (Op.SELECT_PROTOCOL, selecting(mode="xsalsa20_poly1305"), 4016),
    ],
)
def test_what_nobody_may_say_ends_the_connection_with_its_code(
    server: Discord, pair: tuple[Participant, Participant], op: Op, body: Body, code: int
) -> None:
    ada, _ = pair

    say(server, ada, op, body)

    ada.wait(lambda: ada.client.closed_with == code)
    assert not ada.connected


def test_a_binary_message_that_means_nothing_ends_the_connection(
    server: Discord, pair: tuple[Participant, Participant]
) -> None:
    ada, _ = pair

    server.ground.run(lambda: ada.client._answer([(Op.COMMIT_WELCOME, b"no commit")]))

    ada.wait(lambda: ada.client.closed_with == 4020)
    assert ada.record.unfit == {"malformed_28": 1}


def test_the_second_client_with_a_token_ends_the_first(
    server: Discord, pair: tuple[Participant, Participant]
) -> None:
    ada, bert = pair

    second = come_again(server, ada.client.admitted)

    ada.wait(lambda: ada.client.closed_with == 4009)
    server.wait(lambda: second.up)
    bert.wait(lambda: bert.record.from_server().count(Op.CLIENTS_CONNECT) == 2)


def test_a_token_can_be_good_for_one_identify_only(
    server: Discord, pair: tuple[Participant, Participant]
) -> None:
    ada, _ = pair
    server.voice.faults.single_use = True

    second = come_again(server, ada.client.admitted)

    server.wait(lambda: second.closed_with == 4006)
    assert ada.connected


@pytest.mark.parametrize("put_out", [True, False])
def test_who_has_gone_or_lost_his_session_needs_a_new_token(
    server: Discord, pair: tuple[Participant, Participant], put_out: bool
) -> None:
    ada, _ = pair
    if put_out:
        ada.member.leave()
    else:
        server.voice.drop(ada.id, 4006)
    ada.wait(lambda: not ada.connected)

    second = come_again(server, ada.client.admitted)

    server.wait(lambda: second.closed_with == 4006)


def test_a_token_is_good_at_its_own_server_only(
    server: Discord, guild: Guild, pair: tuple[Participant, Participant]
) -> None:
    ada, _ = pair
    old = ada.client.admitted.endpoint
    server.voice.move(guild.id)
    ada.wait(lambda: ada.connected and ada.client.admitted.endpoint != old)

    second = come_again(server, replace(ada.client.admitted, endpoint=old))

    server.wait(lambda: second.closed_with == 4006)
    assert ada.connected


def test_whoever_comes_later_is_told_who_speaks_under_which_number(
    server: Discord, guild: Guild, room: VoiceRoom, pair: tuple[Participant, Participant]
) -> None:
    ada, bert = pair
    cleo = Participant(server.voice, guild.member("Cleo"))

    cleo.join(room)

    wanted = {ada.client.ssrc: ada.id, bert.client.ssrc: bert.id}
    cleo.wait(lambda: cleo.client.speakers == wanted)


def test_sound_goes_only_where_a_client_said_that_he_listens(
    server: Discord, pair: tuple[Participant, Participant]
) -> None:
    ada, bert = pair

    say(server, bert, Op.SELECT_PROTOCOL, selecting())
    bert.wait(lambda: bert.record.from_client().count(Op.SELECT_PROTOCOL) == 2)
    ada.send_packet(SOUND)
    ada.wait(lambda: ada.record.arrivals)

    server.voice.throw(bert.id, b"afterwards")
    bert.wait(lambda: bert.unreadable)
    assert bert.heard == ()
    assert bert.unreadable == {"NoPacket": 1}


def test_nobody_is_heard_who_never_said_that_he_speaks(
    server: Discord, pair: tuple[Participant, Participant]
) -> None:
    ada, bert = pair

    def forget() -> Session:
        session = server.voice.desk.sessions(ada.id)[-1]
        session.speaking = None
        return session

    server.ground.run(forget)
    ada.send_packet(SOUND)
    ada.wait(lambda: ada.record.unfit["before_speaking"] == 1)
    ada.signal_speaking(on=True)
    ada.wait(lambda: ada.record.from_client()[-1] == Op.SPEAKING)
    ada.send_packet(SOUND)
    bert.wait_for_sound(ada.id, 1)

    assert len(ada.record.arrivals) == 1


def test_nobody_speaks_in_the_name_of_another(server: Discord, pair: tuple[Participant, Participant]) -> None:
    ada, bert = pair
    sfu = server.voice.endpoints[0].sfu

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for datagram in (
            rtp.header(1, 960, ada.client.ssrc) + bytes(40),
            bytes(8),
            wire.discovery_request(7),
        ):
            stranger.sendto(datagram, ("127.0.0.1", sfu.port))
        ada.wait(lambda: sfu.strays.total() == 3)

    assert sfu.strays == {"sound": 1, "keepalive": 1, "discovery": 1}
    assert not ada.record.unfit
    assert bert.heard == ()
