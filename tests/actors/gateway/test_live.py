"""What happens on Discord reaches the house in its own words, and a connection that breaks comes back."""

from __future__ import annotations

from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TypeVar

import pytest

from actors.gateway.live.account import LiveAccount
from actors.net.loop import IoLoop
from messages.gateway import (
    GatewayAway,
    GatewayBack,
    GatewayGone,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    RoomLost,
    RoomRoster,
    RoomSeen,
)
from messages.ids import GuildId, PersonId
from messages.people import Person
from tests.actors.gateway.living import AUDIOOP, Living, room_of
from tests.loopback.discord import shapes
from tests.loopback.discord.body import Json
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.people import Member
from tests.loopback.discord.session import Intent

pytestmark = pytest.mark.filterwarnings(AUDIOOP)
T = TypeVar("T")


def person(member: Member, *, bot: bool = False) -> Person:
    return Person(id=PersonId(str(member.id)), label=member.name, bot=bot)


# --- rooms and people -----------------------------------------------------------------------------


def test_he_sees_every_room_and_who_is_in_it(life: Living, home: Guild) -> None:
    general, stage, text = home.voice("General"), home.stage("Talk"), home.text("chat")
    ada, radio = home.member("Ada"), home.member("Radio", bot=True)
    ada.join(general)
    radio.join(general)
    ready = life.open()
    assert ready.account.bot
    assert {(room.name, room.stage, room.guild) for room in ready.rooms} == {
        ("General", False, GuildId(str(home.id))),
        ("Talk", True, GuildId(str(home.id))),
    }
    assert room_of(text) not in {room.id for room in ready.rooms}
    roster = life.expect(RoomRoster, lambda roster: roster.room == room_of(general))
    assert set(roster.people) == {person(ada), person(radio, bot=True)}
    assert life.expect(RoomRoster, lambda roster: roster.room == room_of(stage)).people == ()


class Nowhere(IoLoop):
    """A loop on which nothing may be begun."""

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        work.close()
        raise AssertionError("it logs in")


def test_an_account_that_was_given_up_before_it_opened_logs_in_nowhere(life: Living, home: Guild) -> None:
    room = home.voice("General")
    late = LiveAccount(Nowhere(), life.board, life.discord.token)
    life.account = life.new_account()
    late.open(life.told.tell)
    life.open()
    late.open(life.told.tell)
    life.account.enter(room_of(room))
    life.discord.wait(lambda: home.bot.room == room.id, what="his coming")


def test_people_come_go_and_move_but_a_microphone_is_no_arrival(life: Living, home: Guild) -> None:
    general, music = home.voice("General"), home.voice("Music")
    ada = home.member("Ada")
    life.open()
    ada.join(general)
    assert life.expect(MemberArrived) == MemberArrived(room=room_of(general), person=person(ada))
    ada.set_microphone(muted=True)
    ada.server_mute()
    ada.move(music)
    assert life.expect(MemberDeparted) == MemberDeparted(room=room_of(general), person=person(ada).id)
    assert life.expect(MemberArrived) == MemberArrived(room=room_of(music), person=person(ada))
    ada.leave()
    assert life.expect(MemberDeparted).room == room_of(music)
    assert len(life.received(MemberArrived)) == 2


def test_whoever_hurries_through_is_never_told_to_be_in_two_rooms(life: Living, home: Guild) -> None:
    rooms = [home.voice(f"Room {number}") for number in range(3)]
    ada = home.member("Ada")
    life.open()
    for room in rooms * 5:
        ada.join(room)
    ada.leave()
    home.member("Ben").join(rooms[0])
    life.expect(MemberArrived, lambda arrival: arrival.person.label == "Ben")
    steps = [event for event in life.told.received() if isinstance(event, MemberArrived | MemberDeparted)]
    assert [type(step) for step in steps] == [MemberArrived, MemberDeparted] * (len(steps) // 2) + [
        MemberArrived
    ]


def test_rooms_come_are_renamed_and_go(life: Living, home: Guild) -> None:
    life.open()
    attic = home.voice("Attic")
    assert life.expect(RoomSeen).room.name == "Attic"
    attic.rename("Loft")
    assert life.expect(RoomSeen).room.name == "Loft"
    attic.delete()
    assert life.expect(RoomLost).room == room_of(attic)


def test_what_he_may_do_in_a_room_is_known_before_anybody_asks(life: Living, home: Guild) -> None:
    general, secret = home.voice("General"), home.voice("Secret")
    secret.deny("view_channel")
    ready = life.open()
    assert {room.name: room.barred for room in ready.rooms} == {"General": "", "Secret": "view_channel"}
    general.deny("connect")
    assert life.expect(RoomSeen).room.barred == "connect"
    boss = home.role("Boss", "administrator")
    home.give(home.bot, boss)
    life.expect(RoomSeen, lambda seen: (seen.room.name, seen.room.barred) == ("General", ""))
    life.expect(RoomSeen, lambda seen: (seen.room.name, seen.room.barred) == ("Secret", ""))
    home.give(home.bot)
    life.expect(RoomSeen, lambda seen: seen.room.barred == "view_channel")
    home.forbid("connect")
    lobby = home.voice("Lobby")
    assert life.expect(RoomSeen, lambda seen: seen.room.id == room_of(lobby)).room.barred == "connect"
    home.allow("connect")
    life.expect(RoomSeen, lambda seen: (seen.room.id, seen.room.barred) == (room_of(lobby), ""))


def test_a_role_that_is_taken_from_the_whole_server_is_taken_from_him(life: Living, home: Guild) -> None:
    secret, key = home.voice("Secret"), home.role("Key", "administrator")
    secret.deny("view_channel")
    home.give(home.bot, key)
    assert [room.barred for room in life.open().rooms] == [""]
    gone: Json = {"guild_id": str(home.id), "role_id": str(key.id)}
    secret._front.ground.run(lambda: secret._front.gateway.tell("GUILD_ROLE_DELETE", gone, Intent.GUILDS))
    assert life.expect(RoomSeen).room.barred == "view_channel"


def test_a_room_with_few_seats_is_full_for_him_unless_he_may_move_people(life: Living, home: Guild) -> None:
    den = home.voice("Den")
    life.open()
    shape = shapes.channel(den.state, life.discord.world) | {"user_limit": 2}
    den._front.ground.run(lambda: den._front.gateway.tell("CHANNEL_UPDATE", shape, Intent.GUILDS))
    assert life.expect(RoomSeen).room.seats == 2
    home.give(home.bot, home.role("Mover", "move_members"))
    assert life.expect(RoomSeen).room.seats is None


def test_a_guild_in_an_outage_does_not_keep_him_from_the_others(life: Living, home: Guild) -> None:
    home.voice("General")
    away = life.discord.guild("Away")
    away.outage()
    assert [room.name for room in life.open().rooms] == ["General"]
    lobby = away.voice("Lobby")
    away.recover()
    life.expect(RoomSeen, lambda seen: seen.room.id == room_of(lobby))


def test_a_guild_may_invite_him_and_throw_him_out(life: Living) -> None:
    life.open()
    away = life.discord.guild("Away")
    lobby = away.voice("Lobby")
    assert life.expect(RoomSeen).room.id == room_of(lobby)
    away.remove_bot()
    assert life.expect(RoomLost).room == room_of(lobby)


def test_a_guild_that_comes_back_after_an_outage_is_told_again(life: Living, home: Guild) -> None:
    general = home.voice("General")
    ada = home.member("Ada")
    life.open()
    home.outage()
    ada.join(general)
    home.recover()
    assert life.expect(RoomSeen).room.id == room_of(general)
    life.expect(RoomRoster, lambda roster: roster.people == (person(ada),))
    assert life.received(RoomLost) == []


# --- the connection -------------------------------------------------------------------------------


def test_a_resumed_connection_has_missed_nothing(life: Living, home: Guild) -> None:
    general = home.voice("General")
    ada = home.member("Ada")
    life.open()
    life.discord.gateway.drop(4000)
    assert life.expect(GatewayAway).reason == "disconnected"
    ada.join(general)
    life.expect(GatewayBack)
    assert life.expect(MemberArrived).person == person(ada)
    assert len(life.received(GatewayReady)) == 1


def test_a_new_login_tells_everything_again(life: Living, home: Guild) -> None:
    general = home.voice("General")
    ada = home.member("Ada")
    life.open()
    ada.join(general)
    life.expect(MemberArrived)
    life.told.clear()
    life.discord.gateway.re_identify()
    life.expect(GatewayAway)
    assert [room.name for room in life.expect(GatewayReady).rooms] == ["General"]
    assert life.expect(RoomRoster).people == (person(ada),)


def test_a_token_that_discord_does_not_know_is_said_plainly(life: Living) -> None:
    life.account = life.new_account(token="nonsense")
    life.account.open(life.told.tell)
    gone = life.expect(GatewayGone)
    assert gone.reason == "token_refused"
    assert "Reset Token" in gone.remedy
    assert "nonsense" not in repr(life.account)


def test_the_token_of_a_person_is_refused(life: Living) -> None:
    life.discord.world.bot.bot = False
    life.account.open(life.told.tell)
    gone = life.expect(GatewayGone)
    assert gone.reason == "user_token"
    assert "forbids" in gone.remedy


def test_an_intent_that_is_switched_off_is_named(life: Living) -> None:
    life.discord.gateway.refuse(4014)
    life.account.open(life.told.tell)
    gone = life.expect(GatewayGone)
    assert gone.reason == "missing_intent"
    assert "Message Content Intent" in gone.remedy


def test_a_login_that_is_closed_as_unauthenticated_is_a_bad_token(life: Living) -> None:
    life.discord.gateway.refuse(4004)
    life.account.open(life.told.tell)
    assert life.expect(GatewayGone).reason == "token_refused"


def test_a_discord_that_cannot_be_reached_is_tried_again(life: Living) -> None:
    life.discord.network.cut()
    life.account.open(life.told.tell)
    assert life.expect(GatewayAway).reason in {"discord_unreachable", "proxy_unreachable"}
    life.discord.network.mend()
    life.expect(GatewayReady)


def test_a_proxy_that_is_not_there_is_named(life: Living) -> None:
    life.account = life.new_account(proxy="http://127.0.0.1:9")
    life.account.open(life.told.tell)
    away = life.expect(GatewayAway)
    assert away.reason == "proxy_unreachable"
    assert "see that the proxy runs" in away.remedy


def test_a_closed_account_tells_nothing_more_and_leaves_nothing_behind(life: Living, home: Guild) -> None:
    general = home.voice("General")
    life.open()
    life.account.close()
    life.discord.wait(lambda: not life.discord.gateway.connected)
    life.told.clear()
    home.member("Ada").join(general)
    assert life.told.received() == []


def test_a_file_of_authorities_that_cannot_be_read_is_named(life: Living) -> None:
    life.discord.ca_file = life.discord.ca_file.with_name("nobody.pem")
    life.account = life.new_account()
    life.account.open(life.told.tell)
    assert "nobody.pem" in life.expect(GatewayGone).remedy
