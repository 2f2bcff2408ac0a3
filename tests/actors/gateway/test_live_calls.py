"""The account orders and overhears its own voice, and no letter of an earlier call reaches a later one."""

from __future__ import annotations

import asyncio

import pytest

from actors.gateway.live.account import LiveAccount
from messages.gateway import GatewayReady, OwnVoiceHindered, OwnVoiceMoved, RoomLost
from messages.ids import GuildId, RoomId
from tests.actors.gateway.living import AUDIOOP, SECONDS, Living, room_of
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.rooms import VoiceRoom

pytestmark = pytest.mark.filterwarnings(AUDIOOP)


@pytest.fixture
def general(home: Guild) -> VoiceRoom:
    return home.voice("General")


def moved(home: Guild, room: VoiceRoom | None) -> OwnVoiceMoved:
    return OwnVoiceMoved(guild=GuildId(str(home.id)), room=None if room is None else room_of(room))


def come(life: Living, home: Guild, room: VoiceRoom) -> None:
    """He is in the room, and a link has its pair."""
    life.account.enter(room_of(room))
    life.board.connect(room_of(room), life.ear)
    # That he left just before is told only if Discord was quicker than the next order.
    assert life.expect(OwnVoiceMoved, lambda one: one.room is not None) == moved(home, room)
    life.ear.heard(2)


def registered(life: Living) -> int:
    """How many calls discord.py knows."""

    async def count() -> int:
        await asyncio.sleep(0)
        session = life.account._session
        assert session is not None
        return 0 if session._client is None else len(session._client.voice_clients)

    return life.loop.submit(count()).result(SECONDS)


# --- coming and going -----------------------------------------------------------------------------


def test_he_comes_the_link_gets_its_pair_and_he_goes(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.open()
    life.account.enter(room_of(general))
    assert life.expect(OwnVoiceMoved) == moved(home, general)
    caller = life.board.connect(room_of(general), life.ear)
    assert caller is not None
    assert (caller.user, caller.guild, caller.channel) == (life.discord.user, home.id, general.id)
    state, server = life.ear.heard(2)
    assert (state[0], state[2], server[0]) == ("state", str(general.id), "server")
    life.account.enter(room_of(general))
    life.account.leave(room_of(general))
    assert life.expect(OwnVoiceMoved) == moved(home, None)
    assert life.ear.heard(1) == [("state", None, None)]
    assert life.discord.calls.requests == [(home.id, general.id), (home.id, None)]
    assert registered(life) == 0


def test_either_order_of_state_and_server_makes_a_pair(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.discord.calls.server_first = True
    life.open()
    come(life, home, general)
    life.board.redial(room_of(general), life.ear)
    assert [letter[0] for letter in life.ear.heard(2)] == ["state", "server"]


def test_a_link_that_dials_anew_is_no_news_for_the_gateway(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    life.open()
    come(life, home, general)
    life.board.redial(room_of(general), life.ear)
    life.ear.heard(2)
    assert life.received(OwnVoiceMoved) == [moved(home, general)]
    assert registered(life) == 1


def test_a_call_back_right_after_a_farewell_is_answered_for_itself(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    life.open()
    come(life, home, general)
    for _ in range(3):
        life.account.leave(room_of(general))
        life.board.disconnect(life.ear)
        come(life, home, general)
    assert home.bot.room == general.id
    assert registered(life) == 1


def test_an_order_that_got_lost_is_repeated(
    life: Living, home: Guild, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.gateway.live.calls.ANSWER_SECONDS", 0.2)
    life.discord.calls.unanswered = 1
    life.open()
    come(life, home, general)
    assert life.discord.calls.requests == [(home.id, general.id)] * 2


def test_an_order_that_nobody_answers_is_said_to_be_unanswered(
    life: Living, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.gateway.live.calls.ANSWER_SECONDS", 0.1)
    life.discord.calls.unanswered = 2
    life.open()
    life.board.connect(room_of(general), life.ear)
    assert life.ear.heard(1) == [("unreachable", "no_answer")]


# --- what others do to him ------------------------------------------------------------------------


def test_a_kick_is_told_and_leaves_nothing_registered(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.open()
    come(life, home, general)
    home.bot.kick()
    assert life.expect(OwnVoiceMoved) == moved(home, None)
    assert life.ear.heard(1) == [("state", None, None)]
    assert registered(life) == 0
    come(life, home, general)


def test_a_move_is_told_with_its_new_server(life: Living, home: Guild, general: VoiceRoom) -> None:
    music = home.voice("Music")
    life.open()
    come(life, home, general)
    home.bot.move(music)
    assert life.expect(OwnVoiceMoved) == moved(home, music)
    assert [letter[0] for letter in life.ear.heard(2)] == ["state", "server"]
    life.account.leave(room_of(music))
    assert life.expect(OwnVoiceMoved) == moved(home, None)


def test_a_server_that_moves_is_told_to_the_link_alone(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.open()
    come(life, home, general)
    home.bot.new_server(null_endpoint=True)
    assert life.ear.heard(1)[0][2] is None
    home.bot.new_server()
    assert life.ear.heard(1)[0][0] == "server"
    assert len(life.received(OwnVoiceMoved)) == 1


def test_a_moderator_who_mutes_or_deafens_him_is_told_of(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    life.open()
    come(life, home, general)
    home.bot.server_mute()
    assert life.expect(OwnVoiceHindered).hindrance == "server_muted"
    home.bot.server_mute(False)
    assert life.expect(OwnVoiceHindered).hindrance == ""
    home.bot.server_deafen()
    assert life.expect(OwnVoiceHindered).hindrance == "server_deafened"
    home.bot.kick()
    assert life.expect(OwnVoiceHindered).hindrance == ""


def test_in_the_audience_of_a_stage_he_raises_his_hand(life: Living, home: Guild) -> None:
    stage = home.stage("Talk")
    life.open()
    come(life, home, stage)
    assert life.expect(OwnVoiceHindered).hindrance == "suppressed"
    life.discord.wait(lambda: home.bot.asks_to_speak, SECONDS, "a raised hand")
    home.bot.suppress(False)
    assert life.expect(OwnVoiceHindered).hindrance == ""


def test_a_channel_that_is_deleted_takes_him_out(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.open()
    come(life, home, general)
    general.delete()
    assert life.expect(RoomLost).room == room_of(general)
    assert life.ear.heard(1) == [("state", None, None)]


# --- lives of the account -------------------------------------------------------------------------


def test_a_new_login_adopts_the_call_and_later_letters_reach_the_link(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    music = home.voice("Music")
    life.open()
    come(life, home, general)
    life.told.clear()
    life.discord.gateway.re_identify()
    life.expect(GatewayReady)
    assert life.expect(OwnVoiceMoved) == moved(home, general)
    life.discord.wait(lambda: len(life.discord.calls.requests) == 2, SECONDS, "op 4")
    assert registered(life) == 1
    assert ("state", None, None) not in life.ear.take()
    assert (home.id, None) not in life.discord.calls.requests
    home.bot.move(music)
    assert life.expect(OwnVoiceMoved) == moved(home, music)
    assert ("state", str(music.id)) in [letter[::2] for letter in life.ear.heard(2)]
    home.bot.kick()
    assert life.expect(OwnVoiceMoved) == moved(home, None)


def test_an_order_that_got_lost_with_the_line_is_not_waited_for(
    life: Living, home: Guild, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.gateway.live.calls.ANSWER_SECONDS", 10 * SECONDS)
    life.open()
    life.discord.calls.unanswered = 1
    life.board.connect(room_of(general), life.ear)
    life.discord.wait(lambda: life.discord.calls.requests, SECONDS, "op 4")
    life.discord.gateway.drop()
    assert [letter[0] for letter in life.ear.heard(2)] == ["state", "server"]
    assert life.discord.calls.requests == [(home.id, general.id)] * 2


def test_where_an_earlier_life_left_him_he_leaves(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.open()
    come(life, home, general)
    session = life.account._session
    assert session is not None

    async def crash() -> None:
        """End without a farewell."""
        assert session._running is not None
        session._running.cancel()
        await asyncio.wait([session._running])

    life.loop.submit(crash()).result(SECONDS)
    life.account.close()
    assert home.bot.room == general.id
    life.account, life.told = life.new_account(), type(life.told)()
    life.open()
    life.discord.wait(lambda: home.bot.room is None, SECONDS, "an empty chair")
    come(life, home, general)


def test_a_closed_account_has_left_its_room(life: Living, home: Guild, general: VoiceRoom) -> None:
    life.open()
    come(life, home, general)
    life.account.close()
    assert home.bot.room is None
    assert life.ear.heard(1) == [("unreachable", "account_gone")]
    assert life.board.connect(room_of(general), life.ear) is None


def test_orders_before_the_account_is_open_are_no_harm(life: Living) -> None:
    account: LiveAccount = life.new_account()
    nowhere = RoomId("1")
    account.enter(nowhere)
    account.leave(nowhere)
    account.post(nowhere, "hello", None)
    account.typing(nowhere, on=True)
    account.watch(nowhere, start=True)
    account.close()
    assert life.told.received() == []


def test_who_may_not_speak_is_told_apart_from_the_audience_of_a_stage() -> None:
    import discord

    from actors.gateway.live.facts import hindrance_of

    stage = discord.StageChannel.__new__(discord.StageChannel)
    channel = discord.VoiceChannel.__new__(discord.VoiceChannel)

    def state(where: discord.VoiceChannel | discord.StageChannel, *done: str) -> discord.VoiceState:
        data = {"session_id": "s", **dict.fromkeys(done, True)}
        return discord.VoiceState(data=data, channel=where)  # type: ignore[arg-type]

    assert hindrance_of(None) == hindrance_of(state(channel)) == ""
    assert hindrance_of(state(channel, "suppress")) == "may_not_speak"
    assert hindrance_of(state(stage, "suppress")) == "suppressed"
    assert hindrance_of(state(stage, "suppress", "mute")) == "server_muted"
