"""A link, the switchboard, and an account whose gateway is the loopback Discord itself."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from actors.net.loop import IoLoop
from actors.switchboard import Switchboard
from actors.voice.live import LiveVoiceLink
from actors.voice.settings import VoiceSettings
from messages.audio import Frame
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.voice import LinkUp, VoicePortEvent
from tests.loopback.discord.body import Body
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.probe import Probe

ONE, TWO = Connection(1), Connection(2)
U, V = UtteranceId("u1"), UtteranceId("u2")


class Account:
    """Sends op 4, and passes on what Discord tells of his own voice; it stands on Discord's own thread."""

    def __init__(self, discord: Discord, guild: Guild, switchboard: Switchboard) -> None:
        self._discord, self._guild, self._switchboard = discord, guild, switchboard
        self._tell = discord.gateway.tell
        discord.gateway.tell = self._told  # type: ignore[method-assign,assignment]
        self.secrets: set[str] = set()
        """Sessions and tokens that were told."""
        self.deaf = False
        """Whether Discord's answers get lost."""

    def dial(self, guild: int, channel: int) -> None:
        self._ask(guild, str(channel))

    def hang_up(self, guild: int) -> None:
        self._ask(guild, None)

    def _ask(self, guild: int, channel: str | None) -> None:
        said = Body({"guild_id": str(guild), "channel_id": channel, "self_mute": False, "self_deaf": False})
        ground = self._discord.ground
        ground.loop.call_soon_threadsafe(lambda: ground.run(lambda: self._discord.calls.asked(said, "")))

    def _told(self, event: str, shape: Mapping[str, object], *rest: object, **more: object) -> None:
        self._tell(event, shape, *rest, **more)  # type: ignore[arg-type]
        if self.deaf:
            return
        if event == "VOICE_STATE_UPDATE" and shape["user_id"] == str(self._discord.user):
            channel = shape["channel_id"]
            where = int(str(channel)) if channel else None
            self.secrets.add(str(shape["session_id"]))
            self._switchboard.heard_state(self._guild.id, str(shape["session_id"]), where)
        elif event == "VOICE_SERVER_UPDATE":
            endpoint = shape["endpoint"]
            told = str(endpoint) if endpoint else None
            self.secrets.add(str(shape["token"]))
            self._switchboard.heard_server(self._guild.id, str(shape["token"]), told)


class Sink:
    """Keeps what was heard of one person."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self._came = threading.Condition()

    def put(self, frame: Frame, /) -> None:
        with self._came:
            self.frames.append(frame)
            self._came.notify_all()

    def wait(self, frames: int, seconds: float = 5.0) -> list[Frame]:
        with self._came:
            assert self._came.wait_for(lambda: len(self.frames) >= frames, seconds), len(self.frames)
            return list(self.frames)

    @property
    def pcm(self) -> bytes:
        return b"".join(frame.pcm for frame in self.frames)


class World:
    """One guild, one room, one link; people join by name."""

    def __init__(self, discord: Discord, loop: IoLoop, settings: VoiceSettings) -> None:
        self.discord, self.loop, self.settings = discord, loop, settings
        self.guild = discord.guild("Home")
        self.room = self.guild.voice("General")
        self.attic = self.guild.voice("Attic")
        self.switchboard = Switchboard()
        self.account = Account(discord, self.guild, self.switchboard)
        self.switchboard.attach(self.account)
        rooms = {RoomId(str(room.id)): self.guild.id for room in (self.room, self.attic)}
        self.switchboard.ready(discord.user, rooms)
        self.news = Probe[VoicePortEvent]()
        self.link = LiveVoiceLink(
            self.switchboard, loop, settings, ca_file=discord.ca_file, proxy="http://127.0.0.1:1"
        )
        self.link.open(self.news.tell)

    def person(self, name: str, room: VoiceRoom | None = None) -> Participant:
        person = Participant(self.discord.voice, self.guild.member(name))
        person.join(room or self.room)
        return person

    def connect(self, connection: Connection = ONE, room: VoiceRoom | None = None) -> LinkUp:
        self.link.connect(connection, RoomId(str((room or self.room).id)))
        return self.news.expect(LinkUp, 10.0)

    def hear(self, person: Participant) -> Sink:
        sink = Sink()
        self.link.microphone(PersonId(str(person.id)), CaptureId(f"c{person.id}"), sink)
        return sink

    def pid(self) -> int:
        pid = self.link.describe()["media_process"]
        assert isinstance(pid, int)
        return pid

    def say(self, pcm: bytes, utterance: UtteranceId = U, connection: Connection = ONE) -> None:
        self.link.play(connection, utterance, pcm)
        self.link.end(connection, utterance)


@contextmanager
def world(settings: VoiceSettings | None = None) -> Generator[World]:
    loop = IoLoop()
    loop.start()
    try:
        with Discord() as discord:
            made = World(discord, loop, settings or VoiceSettings())
            try:
                yield made
            finally:
                made.link.close()
    finally:
        loop.stop(2.0)
