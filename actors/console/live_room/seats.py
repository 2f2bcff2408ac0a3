"""Whoever takes a seat is in the room: he hears everybody but himself, and is heard once he says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from loguru import logger

from actors.audio.opus import NoOpus
from actors.audio.pcm import RATE
from actors.audio.pipe import FramePipe
from actors.console.live_room import wire
from actors.console.live_room.line import Line, Refused, Vanished
from actors.console.live_room.microphone import Microphone
from actors.console.live_room.names import printable, unique, whose
from actors.console.live_room.outbox import Stuck
from actors.console.live_room.seat import Seat
from actors.console.live_room.show import Show
from actors.console.live_room.slots import HIM, Slots
from actors.console.live_room.wire import Join, Leave, Welcome
from actors.local_room import ACCOUNT, LocalRoom, Posted, Written
from actors.net.loop import IoLoop
from messages.ids import PersonId
from messages.people import Person

if TYPE_CHECKING:
    from aiohttp import web

MOST_SEATS: Final = 8
JOIN_SECONDS: Final = 5.0
"""How long one who came may take to say who he is."""
READY_SECONDS: Final = 5.0
"""How long his microphone may take: the first one loads libraries."""
MOST_PACKETS: Final = 400
"""What the room may send before the thread of all sockets looks: eight seconds of one voice."""
LEAVE_SECONDS: Final = 0.5
BEGIN: Final = 'Send {"type": "join", "name": "…", "rate": 48000}'
DONE, GOING_AWAY, POLICY = 1000, 1001, 1008
"""Codes with which a websocket is closed."""


class Seats:
    """All seats at one window; but for the constructor, everything is for the thread of all sockets."""

    def __init__(self, loop: IoLoop, room: LocalRoom, opus_library: str | None = None) -> None:
        """Without `opus_library`, a path, libopus is looked for."""
        self._loop, self._room, self._opus_library = loop, room, opus_library
        self._seats: dict[PersonId, Seat] = {}
        self._sitting: set[asyncio.Task[object]] = set()
        self._closed = False
        self._slots = Slots(opus_library)
        self._show = Show(room, self._slots, self._tell)
        self._packets: FramePipe[tuple[PersonId, bytes]] = FramePipe(self._knock, MOST_PACKETS)
        self._untap: tuple[Callable[[], None], ...] = ()

    async def sit(self, request: web.BaseRequest) -> web.StreamResponse:
        """Stay with one who was admitted until he leaves or vanishes; the connection has to be let last."""
        from aiohttp import web

        line = Line(request)
        if not line.socket.can_prepare(request):
            error = "GET /room is a websocket; open it with ws:// and not with http://."
            return web.json_response({"error": error}, status=426, headers={"Upgrade": "websocket"})
        task = cast("asyncio.Task[object]", asyncio.current_task())
        self._sitting.add(task)
        try:
            await line.open()
            await self._seated(line)
        finally:
            self._sitting.discard(task)
        return line.socket

    async def close(self) -> None:
        """Let everybody go, within half a second; whoever comes later is sent away."""
        self._closed = True
        for task in self._sitting:
            task.cancel()
        if self._sitting:
            await asyncio.wait(self._sitting, timeout=LEAVE_SECONDS)

    async def _seated(self, line: Line) -> None:
        code, error = DONE, ""
        try:
            seat = await self._taken(line)
            try:
                await seat.stay()
            finally:
                self._leave(seat)
        except Refused as no:
            code, error = POLICY, str(no)
        except asyncio.CancelledError:
            if not self._closed:
                raise
            code = GOING_AWAY
        except (Vanished, Stuck, ConnectionError):
            line.abort()
            return
        await line.close(code, error)

    # --- coming and going

    async def _taken(self, line: Line) -> Seat:
        """A seat for whoever says who he is; raises Refused, and what `Line.next` does."""
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                join = await line.next()
        except TimeoutError:
            raise Refused(f"{BEGIN}, within {JOIN_SECONDS:.0f} seconds.") from None
        if isinstance(join, Leave):
            raise Vanished
        if not isinstance(join, Join):
            raise Refused(f"{BEGIN}, before anything else.")
        if not printable(join.name):
            raise Refused("Give a name of 1 to 32 signs that can be seen.")
        return self._take(join, line, await self._microphone(join.rate))

    async def _microphone(self, rate: int) -> Microphone:
        """In a thread, because libraries may have to be loaded; raises Refused."""
        try:
            async with asyncio.timeout(READY_SECONDS):
                return await asyncio.to_thread(Microphone, rate, self._opus_library)
        except (NoOpus, ImportError) as missing:
            raise Refused(f"There can be no sound here: {missing}") from None
        except TimeoutError:
            raise Refused("This machine is too busy to take your sound; join again in a minute.") from None

    def _take(self, join: Join, line: Line, microphone: Microphone) -> Seat:
        try:
            self._see_room()
        except Refused:
            microphone.close()
            raise
        others = (ACCOUNT.label, *(one.label for one in self._room.people))
        name = whose(join.token, (one.id for one in self._room.people))
        person = Person(id=name, label=unique(printable(join.name), others))
        seat = Seat(self._loop, self._room, person, line, microphone)
        if not self._seats:
            self._listen_in()
        self._room.arrive(person)
        self._show.look()
        people = self._show.people
        seat.outbox.say(
            Welcome(
                person=person.id, name=person.label, rate=RATE, people=people.people, present=people.present
            )
        )
        if self._show.question is not None:
            seat.outbox.say(self._show.question)
        self._seats[person.id] = seat
        return seat

    def _see_room(self) -> None:
        if self._closed:
            raise Refused("The window is being closed; join again in a minute.")
        if len(self._seats) >= MOST_SEATS:
            raise Refused(f"All {MOST_SEATS} seats are taken; join when somebody has left.")

    def _leave(self, seat: Seat) -> None:
        self._seats.pop(seat.person.id)
        seat.count()
        self._room.depart(seat.person.id)
        if not self._seats:
            self._listen_no_more()

    # --- what happens in the room

    def _listen_in(self) -> None:
        self._untap = (
            self._room.tap_speech(lambda packet, _at: self._packets.put((ACCOUNT.id, packet))),
            self._room.tap_people(lambda person, packet, _at: self._packets.put((person, packet))),
            self._room.tap_posts(lambda posted: self._loop.call(self._posted, posted)),
            self._room.tap_written(lambda written: self._loop.call(self._written, written)),
            self._room.watch(lambda: self._loop.call(self._show.look)),
        )

    def _listen_no_more(self) -> None:
        for untap in self._untap:
            untap()
        if self._packets.dropped or self._slots.broken:
            logger.info(
                "of what was said, {} packets came too late and {} were no Opus",
                self._packets.dropped,
                self._slots.broken,
            )
        self._packets.drain()
        self._slots.close()

    def _knock(self) -> None:
        self._loop.call(self._carry)

    def _carry(self) -> None:
        """Everybody's sound to everybody else, decoded once."""
        for speaker, packet in self._packets.drain():
            slot = HIM if speaker == ACCOUNT.id else self._slots.of(speaker)
            others = [seat for person, seat in self._seats.items() if person != speaker]
            if slot is None or not others:
                continue
            for sound in self._slots.sounds(slot, packet):
                for seat in others:
                    seat.outbox.sound(sound)

    def _posted(self, posted: Posted) -> None:
        if posted.room == self._room.id and posted.question is None:
            text = " ".join((posted.text, *(f"[{one.name}]" for one in posted.attachments)))
            self._tell(wire.Line(name=ACCOUNT.label, text=text.strip(), his=True))

    def _written(self, written: Written) -> None:
        if written.room == self._room.id:
            self._tell(wire.Line(name=written.author.label, text=written.text, his=False))

    def _tell(self, told: wire.Told) -> None:
        for seat in self._seats.values():
            seat.outbox.say(told)
