"""A person in a voice channel with a real client of his own: he speaks, hears and has keys."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, TypeVar

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.audio.pcm import FRAME_SECONDS, frames
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.voice.client import Client, Heard, Pass
from tests.loopback.discord.voice.member import PLAIN
from tests.loopback.discord.voice.rtp import SILENCE
from tests.loopback.discord.voice.wire import MODES, Body

if TYPE_CHECKING:
    from tests.loopback.discord.people import Member
    from tests.loopback.discord.rooms import VoiceRoom
    from tests.loopback.discord.voice.record import Record
    from tests.loopback.discord.voice.server import VoiceServers

__all__ = ["Heard", "Participant"]

KEPT_PACKETS: Final = 200_000
TRAILING_SILENCE: Final = 5
_ABROAD: Final = 4014

T = TypeVar("T")


class Participant:
    """What any thread may ask of a person, and what came of it; one at a time for each member of a guild.

    `modes` are the transport encryptions that he likes, best first; with `dave` 0 his client knows no
    end-to-end encryption.
    """

    def __init__(
        self, voice: VoiceServers, member: Member, *, modes: tuple[str, ...] = MODES, dave: int = 1
    ) -> None:
        self.member = member
        self.id = member.id
        self.commits = True
        """Whether he sends commits for his group; to be set before he joins.

        It is what costs in a crowd: one of many should, the rest need not.
        """
        self.identify_with: Body = {}
        """What his client says in its IDENTIFY instead of what is right."""
        self._voice = voice
        self._ground = voice.ground
        self._modes = modes
        self._dave = dave
        self._clients: list[Client] = []
        self._heard: deque[Heard] = deque(maxlen=KEPT_PACKETS)
        self.on_heard: Callable[[Heard], None] = _unheard
        """Told of every packet that he could read, on the loop's thread."""
        voice.visitors.append(self)

    # --- coming and going -------------------------------------------------------------------------

    def join(self, room: VoiceRoom, *, wait: bool = True) -> None:
        """Sit down in a room and connect; waits until he can hear and speak there, unless told not to."""
        self.member.join(room)
        self._ground.run(self.dial)
        if wait:
            self.wait(lambda: self.connected, what="the connection of a participant")

    def leave(self) -> None:
        """Hang up and get up."""

        def change() -> None:
            for client in self._clients:
                client.leave()

        self._ground.run(change)
        self.member.leave()

    def abort(self) -> None:
        """Lose his own TCP connection; his client resumes."""
        self._ground.run(self._client_aborts)

    def dial(self) -> None:
        """Connect to the voice server of the place where he sits; only on the loop's thread."""
        place = self.member.voice
        assert place, "he sits nowhere"
        guild = self.member.guild_id
        token, endpoint = self._voice.admit(guild, place.channel, self.id, place.session)
        admitted = Pass(
            user=self.id,
            guild=guild,
            channel=place.channel,
            session=place.session,
            token=token,
            endpoint=endpoint,
        )
        client = Client(
            admitted,
            http=self._voice.http,
            modes=self._modes,
            dave=self._dave,
            hear=self._hear,
            changed=self._voice.changed,
        )
        client.identify_with = self.identify_with
        client.member.commits = self.commits
        self._clients.append(client)
        visit = self._ground.spawn(self._visit(client, place.channel))
        self._voice.visits.add(visit)
        visit.add_done_callback(self._voice.visits.discard)

    # --- speaking ---------------------------------------------------------------------------------

    def speak(self, pcm: bytes) -> Future[int]:
        """Say house sound (24 kHz mono s16le) at the pace of speech; how many packets had to be withheld.

        The future is done when the last packet has left, five of silence after the sound included.
        """
        return asyncio.run_coroutine_threadsafe(self._speak(pcm), self._ground.loop)

    def say(self, packets: Sequence[bytes]) -> Future[int]:
        """Send these Opus packets at the pace of speech; otherwise as `speak`."""
        return asyncio.run_coroutine_threadsafe(self._say(packets), self._ground.loop)

    def send_packet(self, opus: bytes) -> None:
        """Send one Opus packet of 20 ms now; the caller sets the pace."""
        self._ground.loop.call_soon_threadsafe(self._client.send, opus)

    def send_plain(self, opus: bytes) -> None:
        """Send one Opus packet without end-to-end encryption, as nobody should."""
        self._ground.run(lambda: self._client.send(opus, open_to_all=True))

    def throw(self, datagram: bytes) -> None:
        """Send any bytes to the voice server's UDP port."""
        self._ground.run(lambda: self._client.throw(datagram))

    def signal_speaking(self, *, on: bool) -> None:
        """Op 5 alone."""
        self._ground.run(lambda: self._client.speaking(on=on))

    # --- what came of it --------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether he can hear and speak, apart from the encryption."""
        return bool(self._clients) and self._clients[-1].up

    @property
    def ready(self) -> bool:
        """Whether he is in a group with others."""
        return self.connected and self._clients[-1].member.ready

    @property
    def group(self) -> frozenset[int]:
        """The ids of all in his group, his own included; empty without one."""
        return self._clients[-1].member.people if self.connected else frozenset()

    @property
    def privacy_code(self) -> str:
        """The voice privacy code of his group; empty without one."""
        return self._clients[-1].member.privacy_code if self.ready else ""

    @property
    def heard(self) -> tuple[Heard, ...]:
        """Every packet that he could read, silent ones included, as it came."""
        return tuple(self._heard)

    def heard_from(self, user: int) -> tuple[Heard, ...]:
        """What somebody said, without the silent packets and copies, in the order in which it was said."""
        found: dict[tuple[int, int], Heard] = {}
        for one in tuple(self._heard):
            if one.user == user and not one.silent:
                found.setdefault((one.ssrc, one.timestamp), one)
        return tuple(sorted(found.values(), key=lambda one: one.at))

    def pcm(self, user: int) -> bytes:
        """What somebody said as house sound, without the gaps in it."""
        decoder = OpusDecoder()
        try:
            said = sorted(self.heard_from(user), key=lambda one: (one.ssrc, one.timestamp))
            return b"".join(decoder.decode(one.opus) for one in said)
        finally:
            decoder.close()

    @property
    def plain_frames(self) -> int:
        """How many packets of others were not encrypted from end to end although they had to be."""
        return sum(client.unreadable[PLAIN] for client in self._clients)

    @property
    def unreadable(self) -> Counter[str]:
        """How many packets of others he could not read, by kind."""
        return _total([client.unreadable for client in self._clients])

    @property
    def group_errors(self) -> Counter[str]:
        """What went wrong with his group, `op:kind`; after each he started again with op 31."""
        return _total([client.member.errors for client in self._clients])

    @property
    def resumed(self) -> int:
        """How often his client came back to the same session."""
        return sum(client.resumed for client in self._clients)

    @property
    def client(self) -> Client:
        """His present client; look only."""
        return self._client

    @property
    def record(self) -> Record:
        """What the voice server remembers of his present session."""
        return self._voice.record(self.id)

    def _hear(self, heard: Heard) -> None:
        self._heard.append(heard)
        self.on_heard(heard)

    def wait(self, until: Callable[[], T], seconds: float = DEADLINE_SECONDS, what: str = "that") -> T:
        """Wait for something to become true of him; AssertionError after `seconds`."""
        return self._ground.wait(until, seconds, what)

    def wait_for_group(self, *people: int, seconds: float = DEADLINE_SECONDS) -> str:
        """Wait until exactly he and these people are in his group; its privacy code."""
        wanted = frozenset({self.id, *people})
        self.wait(lambda: self.group == wanted, seconds, "a group of the right people")
        return self.privacy_code

    def wait_for_sound(self, user: int, packets: int, seconds: float = DEADLINE_SECONDS) -> None:
        """Wait until he has heard so many packets with sound of somebody."""
        self.wait(lambda: len(self.heard_from(user)) >= packets, seconds, f"{packets} packets of {user}")

    # --- on the loop's thread -----------------------------------------------------------------------

    @property
    def _client(self) -> Client:
        assert self._clients, "he never joined"
        return self._clients[-1]

    def _client_aborts(self) -> None:
        self._client.abort()

    async def _visit(self, client: Client, channel: int) -> None:
        await client.run()
        place = self.member.voice
        # Moved by somebody: he follows, as every application does.
        if client.closed_with == _ABROAD and client is self._client and place and place.channel != channel:
            self.dial()

    async def _speak(self, pcm: bytes) -> int:
        encoder = OpusEncoder()
        try:
            return await self._say(encoder.encode(frame) for frame in frames(pcm))
        finally:
            encoder.close()

    async def _say(self, packets: Iterable[bytes]) -> int:
        client = self._client
        before = client.withheld
        client.speaking(on=True)
        due = asyncio.get_running_loop().time()
        for packet in packets:
            self._client.send(packet)
            due = await _next_slot(due)
        for _ in range(TRAILING_SILENCE):
            self._client.send(SILENCE)
            due = await _next_slot(due)
        self._client.speaking(on=False)
        return client.withheld - before


async def _next_slot(due: float) -> float:
    """Wait for the end of the slot that began at `due`; late slots are made up for at once."""
    loop = asyncio.get_running_loop()
    due += FRAME_SECONDS
    came: asyncio.Future[None] = loop.create_future()
    timer = loop.call_at(due, _arrive, came)
    try:
        await came
    finally:
        timer.cancel()
    return due


def _arrive(came: asyncio.Future[None]) -> None:
    if not came.done():  # whoever waits may have been broken off in this very turn of the loop
        came.set_result(None)


def _total(counts: list[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


def _unheard(_heard: Heard) -> None:
    """Nobody listens along."""
