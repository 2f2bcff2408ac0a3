"""One who sits in the room, from his name to his leaving; being here lets nobody hear him yet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, assert_never

from loguru import logger

from actors.console.live_room.line import Line, Refused
from actors.console.live_room.microphone import Microphone
from actors.console.live_room.outbox import Outbox
from actors.console.live_room.wire import Consent, Join, Leave, Outcome, Press, Wrote
from actors.console.live_room.wire import Line as LineTold
from actors.local_room import ACCOUNT, LocalRoom
from actors.net.loop import IoLoop
from messages.gateway import ButtonAnswered, ButtonOutcome, ConsentAnswered, ConsentOutcome
from messages.people import Person

PACKETS_AT_ONCE: Final = 10
"""Then the others on the thread of all sockets have their turn; a millisecond of work."""
ANSWER_SECONDS: Final = 5.0
"""How long his consent waits for an answer; one that comes later still is told."""


class Seat:
    """The person, what he says and what he is told; for the thread of all sockets."""

    def __init__(
        self, loop: IoLoop, room: LocalRoom, person: Person, line: Line, microphone: Microphone
    ) -> None:
        self._loop, self._room, self._microphone = loop, room, microphone
        self.person, self.line, self.outbox = person, line, Outbox()
        self._sent = 0

    async def stay(self) -> None:
        """Until he leaves; raises Refused, Vanished, Stuck and ConnectionError."""
        both = [
            asyncio.ensure_future(self.outbox.pump(self.line.socket)),
            asyncio.ensure_future(self._listen()),
        ]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
        finally:
            for one in both:
                one.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            self._microphone.close()

    def count(self) -> None:
        """Write down what did not get through in either direction."""
        if self.outbox.dropped or self._microphone.refused_seconds:
            logger.info(
                "{} missed {} frames, and sent {:.1f} s of sound too fast",
                self.person.id,
                self.outbox.dropped,
                self._microphone.refused_seconds,
            )

    async def _listen(self) -> None:
        while True:
            heard = await self.line.next()
            if isinstance(heard, bytes):
                await self._speak(heard)
            elif isinstance(heard, Leave):
                return
            else:
                self._obey(heard)

    async def _speak(self, pcm: bytes) -> None:
        """To the whole room: whoever has not consented is dropped unread by his ear, as everywhere."""
        refused = self._microphone.refused_seconds
        for packet in self._microphone.packets(pcm, time.monotonic()):
            self._room.send(self.person.id, packet)
            self._sent += 1
            if self._sent % PACKETS_AT_ONCE == 0:
                await asyncio.sleep(0)
        if not refused and self._microphone.refused_seconds:
            logger.warning("{} sends sound faster than time; what is too much is dropped", self.person.id)

    def _obey(self, said: Join | Consent | Wrote | Press) -> None:
        match said:
            case Join():
                raise Refused("You have a seat already; leave it first, or open another connection.")
            case Consent():
                slip = _ConsentSlip(self._loop, self._tell_consent)
                asyncio.get_running_loop().call_later(ANSWER_SECONDS, slip.expire)
                self._room.consent(self.person.id, said.granted, slip)
            case Wrote():
                self._room.type(self.person.id, said.text)
            case Press():
                slip_of_button = _ButtonSlip(self._loop, self._tell_press)
                self._room.press(self.person, said.granted, slip_of_button, room=self._room.id)
            case _:
                assert_never(said)

    def _tell_consent(self, outcome: ConsentOutcome) -> None:
        self.outbox.say(Outcome(outcome=outcome.value))

    def _tell_press(self, outcome: ButtonOutcome) -> None:
        match outcome:
            case ButtonOutcome.GRANTED | ButtonOutcome.DENIED:
                return  # everybody sees the buttons go
            case ButtonOutcome.NOT_YOURS:
                text = "Only whoever asked me for this may decide it."
            case ButtonOutcome.OVER:
                text = "That question is over."
            case _:
                assert_never(outcome)
        self.outbox.say(LineTold(name=ACCOUNT.label, text=text, his=True))


class _ConsentSlip:
    """Waits for what came of a consent; any thread may tell it."""

    def __init__(self, loop: IoLoop, tell: Callable[[ConsentOutcome], None]) -> None:
        self._loop, self._tell, self._answered = loop, tell, False

    def tell(self, message: ConsentAnswered, /) -> None:
        """It came of this."""
        self._loop.call(self._settle, message.outcome)

    def expire(self) -> None:
        """Nobody answers, so nobody hears him."""
        if not self._answered:
            self._tell(ConsentOutcome.NO_STAY)

    def _settle(self, outcome: ConsentOutcome) -> None:
        self._answered = True
        self._tell(outcome)


class _ButtonSlip:
    """Waits for what came of a button; any thread may tell it."""

    def __init__(self, loop: IoLoop, tell: Callable[[ButtonOutcome], None]) -> None:
        self._loop, self._tell = loop, tell

    def tell(self, message: ButtonAnswered, /) -> None:
        """It came of this."""
        self._loop.call(self._tell, message.outcome)
