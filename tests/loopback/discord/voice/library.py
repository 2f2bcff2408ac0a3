"""How to join and to hang up with discord.py's own voice client so that nothing of it stays behind."""

from __future__ import annotations

from tests.loopback.discord.account import Account, discord
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.server import Discord


def join(account: Account, room: int) -> discord.VoiceClient:
    """The library's voice client, connected."""
    channel = account.client.get_channel(room)
    assert isinstance(channel, discord.VoiceChannel)
    voice: object = account.do(channel.connect(timeout=DEADLINE_SECONDS))
    assert isinstance(voice, discord.VoiceClient)
    return voice


def hang_up(server: Discord, account: Account, voice: discord.VoiceClient) -> None:
    """Leave, and end the thread that reads the sound; the library itself does not wait for that."""
    reader = voice._connection._socket_reader
    reader.stop()
    wake_the_reader(server)
    reader.join(DEADLINE_SECONDS)
    assert not reader.is_alive(), "the library's reading thread did not end"
    account.do(voice.disconnect())


def wake_the_reader(server: Discord) -> None:
    """Send the bot a meaningless datagram: the reading thread looks up only then, or after 30 s."""
    server.voice.throw(server.user, bytes(8))
