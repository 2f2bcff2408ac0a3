"""`python -m tests.benchmarks.crowd.program FD ROOMS PEOPLE SECONDS GRAIN [CORE]` is a crowd on FD."""

from __future__ import annotations

import asyncio
import functools
import gc
import os
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final, TypeAlias, cast

from tests.benchmarks.crowd import letters
from tests.benchmarks.crowd.choir import Choir
from tests.benchmarks.crowd.letters import Counts, Done, Failed, News, Order, Place, Traffic
from tests.benchmarks.crowd.speakers import Speaker, speech
from tests.loopback.discord.body import Body
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice import rtp
from tests.loopback.discord.voice.client import Client
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.wire import Op

SLOTS_PER_SECOND: Final = 50
AT_ONCE: Final = 10
"""So many come in while nobody waits for one of them."""
GATHER_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.02
END_SECONDS: Final = 2.0
MOST_SILENT: Final = rtp.SMALLEST + len(rtp.SILENCE)
"""Bytes of a packet of his that says nothing."""

Talking: TypeAlias = list[tuple[Speaker, Session]]


class Room:
    """A room of its own guild, its people, and what came of him."""

    def __init__(self, discord: Discord, number: int, people: int) -> None:
        self.guild: Guild = discord.guild(f"Guild {number}")
        self.channel = self.guild.voice("General")
        self.people = [
            Participant(discord.voice, self.guild.member(f"P{number}.{place}")) for place in range(people)
        ]
        self.speakers = [Speaker(person, place) for place, person in enumerate(self.people)]
        self.arrivals = array("d")
        self.silence = self.other = 0
        self._discord = discord
        for person in self.people:
            person.commits = False  # until all are there: it is what costs in a crowd

    @property
    def place(self) -> Place:
        """Where it is."""
        people = tuple(person.id for person in self.people)
        return Place(guild=self.guild.id, channel=self.channel.id, people=people)

    def gather(self) -> None:
        """Let everybody in, and have the first of them make one group of all with a single commit."""
        for place, person in enumerate(self.people):
            person.join(self.channel, wait=place % AT_ONCE == 0)
        first = self.people[0]
        first.wait(self._all_wait_for_the_first, GATHER_SECONDS, "a crowd at the door")
        self._discord.ground.run(lambda: _commit(first.client))
        self.gathered()

    def gathered(self, *more: int) -> None:
        """Wait until its people, and these, are in one group."""
        for person in self.people:
            others = [other.id for other in self.people if other is not person]
            if others or more:
                person.wait_for_group(*others, *more, seconds=GATHER_SECONDS)

    def _all_wait_for_the_first(self) -> bool:
        first, voice = self.people[0], self._discord.voice
        if not first.connected:
            return False
        told = voice.group(self.guild.id, self.channel.id).delivery._batch._told.get(first.id, {})
        heard = voice.desk.sessions(first.id)[-1]._seq == first.client._seq
        return heard and len(told) == len(self.people) - 1

    def listener(self) -> Session:
        """His session here."""
        return self._discord.voice.desk.sessions(self._discord.user, self.guild.id)[-1]

    def heard(self, datagram: bytes, at: float) -> None:
        """A datagram of his came."""
        if len(datagram) <= MOST_SILENT:
            self.silence += 1
        elif datagram[1] & 0x7F == rtp.AUDIO:
            self.arrivals.append(at)
        else:
            self.other += 1

    def traffic(self) -> Traffic:
        """What came and went since the last time."""
        arrivals, self.arrivals = self.arrivals, array("d")
        counts = Counts(sound=len(arrivals), silence=self.silence, other=self.other)
        self.silence = self.other = 0
        departures: list[tuple[float, ...]] = []
        for speaker in self.speakers:
            departures.append(tuple(speaker.departures))
            speaker.departures = array("d")
        return Traffic(arrivals=tuple(arrivals), counts=counts, departures=tuple(departures))


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How many there are, how long they can talk, and how exactly their packets are spread."""

    rooms: int
    people: int
    seconds: float
    grain: float


class Crowd:
    """Carries out orders, one after the other."""

    def __init__(self, discord: Discord, end: letters.ToHouse, size: Size) -> None:
        self._discord, self._end, self._slots = discord, end, round(size.seconds * SLOTS_PER_SECOND)
        self._tell, discord.gateway.tell = discord.gateway.tell, self._told  # type: ignore[method-assign,assignment]
        self.rooms = [Room(discord, number, size.people) for number in range(size.rooms)]
        for room in self.rooms:
            room.gather()
        self._by_guild = {room.guild.id: room for room in self.rooms}
        self._by_address: dict[tuple[str, int], Room] = {}
        sfu = discord.voice.endpoints[0].sfu
        sfu._sound = self._sound  # type: ignore[method-assign]  # nothing of his is opened or passed on
        assert sfu._socket
        self._socket, self._choir = sfu._socket, Choir(sfu._socket, size.grain)

    def carry_out(self, order: Order) -> News | None:
        """What came of it."""
        match order:
            case letters.Dial():
                self._dial(order)
                return None
            case letters.Settle():
                for room in self.rooms:
                    room.gathered(self._discord.user)
                    self._by_address[cast("tuple[str, int]", room.listener().address)] = room
                self._discord.ground.run(self._look_seldom)
                self._breathe(self._speakers(range(len(self.rooms)), None))
                return Done()
            case letters.Talk(on=True):
                self._begin(self._speakers(order.rooms, order.people))
                return Done()
            case letters.Talk():
                return self._finish(self._speakers(order.rooms, order.people))
            case letters.Report():
                return self.rooms[order.room].traffic()

    def close(self) -> None:
        """Send no more."""
        self._choir.close()

    def _dial(self, order: letters.Dial) -> None:
        channel = None if order.channel is None else str(order.channel)
        said = Body(
            {"guild_id": str(order.guild), "channel_id": channel, "self_mute": False, "self_deaf": False}
        )
        self._discord.ground.run(lambda: self._discord.calls.asked(said, ""))

    def _told(self, event: str, shape: Mapping[str, object], *rest: object, **more: object) -> None:
        self._tell(event, shape, *rest, **more)  # type: ignore[arg-type]
        if event == "VOICE_STATE_UPDATE" and shape["user_id"] == str(self._discord.user):
            channel = shape["channel_id"]
            where = int(str(channel)) if channel else None
            guild = int(str(shape["guild_id"]))
            self._end.send(letters.State(guild=guild, session=str(shape["session_id"]), channel=where))
        elif event == "VOICE_SERVER_UPDATE":
            endpoint = str(shape["endpoint"]) if shape["endpoint"] else None
            guild = int(str(shape["guild_id"]))
            self._end.send(letters.Server(guild=guild, token=str(shape["token"]), endpoint=endpoint))

    def _sound(self, datagram: bytes, address: tuple[str, int], at: float) -> None:
        # Where there is one room, a line that nobody has settled yet can only be his next one.
        room = self._by_address.get(address) or (self.rooms[0] if len(self.rooms) == 1 else None)
        if room is not None:
            room.heard(datagram, at)

    def _look_seldom(self) -> None:
        """Read his packets many at a time: the kernel has noted when each of them came."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._socket)
        self._look()

    def _look(self) -> None:
        if self._socket.fileno() >= 0:
            self._discord.voice.endpoints[0].sfu._readable()
            asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _speakers(self, rooms: Sequence[int], people: int | None) -> Talking:
        """The first so many, or all, of these rooms, and to whom each of them talks."""
        return [
            (speaker, self.rooms[number].listener())
            for number in rooms
            for speaker in self.rooms[number].speakers[:people]
        ]

    def _breathe(self, talking: Talking) -> None:
        for speaker, _ in talking:
            self._discord.ground.run(functools.partial(speaker.breathe, self._slots))

    def _begin(self, talking: Talking) -> None:
        self._breathe(talking)
        for speaker, listener in talking:
            speaker.person.signal_speaking(on=True)
            speaker.begin(listener)
        self._choir.join([speaker for speaker, _ in talking])

    def _finish(self, talking: Talking) -> Done | Failed:
        for speaker, listener in talking:
            speaker.end(listener)
        speakers = [speaker for speaker, _ in talking]
        if not self._choir.wait_until_silent(speakers, END_SECONDS):
            return Failed(why="the choir did not fall silent")
        breathless = sum(speaker.breathless for speaker in speakers)
        for speaker in speakers:
            speaker.breathless = 0
            speaker.person.signal_speaking(on=False)
        return Done(breathless=breathless)


def _commit(client: Client) -> None:
    """Have him answer for what he was told while he committed nothing."""
    member = client.member
    member.commits = True
    if member._unread:
        newest = b"\0" + member._unread.pop()
        client._answer(member.hear_binary(Op.PROPOSALS, newest, client.known))


def main() -> None:
    """Gather, say how to be reached, and do as told."""
    descriptor, rooms, people, seconds, grain, *core = sys.argv[1:]
    if core:
        os.sched_setaffinity(0, {int(core[0])})
    size = Size(rooms=int(rooms), people=int(people), seconds=float(seconds), grain=float(grain))
    gc.disable()  # nobody is to wait for it
    end = cast("letters.ToHouse", Connection(int(descriptor)))
    speech()
    with Discord() as discord:
        crowd = Crowd(discord, end, size)
        places = tuple(room.place for room in crowd.rooms)
        end.send(letters.Open(ca_file=str(discord.ca_file), user=discord.user, places=places))
        try:
            while True:
                answer = crowd.carry_out(end.recv())
                if answer is not None:
                    end.send(answer)
        except (EOFError, ConnectionError):
            pass
        finally:
            crowd.close()


if __name__ == "__main__":
    main()
