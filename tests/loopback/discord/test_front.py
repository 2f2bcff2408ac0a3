"""An unmodified client logs in, sees, sits down, writes, answers and comes back."""

from __future__ import annotations

import contextlib
import http.client
from collections.abc import Iterator

import pytest

from tests.loopback.discord.account import Account, app_commands, discord, logged_in
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.place import NoVoice
from tests.loopback.discord.server import Discord
from tests.loopback.discord.session import Intent


@pytest.fixture
def place() -> NoVoice:
    return NoVoice()


@pytest.fixture
def server(place: NoVoice) -> Iterator[Discord]:
    with Discord(place=place) as server:
        yield server


@pytest.fixture
def home(server: Discord) -> Guild:
    return server.guild("Home")


def test_a_client_that_logs_in_sees_who_sits_where(server: Discord, home: Guild) -> None:
    room, ada = home.voice("General"), home.member("Ada", [home.role("friends")])
    ada.join(room, self_mute=True)
    with logged_in(server) as account:
        channel = account.guild(home.id).voice_channels[0]
        (member,) = channel.members
        assert (channel.name, member.name) == ("General", "Ada")
        assert [role.name for role in member.roles] == ["@everyone", "friends"]
        assert member.voice
        assert member.voice.self_mute
    server.wait(lambda: not server.gateway.connected)
    assert not server.rest.unknown


def test_somebody_who_sits_down_and_goes_is_told_of_without_the_members_intent(
    server: Discord, home: Guild
) -> None:
    room, other, ada = home.voice("General"), home.voice("Other"), home.member("Ada")
    with logged_in(server) as account:
        ada.join(room)
        session = ada.voice.session if ada.voice else ""
        ada.move(other)
        assert ada.voice
        assert ada.voice.session == session
        account.wait_event("voice_state_update", 2)
        assert [member.id for member in account.guild(home.id).voice_channels[1].members] == [ada.id]
        ada.leave()
        account.wait_event("voice_state_update", 3)
        ada.join(room)
        assert ada.voice.session != session


def test_a_request_to_be_in_a_channel_brings_a_state_and_then_a_server(
    server: Discord, home: Guild, place: NoVoice
) -> None:
    room, other = home.voice("General"), home.voice("Other")
    with logged_in(server) as account:
        guild = account.guild(home.id)
        account.do(guild.change_voice_state(channel=guild.voice_channels[0], self_deaf=False))
        server.wait(lambda: home.bot.room == room.id)
        server.move_bot(home, other)
        account.wait_event("voice_state_update", 2)
        assert guild.me.voice
        assert guild.me.voice.channel == guild.voice_channels[1]
        server.kick_bot(home)
        account.wait_event("voice_state_update", 3)
        assert guild.me.voice is None
    assert [channel for _, channel, _, _ in place.admitted] == [room.id, other.id]
    assert len({session for *_, session in place.admitted}) == 1
    assert place.dismissed == [(home.id, server.user)] * 2


def test_a_seat_outlives_the_session_and_is_told_of_at_the_next_login(
    server: Discord, home: Guild, place: NoVoice
) -> None:
    room = home.voice("General")
    with logged_in(server) as account:
        channel = account.guild(home.id).voice_channels[0]
        account.do(channel.guild.change_voice_state(channel=channel))
        server.wait(lambda: home.bot.room == room.id)
        server.gateway.re_identify()
        account.wait_event("ready", 2)
        voice = account.guild(home.id).me.voice
        assert voice
        assert voice.channel == channel
        account.do(channel.guild.change_voice_state(channel=channel))
        server.wait(lambda: len(place.admitted) == 2)
    assert len(set(place.admitted)) == 1


@pytest.mark.parametrize("server_first", [False, True])
def test_the_two_updates_come_in_either_order(server: Discord, home: Guild, server_first: bool) -> None:
    room = home.voice("General")
    server.calls.server_first = server_first
    with logged_in(server) as account:
        guild = account.guild(home.id)
        account.do(guild.change_voice_state(channel=guild.get_channel(room.id)))
        account.wait_event("voice_state_update")
        (session,) = server.gateway.sessions.values()
        updates = [event for _, event, _ in session.told if event.startswith("VOICE_")]
    expected = ["VOICE_STATE_UPDATE", "VOICE_SERVER_UPDATE"]
    assert updates == (expected[::-1] if server_first else expected)


@pytest.mark.parametrize("why", ["nobody answers", "he may not", "nobody can sit there"])
def test_a_request_in_vain_leaves_him_where_he_was(server: Discord, home: Guild, why: str) -> None:
    room, text = home.voice("General"), home.text("chat")
    wanted = text.id if why == "nobody can sit there" else room.id
    server.calls.unanswered = int(why == "nobody answers")
    if why == "he may not":
        room.deny("connect")
    with logged_in(server) as account:
        account.do(account.guild(home.id).change_voice_state(channel=discord.Object(wanted)))
        server.wait(lambda: server.calls.requests)
        assert home.bot.room is None


def test_a_raised_hand_on_a_stage_is_answered_by_a_moderator(server: Discord, home: Guild) -> None:
    stage = home.stage("Talk")
    with logged_in(server) as account:
        guild = account.guild(home.id)
        account.do(guild.change_voice_state(channel=guild.get_channel(stage.id)))
        account.wait_event("voice_state_update")
        assert home.bot.muted
        account.do(guild.me.request_to_speak())
        assert home.bot.asks_to_speak
        with pytest.raises(discord.Forbidden):
            account.do(guild.me.edit(suppress=False))
        home.bot.suppress(False)
        assert not home.bot.muted


def offer(account: Account, guild: Guild) -> None:
    """Offer /join and /voice-consent opt-in, which answer late and to the asker alone."""
    group = app_commands.Group(name="voice-consent", description="Who may hear whom")

    async def answer(interaction: discord.Interaction, words: str) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send(words)

    async def join(interaction: discord.Interaction, channel: discord.VoiceChannel) -> None:
        await answer(interaction, f"{interaction.user.name} wants me in {channel.name}")

    async def opt_in(interaction: discord.Interaction) -> None:
        assert isinstance(interaction.user, discord.Member)
        await answer(interaction, f"{[role.name for role in interaction.user.roles]} may be heard")

    home = discord.Object(guild.id)
    group.add_command(app_commands.Command(name="opt-in", description="Be heard", callback=opt_in))
    account.client.tree.add_command(
        app_commands.Command(name="join", description="Come", callback=join), guild=home
    )
    account.client.tree.add_command(group, guild=home)
    account.do(account.client.tree.sync(guild=home))


def test_a_command_is_answered_late_and_to_the_asker_alone(server: Discord, home: Guild) -> None:
    room, text = home.voice("General"), home.text("chat")
    ada = home.member("Ada", [home.role("friends")])
    with logged_in(server) as account:
        offer(account, home)
        reply = ada.command("join", text, {"channel": room})
        assert reply.text == "Ada wants me in General"
        assert reply.ephemeral
        assert reply.deferred
        assert reply.seconds is not None
        assert ada.command("voice-consent opt-in").text == "['@everyone', 'friends'] may be heard"
        with pytest.raises(AssertionError, match="no subcommand"):
            ada.command("voice-consent never")
    assert server.posts == []


def test_an_acknowledgement_that_comes_too_late_is_refused(server: Discord, home: Guild) -> None:
    room, text, ada = home.voice("General"), home.text("chat"), home.member("Ada")
    server.desk.patience = 0.0
    with logged_in(server) as account:
        offer(account, home)
        reply = ada.command("join", text, {"channel": room})
        server.wait(lambda: any(one.path.endswith("/callback") for one in server.rest.requests))
        assert reply.expired
    assert reply.answers == []


def test_what_is_written_is_readable_for_him_who_is_mentioned_or_written_to(
    server: Discord, home: Guild
) -> None:
    text, ada = home.text("chat"), home.member("Ada")
    with logged_in(server) as account:
        first = ada.write(text, "just among us")
        ada.write(text, f"{home.bot.mention} come here", reply_to=first)
        ada.write_privately("are you there?")
        server.redeliver(first)
        account.ground.wait(lambda: len(account.client.messages) == 4)
        overheard, asked, private, again = account.client.messages
        assert (overheard.content, asked.clean_content, private.content) == (
            "",
            "@clankie come here",
            "are you there?",
        )
        assert account.client.user in asked.mentions
        assert asked.reference
        assert private.guild is None
        assert overheard.id == again.id == first


def test_what_the_account_writes_is_kept_to_the_rules(server: Discord, home: Guild) -> None:
    text, ada = home.text("chat"), home.member("Ada")
    message = ada.write(text, "hello")
    nobody = discord.AllowedMentions.none()
    with logged_in(server) as account:
        channel = account.guild(home.id).text_channels[0]
        partial = channel.get_partial_message(message)
        sent = account.do(
            channel.send(f"hi {ada.mention} @everyone", reference=partial, allowed_mentions=nobody)
        )
        account.do(sent.edit(content="hi all"))
        account.do(partial.add_reaction("👍"))
        account.do(partial.remove_reaction("👍", discord.Object(server.user)))
        thread = account.do(partial.create_thread(name="aside"))
        account.do(thread.send("here"))
        with pytest.raises(discord.HTTPException, match="2000"):
            account.do(channel.send("x" * 2001))
        text.deny("send_messages")
        with pytest.raises(discord.Forbidden):
            account.do(channel.send("again"))
    first, second = server.posts
    assert (first.content, first.reply_to, first.pings, first.everyone) == (
        "hi all",
        message,
        frozenset(),
        False,
    )
    assert (second.content, second.channel) == ("here", message)
    assert [(one.emoji, one.removed) for one in server.reactions] == [("👍", False), ("👍", True)]
    assert not server.rest.unknown


def test_an_activity_is_offered_by_an_invitation_that_can_be_taken_back(server: Discord, home: Guild) -> None:
    home.voice("General")
    with logged_in(server) as account:
        channel = account.guild(home.id).voice_channels[0]
        activity = discord.InviteTarget.embedded_application
        invite = account.do(channel.create_invite(target_type=activity, target_application_id=42))
        assert server.invites[0].application == 42
        account.do(invite.delete())
        assert server.invites[0].deleted
        server.rest.refuse("POST", "/invites$", 400, 50035, "Invalid Form Body")
        with pytest.raises(discord.HTTPException, match="50035"):
            account.do(channel.create_invite())


def test_being_told_to_wait_once_is_survived(server: Discord, home: Guild) -> None:
    home.text("chat")
    server.rest.limit("POST", "/messages$")
    with logged_in(server) as account:
        account.do(account.guild(home.id).text_channels[0].send("patience"))
    assert [post.content for post in server.posts] == ["patience"]
    assert [one.status for one in server.rest.requests if one.method == "POST"] == [429, 200]


@pytest.mark.parametrize("code", [4000, None])
def test_a_dropped_client_resumes_and_hears_what_it_missed(
    server: Discord, home: Guild, code: int | None
) -> None:
    text, ada = home.text("chat"), home.member("Ada")
    with logged_in(server) as account:
        server.gateway.drop(code)
        ada.write(text, home.bot.mention)
        account.wait_event("resumed")
        account.ground.wait(lambda: account.client.messages)
    assert (server.gateway.resumed, len(server.gateway.identified)) == (1, 1)


def test_a_client_that_is_asked_to_reconnect_resumes(server: Discord) -> None:
    with logged_in(server) as account:
        server.gateway.reconnect()
        account.wait_event("resumed")
    assert server.gateway.resumes_refused == 0


def test_a_client_whose_heart_is_not_heard_breaks_the_line_and_resumes(server: Discord) -> None:
    server.gateway.heartbeat_ms = 20
    with logged_in(server, heartbeat_timeout=0.2) as account:
        server.wait(lambda: server.gateway.heartbeats > 3)
        assert server.gateway.resumed == 0
        server.gateway.answers_heartbeats = False
        account.wait_event("resumed")
        server.gateway.answers_heartbeats = True


@pytest.mark.parametrize("told", [True, False])
def test_a_client_whose_session_is_gone_logs_in_anew(server: Discord, told: bool) -> None:
    with logged_in(server) as account:
        if told:
            server.gateway.invalid_session()
        else:
            server.gateway.re_identify()
        account.wait_event("ready", 2)
    assert len(server.gateway.identified) == 2
    assert server.gateway.resumes_refused == (0 if told else 1)


@pytest.mark.parametrize(("text", "code"), [("{", 4002), ('{"op":99}', 4001), ('{"op":2,"d":{}}', 4005)])
def test_what_nobody_may_say_ends_the_connection_with_its_code(server: Discord, text: str, code: int) -> None:
    with logged_in(server) as account:
        account.do(account.client.ws.send(text))
        account.wait_event("resumed")
    assert server.gateway.turned_away == [code]


def test_whoever_is_not_logged_in_may_ask_for_nothing(server: Discord, home: Guild) -> None:
    with logged_in(server) as account:
        server.ground.run(server.gateway.sessions.clear)
        account.do(account.guild(home.id).change_voice_state(channel=None))
        account.wait_event("ready", 2)
    assert server.gateway.turned_away == [4003]
    assert server.calls.requests == []


def test_a_session_is_resumed_with_its_own_token_only(server: Discord) -> None:
    with logged_in(server) as account:
        account.client.http.token = "another"
        server.gateway.drop(4000)
        account.wait_event("life_ended")
    # discord.py at times misses why the line was closed, and tries again until it hears it.
    assert server.gateway.resumes_refused >= 1
    assert set(server.gateway.turned_away) == {4004}


def test_a_cut_network_is_survived_as_soon_as_it_mends(server: Discord) -> None:
    with logged_in(server) as account:
        server.network.cut()
        server.wait(lambda: not server.gateway.connected)
        server.network.mend()
        account.wait_event("resumed")


def test_a_wrong_token_is_refused_at_the_door(server: Discord) -> None:
    with pytest.raises(discord.LoginFailure), logged_in(server, token="wrong"):
        pytest.fail("it let him in")


def test_a_privileged_intent_that_was_not_granted_is_refused() -> None:
    with Discord(privileged=Intent(0), place=NoVoice()) as server:
        wanted = discord.Intents.all()
        with pytest.raises(discord.PrivilegedIntentsRequired), logged_in(server, wanted):
            pytest.fail("it let him in")


def test_all_members_are_listed_for_him_who_may_know_them(server: Discord, home: Guild) -> None:
    home.member("Ada")
    with logged_in(server, discord.Intents.all()) as account:
        names = {member.name for member in account.guild(home.id).members}
    assert names == {"owner of Home", "clankie", "Ada"}


def test_guilds_and_channels_come_and_go(server: Discord, home: Guild) -> None:
    with logged_in(server) as account:
        room = home.voice("Later")
        room.rename("Sooner")
        account.wait_event("guild_channel_update")
        assert account.guild(home.id).voice_channels[0].name == "Sooner"
        room.delete()
        account.wait_event("guild_channel_delete")
        home.outage()
        account.wait_event("guild_unavailable")
        home.recover()
        account.wait_event("guild_available")
        second = server.guild("Second")
        account.wait_event("guild_join")
        second.remove_bot()
        account.wait_event("guild_remove")


def test_a_request_that_nobody_here_answers_is_seen_by_the_test(server: Discord) -> None:
    with logged_in(server) as account, pytest.raises(discord.NotFound):
        account.do(account.client.fetch_premium_sticker_packs())
    assert [request.path for request in server.rest.unknown] == ["/sticker-packs"]


def test_the_proxy_leads_nowhere_else(server: Discord) -> None:
    host, port = server.proxy.removeprefix("http://").split(":")
    connection = http.client.HTTPSConnection(host, int(port), timeout=5)
    connection.set_tunnel("example.org", 443)
    with contextlib.closing(connection), pytest.raises(OSError, match="403"):
        connection.connect()
    assert server.network.refused == ["example.org:443"]
