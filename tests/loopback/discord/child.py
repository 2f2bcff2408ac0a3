"""Our media process as a client of the loopback Discord, fed by hand with what the main gateway tells."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeVar

from actors.voice.media import ipc, mail
from actors.voice.media.pipe import socket_pair
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES
from tests.loopback.discord.account import Account, discord, logged_in
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.server import Discord

if TYPE_CHECKING:
    from discord.types.voice import GuildVoiceState, VoiceServerUpdate

T = TypeVar("T", bound=mail.Letter)

LOUD = b"\x00\x20\x00\xe0" * (FRAME_BYTES // 4)
"""One frame of 20 ms that nobody takes for silence."""
MOST_LETTERS = 10_000


class Child:
    """The process, and every letter that came from it."""

    def __init__(self, server: Discord) -> None:
        self._near, far = socket_pair()
        command = [sys.executable, "-m", "actors.voice.media", str(far.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[far.fileno()])
        far.close()
        self._letters: list[mail.Letter] = []
        self._came = threading.Condition()
        self._reader = threading.Thread(target=self._read, name="letters of the media process")
        self._reader.start()
        settings = asdict(VoiceSettings())
        wanted = {name: settings[name] for name in mail.Begin.__slots__ if name in settings}
        self.tell(
            mail.Begin(
                version=ipc.VERSION,
                ca_file=str(server.ca_file),
                proxy=server.proxy,
                opus_library=None,
                **wanted,
            )
        )

    def tell(self, order: mail.Order) -> None:
        """Send one letter."""
        self._near.send(ipc.encode(order))

    def wait(self, kind: type[T], fits: Callable[[T], bool] = lambda _letter: True) -> T:
        """Wait until a letter of this kind has come that fits; AssertionError if none does."""

        def found() -> T | None:
            return next((one for one in self._letters if isinstance(one, kind) and fits(one)), None)

        with self._came:
            letter = self._came.wait_for(found, DEADLINE_SECONDS)
        assert letter, f"no {kind.__name__} came"
        return letter

    def close(self) -> None:
        """Say goodbye; it ends by itself."""
        self.tell(mail.Bye())
        try:
            self._process.wait(DEADLINE_SECONDS)
        finally:
            self._process.kill()
            self._process.wait()
            self._near.shutdown(socket.SHUT_RDWR)
            self._reader.join(DEADLINE_SECONDS)
            self._near.close()

    def _read(self) -> None:
        while letter := self._near.recv(ipc.MOST_BYTES):
            with self._came:
                assert len(self._letters) < MOST_LETTERS
                self._letters.append(ipc.decode(letter))
                self._came.notify_all()


class Courier(discord.VoiceProtocol):
    """Passes on what the main gateway says about his voice; a new connection for each channel."""

    child: Child

    def __init__(self, client: discord.Client, channel: discord.abc.Connectable) -> None:
        assert isinstance(channel, discord.VoiceChannel)
        super().__init__(client, channel)
        self.guild = channel.guild
        self.connection = 0
        self._first, self._sits = channel.id, 0

    async def connect(
        self,
        *,
        timeout: float,  # noqa: ASYNC109 - the library passes it
        reconnect: bool,
        self_deaf: bool = False,
        self_mute: bool = False,
    ) -> None:
        """Ask for a seat; what comes of it, the updates tell."""
        await self.guild.change_voice_state(channel=discord.Object(self._first))

    async def on_voice_state_update(self, data: GuildVoiceState, /) -> None:
        """He sits, sits elsewhere, or sits nowhere."""
        channel = int(data["channel_id"] or 0)
        if channel not in {0, self._sits}:
            self.connection += 1
            user = int(data["user_id"])
            self.child.tell(
                mail.Open(connection=self.connection, user=user, guild=self.guild.id, channel=channel)
            )
        self._sits = channel
        session = data["session_id"] if channel else None
        self.child.tell(mail.VoiceState(connection=self.connection, session=session))

    async def on_voice_server_update(self, data: VoiceServerUpdate, /) -> None:
        """A voice server expects him."""
        letter = mail.VoiceServer(
            connection=self.connection, token=data["token"], endpoint=data.get("endpoint")
        )
        self.child.tell(letter)

    async def disconnect(self, *, force: bool) -> None:
        """Get up."""
        await self.guild.change_voice_state(channel=None)
        self.cleanup()


class MediaPlayer:
    """Plays the bot's part with the media process."""

    def __init__(self, account: Account, child: Child) -> None:
        self._account = account
        self._child = child
        self._utterance = 0

    def enter(self, room: int) -> None:
        """See Voice."""
        channel = self._account.client.get_channel(room)
        assert isinstance(channel, discord.VoiceChannel)
        made = type("Courier", (Courier,), {"child": self._child})
        self._account.do(channel.connect(cls=made))
        self._child.wait(mail.Reached)

    def say(self, packets: int) -> None:
        """See Voice."""
        self._utterance += 1
        number, connection = self._utterance, self._courier.connection
        self._child.tell(mail.Sound(connection=connection, utterance=number, pcm=LOUD * packets))
        self._child.tell(mail.End(connection=connection, utterance=number))
        over = {"drained", "failed"}
        spoken = self._child.wait(mail.Spoken, lambda one: one.utterance == number and one.what in over)
        assert spoken.what == "drained", spoken.reason

    def leave(self) -> None:
        """See Voice."""
        connection = self._courier.connection
        self._account.do(self._courier.disconnect(force=False))
        self._child.tell(mail.Shut(connection=connection))
        self._child.wait(mail.IsShut)

    @property
    def _courier(self) -> Courier:
        (courier,) = self._account.client.voice_clients
        assert isinstance(courier, Courier)
        return courier


@contextmanager
def media_process(server: Discord) -> Generator[MediaPlayer]:
    """The account logged in, and a media process beside it."""
    child = Child(server)
    try:
        child.wait(mail.Hello)
        with logged_in(server) as account:
            yield MediaPlayer(account, child)
    finally:
        child.close()
