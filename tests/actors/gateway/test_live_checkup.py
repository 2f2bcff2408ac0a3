"""The account is looked at on a Discord of ours, sick in every way that we can make it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from actors.gateway.live.checkup import Patient, application_of, check
from actors.gateway.live.verdict import Room, about_failure, about_rooms, about_silence
from actors.gateway.port import Finding
from tests.loopback.discord.place import NoVoice
from tests.loopback.discord.server import Discord
from tests.loopback.discord.session import Intent

SECONDS = 10.0
SOON = 0.3


@pytest.fixture
def discord() -> Iterator[Discord]:
    with Discord(place=NoVoice()) as discord:
        yield discord


@pytest.fixture
def deaf() -> Iterator[socket.socket]:
    """Somebody who takes a connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def patient(discord: Discord, *guilds: int, channels: tuple[int, ...] = ()) -> Patient:
    return Patient(
        token=discord.token,
        proxy=discord.proxy,
        ca_file=discord.ca_file,
        guilds=guilds,
        channels=channels,
        read_messages=True,
    )


def look(patient: Patient, seconds: float = SECONDS) -> list[Finding]:
    findings = check(patient, seconds)
    assert all(finding.ok or finding.remedy for finding in findings)
    assert patient.token not in repr((patient, findings))
    return list(findings)


def sick(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.name, finding.says) for finding in findings if not finding.ok]


# --- the account ----------------------------------------------------------------------------------


def test_a_healthy_account_has_nothing_to_mend(discord: Discord) -> None:
    home = discord.guild("Home")
    home.voice("General")
    home.voice("Den")
    home.stage("Talk").deny("connect")
    home.text("chat")
    findings = look(patient(discord, home.id))
    assert [(finding.name, finding.says) for finding in findings] == [
        ("token", "it opens the account clankie"),
        ("application", f"clankie, id {discord.application}"),
        ("intents", "the message content intent is on"),
        ("server Home", "he is a member, with 4 channels"),
        ("voice in Home", "he may do all that he needs"),
        ("text in Home", "he may do all that he needs"),
    ]
    assert not sick(findings)
    assert not discord.rest.unknown


def test_a_token_that_nobody_knows_is_the_only_thing_that_is_said(discord: Discord) -> None:
    wrong = replace(patient(discord), token=discord.token[:-1] + "-")
    assert sick(look(wrong)) == [("token", "Discord does not know this token")]


def test_a_person_is_not_automated(discord: Discord) -> None:
    discord.world.bot.bot = False
    assert sick(look(patient(discord))) == [("token", "this is the token of a person, not of a bot")]


@pytest.mark.parametrize("wanted", [True, False])
def test_the_content_intent_is_missed_only_where_he_is_to_read_everything(wanted: bool) -> None:
    with Discord(place=NoVoice(), privileged=Intent(0)) as discord:
        findings = look(replace(patient(discord), read_messages=wanted))
    (intents,) = [finding for finding in findings if finding.name == "intents"]
    assert intents.says.startswith("the message content intent is off")
    assert intents.ok is not wanted


def test_the_application_is_found_for_an_invitation_whatever_the_servers_are(discord: Discord) -> None:
    assert application_of(patient(discord, 5), SECONDS) == discord.application
    discord.rest.refuse("GET", "/guilds/", 503)


def test_an_application_that_cannot_be_asked_for_is_a_finding(discord: Discord) -> None:
    answer = application_of(replace(patient(discord), token="wrong"), SECONDS)
    assert isinstance(answer, Finding)
    assert answer.says == "Discord does not know this token"


# --- the way to Discord ---------------------------------------------------------------------------


def test_a_proxy_that_is_not_there_is_told_and_its_password_is_not(discord: Discord) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    lost = replace(patient(discord), proxy=f"http://ada:sesame@127.0.0.1:{port}")
    (finding,) = look(lost)
    assert finding.says == "Discord cannot be reached (proxy unreachable)"
    assert "sesame" not in repr((lost, finding))


@pytest.mark.parametrize("proxy", ["http://", "http://127.0.0.1:99999", "http://[", "http://a b"])
def test_a_proxy_that_is_no_address_is_told(discord: Discord, proxy: str) -> None:
    (finding,) = look(replace(patient(discord), proxy=proxy))
    assert finding.says.startswith("Discord cannot be reached (")


def test_a_server_that_never_answers_is_left(discord: Discord, deaf: socket.socket) -> None:
    silent = replace(patient(discord), proxy=f"http://127.0.0.1:{deaf.getsockname()[1]}")
    assert sick(look(silent, SOON)) == [("discord", "Discord cannot be reached (no answer in 0 s)")]


def test_a_line_that_breaks_is_told(discord: Discord) -> None:
    discord.network.cut()
    (finding,) = look(patient(discord))
    assert finding.says.startswith("Discord cannot be reached (")


def test_a_discord_that_wants_him_to_wait_longer_than_he_does_is_left(discord: Discord) -> None:
    discord.rest.limit("GET", "/users/@me", retry_after=3600.0)
    assert sick(look(patient(discord), SOON)) == [
        ("discord", "Discord cannot be reached (it wants this machine to wait)")
    ]


def test_a_discord_that_wants_him_to_wait_a_moment_is_waited_for(discord: Discord) -> None:
    discord.rest.limit("GET", "/users/@me", retry_after=0.01)
    assert not sick(look(patient(discord)))


def test_a_discord_that_is_ill_for_long_is_left(discord: Discord) -> None:
    discord.rest.refuse("GET", "/users/@me", 502, times=9)
    assert sick(look(patient(discord), SOON)) == [
        ("discord", "Discord cannot be reached (it has a problem of its own: HTTP 502)")
    ]


def test_what_was_found_before_discord_fell_ill_is_still_said(discord: Discord) -> None:
    home = discord.guild("Home")
    discord.rest.refuse("GET", "/channels$", 503)
    findings = look(patient(discord, home.id))
    assert [finding.name for finding in findings] == ["token", "application", "intents", "discord"]
    assert sick(findings) == [("discord", "Discord cannot be reached (discord unavailable)")]


def test_a_page_in_the_place_of_discord_is_no_bug_of_ours(discord: Discord) -> None:
    discord.rest.refuse("GET", "/users/@me", 200, message="please log in to this hotel")
    (finding,) = look(patient(discord))
    assert "something else seems to answer in its place" in finding.says


def test_a_certificate_that_nobody_vouches_for_is_told(discord: Discord) -> None:
    (finding,) = look(replace(patient(discord), ca_file=None))
    assert finding.says == "Discord cannot be reached (certificate refused)"


@pytest.mark.parametrize("text", [None, "", "no certificate"])
def test_certificates_that_cannot_be_used_are_told_by_their_file(
    discord: Discord, tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    (finding,) = look(replace(patient(discord), ca_file=file))
    assert finding.name == "ca_file"
    assert f"{file} cannot be used" in finding.says
    assert discord.rest.requests == []


# --- servers and channels -------------------------------------------------------------------------


def test_a_server_that_he_is_not_in_comes_with_the_way_in(discord: Discord) -> None:
    home = discord.guild("Home")
    home.remove_bot()
    findings = look(patient(discord, home.id))
    assert sick(findings) == [(f"server {home.id}", "he is not a member of it")]
    assert f"client_id={discord.application}" in findings[-1].remedy


def test_a_right_that_the_whole_server_keeps_from_him_is_said_once(discord: Discord) -> None:
    home = discord.guild("Home")
    for name in ("General", "Den"):
        home.voice(name)
    home.text("chat")
    home.forbid("speak", "add_reactions")
    assert sick(look(patient(discord, home.id))) == [
        ("voice in Home", "he may not Speak, Add Reactions in any of 2 channels"),
        ("text in Home", "he may not Add Reactions in chat"),
    ]


@pytest.mark.parametrize(
    ("denied", "told"),
    [
        ("view_channel", "View Channels"),
        ("connect", "Connect, Speak, Use Voice Activity"),
        ("speak", "Speak"),
        ("use_voice_activity", "Use Voice Activity"),
        ("send_messages", "Send Messages, Attach Files"),
        ("read_message_history", "Read Message History"),
        ("add_reactions", "Add Reactions"),
        ("attach_files", "Attach Files"),
    ],
)
def test_a_voice_channel_that_keeps_something_from_him_is_named(
    discord: Discord, denied: str, told: str
) -> None:
    home = discord.guild("Home")
    home.voice("General")
    home.voice("Den").deny(denied)
    assert sick(look(patient(discord, home.id))) == [("channel Den", f"he may not {told} there")]


def test_a_text_channel_without_threads_is_named(discord: Discord) -> None:
    home = discord.guild("Home")
    home.text("chat")
    home.text("rules").deny("create_public_threads")
    assert sick(look(patient(discord, home.id))) == [
        ("channel rules", "he may not Create Public Threads there")
    ]


def test_only_the_chosen_channels_are_looked_at_and_one_that_is_nowhere_is_told(discord: Discord) -> None:
    home = discord.guild("Home")
    general, talk = home.voice("General"), home.stage("Talk")
    home.voice("Den").deny("connect")
    findings = look(patient(discord, home.id, channels=(general.id, talk.id, 7)))
    assert [name for name, _ in sick(findings)] == ["channel 7"]


def test_a_name_cannot_give_orders_to_a_terminal(discord: Discord) -> None:
    home = discord.guild("Home\x1b[2J")
    assert look(patient(discord, home.id))[-1].name == "server Home[2J"


# --- judging, without a Discord -------------------------------------------------------------------


def room(number: int, *lacks: str, reserved: tuple[str, ...] = ()) -> Room:
    return Room(id=number, name=f"room {number}", lacks=frozenset(lacks), reserved=frozenset(reserved))


def test_at_most_ten_channels_are_named() -> None:
    rooms = [room(0), room(1), *(room(number, "speak") for number in range(2, 15))]
    findings = list(about_rooms("voice", rooms))
    assert len(sick(findings)) == 11
    assert sick(findings)[-1] == ("voice", "so it is in 3 more channels")
    assert findings[-1].says == "he may do all that he needs in 2 of 15"


def test_what_ordinary_members_may_not_either_is_no_complaint_but_is_said() -> None:
    rooms = [
        room(1),
        room(2, "view_channel", reserved=("view_channel",)),
        room(3, "send_messages", reserved=("send_messages",)),
    ]
    (finding,) = about_rooms("text", rooms)
    assert finding.ok
    assert finding.says == (
        "he may do all that he needs in 1 of 3; 1 he does not see, like most members; "
        "in 1 he may only do what most members may"
    )


def test_a_chosen_channel_is_complained_about_even_if_it_is_closed_to_most() -> None:
    rooms = [room(1), room(2, "view_channel", reserved=("view_channel",))]
    assert sick(list(about_rooms("voice", rooms, frozenset({2})))) == [
        ("channel room 2", "he may not View Channels there")
    ]


def test_no_channels_are_nothing_to_say() -> None:
    assert list(about_rooms("voice", [])) == []


def test_no_text_of_a_failure_is_repeated() -> None:
    assert "sesame" not in repr(about_failure(ValueError("http://ada:sesame@proxy")))
    assert "sesame" not in repr(about_failure(RuntimeError("http://ada:sesame@proxy")))


def test_a_long_silence_says_how_long() -> None:
    assert about_silence(20.0, 200).says == "Discord cannot be reached (no answer in 20 s)"
