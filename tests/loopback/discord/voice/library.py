"""How to join and to hang up with discord.py's own voice client so that nothing of it stays behind."""

from __future__ import annotations

import asyncio

from tests.loopback.discord.account import Account, discord
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.voice.record import Kind
from tests.loopback.discord.voice.rtp import SILENCE


def join(account: Account, guild: Guild, room: VoiceRoom) -> discord.VoiceClient:
    """The library's voice client, connected."""
    channel = account.guild(guild.id).get_channel(room.id)
    assert isinstance(channel, discord.VoiceChannel)
    voice: object = account.do(channel.connect())
    assert isinstance(voice, discord.VoiceClient)
    return voice


def wake_the_reader(speaker: Participant) -> None:
    """Somebody sends a silent packet: the library's reading thread looks up only then, or after 30 s."""
    before = speaker.record.count(Kind.SILENCE)
    speaker.send_packet(SILENCE)
    speaker.wait(lambda: speaker.record.count(Kind.SILENCE) > before)


def hang_up(account: Account, voice: discord.VoiceClient, speaker: Participant) -> None:
    """Leave, and wait until the connection is closed, too; the library itself does not wait for that."""
    wake_the_reader(speaker)
    account.do(_disconnect(voice))


async def _disconnect(voice: discord.VoiceClient) -> None:
    connection = voice.ws.ws._conn
    assert connection is not None, "it has no connection"
    assert connection.protocol is not None, "its connection is closed already"
    closed = connection.protocol.closed
    await voice.disconnect()
    if closed is not None:
        await asyncio.wait([closed], timeout=DEADLINE_SECONDS)
