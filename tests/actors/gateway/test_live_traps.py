"""What discord.py leaves to whoever has a voice of his own, trap by trap."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, TypeVar

import aiohttp
import pytest

from messages.gateway import (
    GatewayAway,
    GatewayGone,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    OwnVoiceMoved,
    RoomRoster,
)
from tests.actors.gateway.living import AUDIOOP, SECONDS, Living, room_of
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.rooms import VoiceRoom

if TYPE_CHECKING:
    import discord

    from actors.gateway.live.calls import Call
    from actors.gateway.live.client import AccountClient

pytestmark = pytest.mark.filterwarnings(AUDIOOP)
T = TypeVar("T")


@pytest.fixture
def general(life: Living, home: Guild) -> VoiceRoom:
    general = home.voice("General")
    life.open()
    return general


def on_the_loop(life: Living, work: Callable[[AccountClient], Coroutine[object, object, T]]) -> T:
    """Do something with discord.py's client where it lives."""
    session = life.account._session
    assert session is not None
    assert session._client is not None
    return life.loop.submit(work(session._client)).result(SECONDS)


def come(life: Living, room: VoiceRoom) -> None:
    life.account.enter(room_of(room))
    life.expect(OwnVoiceMoved, lambda moved: moved.room == room_of(room))


def call_of(client: discord.Client) -> Call:
    from actors.gateway.live.calls import Call

    (call,) = client.voice_clients
    assert isinstance(call, Call)
    return call


@pytest.mark.parametrize("failure", [aiohttp.ClientConnectionResetError("gone"), asyncio.CancelledError()])
def test_a_call_that_cannot_be_placed_does_not_block_the_next(
    life: Living, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    async def fail(client: AccountClient) -> int:
        from actors.gateway.live.calls import Call

        async def refuse(*_: object, **__: object) -> None:
            raise failure

        room = client.get_channel(general.id)
        assert room is not None
        with monkeypatch.context() as patch:
            patch.setattr("discord.Guild.change_voice_state", refuse)
            with pytest.raises(type(failure)):
                await room.connect(  # type: ignore[union-attr]
                    cls=lambda client, room: Call(client, room, board=life.board, moved=life.told.tell)  # type: ignore[arg-type]
                )
        return len(client.voice_clients)

    assert on_the_loop(life, fail) == 0
    come(life, general)


def test_a_farewell_waits_for_discords_word(life: Living, general: VoiceRoom, home: Guild) -> None:
    come(life, general)

    async def leave(client: AccountClient) -> int:
        await call_of(client).disconnect(force=False)
        return len(client.voice_clients)

    assert on_the_loop(life, leave) == 0
    assert home.bot.room is None
    assert life.expect(OwnVoiceMoved).room is None


def test_a_farewell_does_not_wait_for_ever(
    life: Living, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    come(life, general)
    monkeypatch.setattr("actors.gateway.live.calls.NULL_SECONDS", 0.05)

    async def leave(client: AccountClient) -> int:
        async def silence(*_: object, **__: object) -> None:
            """Discord never hears of it."""

        with monkeypatch.context() as patch:
            patch.setattr("discord.Guild.change_voice_state", silence)
            await call_of(client).disconnect(force=False)
        return len(client.voice_clients)

    assert on_the_loop(life, leave) == 0


def test_an_old_call_neither_removes_a_newer_one_nor_speaks_for_it(
    life: Living, general: VoiceRoom, home: Guild
) -> None:
    come(life, general)

    async def take(client: AccountClient) -> Call:
        return call_of(client)

    old = on_the_loop(life, take)
    home.bot.kick()
    life.expect(OwnVoiceMoved, lambda moved: moved.room is None)
    come(life, general)
    life.told.clear()

    async def interfere(client: AccountClient) -> Call:
        old.cleanup()
        await old.on_voice_state_update({"channel_id": None, "session_id": "old"})  # type: ignore[typeddict-item]
        await old.on_voice_server_update({"token": "old", "guild_id": home.id, "endpoint": None})
        return call_of(client)

    assert on_the_loop(life, interfere) is not old
    assert life.told.received() == []


def test_a_client_that_does_not_come_back_is_replaced(
    life: Living, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    come(life, general)
    monkeypatch.setattr("actors.gateway.live.session.PATIENCE_SECONDS", 0.3)
    life.told.clear()
    life.discord.network.cut()
    assert life.expect(GatewayAway).reason == "disconnected"
    assert life.expect(GatewayAway).reason in {"discord_unreachable", "proxy_unreachable"}
    monkeypatch.setattr("actors.gateway.live.session.PATIENCE_SECONDS", 60.0)
    life.discord.network.mend()
    life.expect(GatewayReady)
    life.expect(OwnVoiceMoved, lambda moved: moved.room == room_of(general))


def test_a_token_that_is_taken_away_while_he_is_online_ends_it(life: Living, general: VoiceRoom) -> None:
    come(life, general)
    life.discord.gateway.drop(4004)
    assert life.expect(GatewayGone).reason == "token_refused"


def test_somebody_whom_discord_does_not_describe_is_looked_up(
    life: Living, general: VoiceRoom, home: Guild
) -> None:
    ada, ben = home.member("Ada"), home.member("Ben")
    ada.join(general)
    life.expect(MemberArrived)
    ben.join(general)
    life.expect(MemberArrived)
    home.remove(ben)
    life.expect(MemberDeparted)

    async def forget(client: AccountClient) -> None:
        guild = client.get_guild(home.id)
        assert guild is not None
        guild._members.pop(ada.id)
        room = guild.get_channel(general.id)
        client._rosters.tell(room, client.himself)  # type: ignore[arg-type]

    life.told.clear()
    on_the_loop(life, forget)
    assert [person.label for person in life.expect(RoomRoster).people] == ["somebody"]
    assert [person.label for person in life.expect(RoomRoster).people] == ["Ada"]


def test_nothing_that_is_told_or_asked_is_written_down_below_the_surface(
    life: Living, general: VoiceRoom
) -> None:
    import logging

    come(life, general)
    assert not logging.getLogger("discord.gateway").isEnabledFor(logging.DEBUG)
    assert life.discord.token not in repr(life.account._session._access if life.account._session else "")
