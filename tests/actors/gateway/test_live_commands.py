"""Whoever types a command is answered in plain words, for his eyes only, whatever the house does."""

from __future__ import annotations

import logging

import pytest
from loguru import logger

from messages.gateway import (
    AskedBy,
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    ForgetAnswered,
    ForgetAsked,
    GatewayGone,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemoriesAsked,
    NotesAnswered,
    RefusedJoin,
    RoomSeen,
    StatusAnswered,
    StatusAsked,
    StayFacts,
    WatchAnswered,
    WatchAsked,
)
from messages.ids import GuildId, PersonId, RoleId, StayId
from tests.actors.gateway.living import AUDIOOP, SECONDS, Living, room_of
from tests.loopback.discord.body import Body
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.people import Member
from tests.loopback.discord.rooms import VoiceRoom
from tests.probe import Probe

pytestmark = pytest.mark.filterwarnings(AUDIOOP)


@pytest.fixture
def general(life: Living, home: Guild) -> VoiceRoom:
    general = home.voice("General")
    life.open()
    return general


@pytest.fixture
def ada(general: VoiceRoom, home: Guild) -> Member:
    assert general.people == frozenset()
    return home.member("Ada", [home.role("Crew")])


def known(general: VoiceRoom, ada: Member, *, heard: bool = True) -> StatusAnswered:
    facts = StayFacts(
        stay=StayId("s"),
        room=room_of(general),
        phase="active",
        encryption="dave",
        privacy_code="1234567890",
        humans=1,
        heard=(PersonId(str(ada.id)),) if heard else (),
    )
    return StatusAnswered(facts=facts, asker_heard=heard)


def test_join_says_who_asks_and_discloses_what_is_heard(
    life: Living, general: VoiceRoom, ada: Member
) -> None:
    reply = ada.command("clankie join", general)
    order = life.expect(JoinVoice)
    assert reply.wait_deferred().hidden
    assert order.asked_by is AskedBy.SLASH
    assert order.room is None
    assert order.asker is not None
    assert order.asker.person.id == str(ada.id)
    assert order.asker.guild == GuildId(str(ada.guild_id))
    assert len(order.asker.roles) == 1
    assert RoleId(str(ada.guild_id)) not in order.asker.roles
    order.reply_to.tell(Joined(room=room_of(general), stay=StayId("s"), opted_in=True))
    life.expect(StatusAsked).reply_to.tell(known(general, ada))
    assert reply.ephemeral
    for word in (
        "end-to-end",
        "Example Ears",
        "opt-out",
        "transcript",
        "without being asked",
        "approves",
        "30 days",
    ):
        assert word in reply.text


def test_a_refusal_comes_with_its_remedy(life: Living, general: VoiceRoom, ada: Member) -> None:
    reply = ada.command("clankie join", general)
    life.expect(JoinVoice).reply_to.tell(JoinRefused(reason=RefusedJoin.NOT_IN_VOICE))
    assert "call me again" in reply.text


def test_leave_watch_and_forget_are_passed_on(life: Living, general: VoiceRoom, ada: Member) -> None:
    reply = ada.command("clankie leave", general)
    life.expect(LeaveVoice).reply_to.tell(LeaveAnswered(room=room_of(general)))
    assert "leaving" in reply.text
    reply = ada.command("clankie watch start", general)
    order = life.expect(WatchAsked)
    assert order.start
    order.reply_to.tell(WatchAnswered(url="https://discord.gg/abc"))
    assert "https://discord.gg/abc" in reply.text
    reply = ada.command("clankie watch stop", general)
    order = life.expect(WatchAsked)
    assert not order.start
    order.reply_to.tell(WatchAnswered())
    assert "closed" in reply.text
    reply = ada.command("clankie forget-me", general)
    forgotten = ForgetAnswered(was_heard=True, notes=("likes tea",))
    life.expect(ForgetAsked).reply_to.tell(forgotten)
    assert "remember nothing" in reply.text
    assert "1. `likes tea`" in reply.text


def test_what_is_noted_about_the_asker_is_shown_to_him_alone(
    life: Living, general: VoiceRoom, ada: Member
) -> None:
    reply = ada.command("clankie memories", general)
    order = life.expect(MemoriesAsked)
    assert order.asker.person.id == str(ada.id)
    order.reply_to.tell(NotesAnswered(notes=("likes tea", "sings")))
    assert reply.ephemeral
    assert "2. `sings`" in reply.text


def test_consent_is_given_with_the_disclosure_and_taken_back(
    life: Living, general: VoiceRoom, ada: Member
) -> None:
    reply = ada.command("clankie voice-consent opt-in", general)
    asked = life.expect(ConsentAsked)
    assert (asked.person, asked.granted, asked.room) == (PersonId(str(ada.id)), True, None)
    assert asked.reply_to is not None
    asked.reply_to.tell(ConsentAnswered(outcome=ConsentOutcome.GRANTED, room=room_of(general)))
    life.expect(StatusAsked).reply_to.tell(known(general, ada))
    assert "Example Ears" in reply.text
    reply = ada.command("clankie voice-consent opt-out", general)
    asked = life.expect(ConsentAsked)
    assert not asked.granted
    assert asked.reply_to is not None
    asked.reply_to.tell(ConsentAnswered(outcome=ConsentOutcome.WITHDRAWN, room=room_of(general)))
    assert "do not hear you any more" in reply.text


def test_status_and_voice_status_say_how_he_is(life: Living, general: VoiceRoom, ada: Member) -> None:
    reply = ada.command("clankie status", general)
    life.expect(StatusAsked).reply_to.tell(known(general, ada, heard=False))
    assert "you are not among them" in reply.text
    reply = ada.command("clankie voice-status", general)
    life.expect(StatusAsked).reply_to.tell(known(general, ada))
    assert "12345 67890" in reply.text


def test_a_house_that_says_nothing_is_excused_in_time(
    life: Living, general: VoiceRoom, ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.gateway.live.commands.Slip.wait", _never)
    reply = ada.command("clankie leave", general)
    assert "did not get to it" in reply.text
    late = life.expect(LeaveVoice)
    late.reply_to.tell(LeaveAnswered(room=None))
    late.reply_to.tell(LeaveAnswered(room=None))


async def _never(*_: object) -> None:
    return None


def test_the_commands_are_offered_once_to_each_guild_and_to_a_new_one(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    away = life.discord.guild("Away")
    away.text("chat")
    away.member("Ben").command("clankie status")
    life.expect(StatusAsked)
    home.member("Cid").command("clankie status", general)
    life.expect(StatusAsked)
    syncs = [request.path for request in life.discord.rest.requests if request.method == "PUT"]
    assert sorted(syncs) == sorted(
        f"/applications/{life.discord.application}/guilds/{guild.id}/commands" for guild in (home, away)
    )
    command = Body.of(life.discord.desk.commands[home.id][0])
    names = {option.text("name") for option in command.bodies("options")}
    assert names >= {
        "join",
        "leave",
        "status",
        "voice-consent",
        "voice-status",
        "watch",
        "memories",
        "forget-me",
    }


def test_an_answer_that_discord_does_not_take_hurts_nobody(
    life: Living, general: VoiceRoom, ada: Member
) -> None:
    life.discord.rest.refuse("POST", "/interactions/.*", 404, 10062)
    ada.command("clankie leave", general)
    life.discord.wait(
        lambda: any("/interactions/" in request.path for request in life.discord.rest.requests), SECONDS
    )
    reply = ada.command("clankie status", general)
    life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
    assert "no voice channel" in reply.text
    assert life.received(LeaveVoice) == []


def test_a_guild_that_does_not_take_commands_is_named_and_the_rest_works(
    life: Living, general: VoiceRoom
) -> None:
    for status in (403, 404):
        life.discord.rest.refuse("PUT", "/applications/.*", status, 50001)
        guild = life.discord.guild(f"Guild {status}")
        lobby = guild.voice("Lobby")
        life.expect(RoomSeen, lambda seen, lobby=lobby: seen.room.id == room_of(lobby))  # type: ignore[misc]
    assert general.people == frozenset()


def test_an_order_that_breaks_is_excused(
    life: Living, general: VoiceRoom, ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr("actors.gateway.live.replies.status", broken)
    reply = ada.command("clankie status", general)
    life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
    assert "broke" in reply.text


def test_an_answer_that_cannot_be_delivered_hurts_nobody(
    life: Living, general: VoiceRoom, ada: Member
) -> None:
    life.discord.rest.refuse("PATCH", "/webhooks/.*", 404, 10015)
    ada.command("clankie status", general)
    life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
    life.discord.wait(
        lambda: any(request.method == "PATCH" for request in life.discord.rest.requests), SECONDS
    )
    reply = ada.command("clankie status", general)
    life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
    assert reply.ephemeral


def test_who_still_waits_when_the_house_closes_is_answered(
    life: Living, general: VoiceRoom, ada: Member
) -> None:
    reply = ada.command("clankie join", general)
    order = life.expect(JoinVoice)
    order.reply_to.tell(JoinRefused(reason=RefusedJoin.FAILED, detail="gateway_lost"))
    life.account.close()
    assert "lost my connection" in reply.text


def test_a_line_that_breaks_under_a_command_costs_that_command_alone(
    life: Living, general: VoiceRoom, ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    import aiohttp

    broken: Probe[str] = Probe()

    async def breaks(*_: object, **__: object) -> None:
        broken.tell("broke")
        raise aiohttp.ServerDisconnectedError

    with monkeypatch.context() as patch:
        patch.setattr("discord.InteractionResponse.defer", breaks)
        ada.command("clankie leave", general)
        assert broken.expect(str, SECONDS)
    with monkeypatch.context() as patch:
        patch.setattr("discord.Interaction.edit_original_response", breaks)
        ada.command("clankie status", general)
        life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
        assert broken.expect(str, SECONDS)
    reply = ada.command("clankie status", general)
    life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
    assert "no voice channel" in reply.text
    assert life.received(LeaveVoice) == []


def test_no_token_is_ever_written_down(
    life: Living, general: VoiceRoom, ada: Member, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        lines: list[str] = []
        sink = logger.add(lambda line: lines.append(str(line)), level=0, diagnose=False)
        life.discord.rest.limit("POST", "/interactions/.*")
        reply = ada.command("clankie status", general)
        life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
        assert reply.text
        life.discord.rest.refuse("PATCH", "/webhooks/.*", 404, 10015)
        ada.command("clankie status", general)
        life.expect(StatusAsked).reply_to.tell(StatusAnswered(facts=None, asker_heard=False))
        life.discord.wait(
            lambda: sum(request.method == "PATCH" for request in life.discord.rest.requests) == 2, SECONDS
        )
        life.account.close()
        life.account = life.new_account(token="MTIzNDU2.a-wrong-but-secret.token")
        life.account.open(life.told.tell)
        gone = life.expect(GatewayGone)
        logger.remove(sink)
    written = caplog.text + "".join(lines) + repr(gone) + repr(life.account)
    assert "logging in" in written
    paths = [request.path.split("/") for request in life.discord.rest.requests]
    tokens = {path[3] for path in paths if path[1] in {"interactions", "webhooks"}}
    assert tokens
    for secret in {life.discord.token, "a-wrong-but-secret", *tokens}:
        assert secret not in written
