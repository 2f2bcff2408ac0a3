"""One websocket of a client, on which a person with up to five voices of one mind answers."""

from __future__ import annotations

import asyncio
import json

from aiohttp import web

from tests.loopback.elevenlabs import wire
from tests.loopback.elevenlabs.asked import Asked
from tests.loopback.elevenlabs.catalogue import Dialect
from tests.loopback.elevenlabs.contexts import (
    Batch,
    Contexts,
    Farewell,
    Final,
    Generate,
    Refusal,
    Step,
    TurnOver,
    idle_refusal,
)
from tests.loopback.elevenlabs.place import Place
from tests.loopback.elevenlabs.rules import DialogueRules, Rules, SpeechRules
from tests.loopback.elevenlabs.sound import Chunk, chunks
from tests.loopback.providers import Frame, Socket, pause

LONGEST_REASON = 120
"""What fits into a close frame, in bytes."""
BYTES_A_SAMPLE = 2

LINGER_SECONDS = 0.02
"""Between a refusal and the close that follows it."""


class Session(Socket):
    """A socket of either dialect; what a test does with it may be done from any thread."""

    def __init__(
        self, place: Place, request: web.Request, dialect: Dialect, asked: Asked, voice: str
    ) -> None:
        super().__init__(place, request)
        self.dialect, self.asked = dialect, asked
        self._place, self._clock = place, place.manners.clock
        self._loop = asyncio.get_running_loop()
        self._contexts = Contexts(
            turns=dialect is Dialect.DIALOGUE,
            inactivity=asked.inactivity_seconds,
            break_rule=place.break_rule,
        )
        self._rules: Rules
        if dialect is Dialect.SPEECH:
            self._rules = SpeechRules(self._contexts, asked, voice, place.voices)
        else:
            discards = place.manners.discards
            self._rules = DialogueRules(self._contexts, asked, place.voices, discards=discards)
        self._keyed = "xi-api-key" in request.headers
        self._refused = False
        self._chunks = 0
        self._released = asyncio.Event()
        self._held: list[str] = []
        self._work: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    # --- for tests ----------------------------------------------------------------------------------

    @property
    def contexts(self) -> list[str]:
        """The names of those that take a slot."""
        with self._ground.changing():
            return list(self._contexts.live)

    @property
    def chunks(self) -> int:
        """How many frames of sound went out."""
        return self._chunks

    def wait_chunks(self, number: int) -> None:
        """Wait until so many frames of sound went out."""
        self._ground.until(lambda: self._chunks >= number, what=f"chunk {number}")

    def wait_contexts(self, number: int) -> None:
        """Wait until exactly so many slots are taken."""
        self._ground.until(lambda: len(self._contexts.live) == number, what=f"{number} contexts")

    def fail(self, error: str, message: str, code: int = 1008) -> None:
        """Send an error frame, with prose, and close."""
        self._ground.run(lambda: self._do((Refusal(error=error, message=message, code=code),)))

    def fall_idle(self) -> None:
        """Close it as if nothing had been said for too long."""
        self._ground.run(lambda: self._do((idle_refusal(self.asked.inactivity_seconds),)))

    def send_audio(self, context: str, pcm: bytes = bytes(480)) -> None:
        """Send sound for a context, whether there is one or not."""
        self.send(wire.audio(self.dialect, context, Chunk(audio=pcm, timed=None)))

    def send_final(self, context: str) -> None:
        """Send a final for a context, whether it is due or not; its slot stays taken."""
        self.send(wire.final(self.dialect, context))

    def release(self) -> None:
        """Go on with the sound that `hold_after` holds."""
        self._ground.run(self._released.set)

    def release_finals(self) -> None:
        """Let out the finals that `hold_finals` holds; later ones are held again."""

        def change() -> None:
            held, self._held = self._held, []
            for name in held:
                self._finalize(name)

        self._ground.run(change)

    # --- on the loop --------------------------------------------------------------------------------

    async def converse(self) -> web.WebSocketResponse:
        """Serve until either side is done."""
        await self.open()
        self._contexts.hear(self._now())
        self._wind()
        try:
            return await self.serve(self._came)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            for task in tuple(self._work):
                task.cancel()

    def _came(self, raw: str) -> None:
        frame = _remembered(raw)
        self.keep(frame)
        if self._refused:
            return
        if not self._keyed:
            self._keyed = frame.get("xi_api_key") == self._place.key
            if not self._keyed:
                prose = "Neither authorization header nor xi-api-key received, please provide one."
                self._do((Refusal(error="authentication_required", message=prose),))
                return
        if frame.get("close_socket") is True and self._place.manners.ignores_close_socket:
            return
        self._do(self._rules.take(raw, self._now()))

    def _do(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            if self._refused:
                return
            match step:
                case Generate(context=name):
                    self._start(name)
                case TurnOver(context=name):
                    self.send(wire.turn_over(name))
                case Final(context=name):
                    self._final(name)
                case Farewell():
                    self.close(1000)
                case Refusal(error=error, message=message, code=code, param=param):
                    self._refused = True
                    self.send(wire.error(error, message, code, param))
                    # A close at once, with something of the client's unread, would take the frame with it.
                    reason = message.encode()[:LONGEST_REASON].decode(errors="ignore")
                    asyncio.get_running_loop().call_later(LINGER_SECONDS, self.close, code, reason)

    def _start(self, name: str) -> None:
        batch = self._contexts.begin(name)
        if self.dialect is Dialect.SPEECH and self._place.crowded:
            prose = "Too many concurrent requests for your plan."
            self._do((Refusal(error="too_many_concurrent_requests", message=prose),))
        elif not self._place.charge(batch.text):
            prose = f"This request exceeds your quota: '{batch.text}'."
            self._do((Refusal(error="quota_exceeded", message=prose),))
        else:
            task = self._ground.spawn(self._generate(name, batch))
            self._work.add(task)
            task.add_done_callback(self._work.discard)

    async def _generate(self, name: str, batch: Batch) -> None:
        self._place.generating += 1
        try:
            await pause(self._place.manners.first_chunk_seconds)
            await self._sound(name, batch.text)
        finally:
            self._place.generating -= 1
        with self._ground.changing():
            self._do(self._contexts.generated(name, self._now()))

    async def _sound(self, name: str, text: str) -> None:
        every = self.asked.sync_alignment
        async for sentence, pcm in self._place.spoken(text):
            size = self._place.manners.chunk_bytes
            for chunk in chunks(sentence, pcm, self.asked.rate, size, every=every):
                await self._turn_to_sound(len(chunk.audio))
                with self._ground.changing():
                    if not self._contexts.goes_on(name):
                        return
                    self.send(wire.audio(self.dialect, name, self._as_timed(chunk)))
                    self._chunks += 1

    def _as_timed(self, chunk: Chunk) -> Chunk:
        untimed = self.dialect is Dialect.DIALOGUE and not self.asked.sync_alignment
        if untimed or not self._place.manners.alignments:
            return Chunk(audio=chunk.audio, timed=None)
        return chunk

    async def _turn_to_sound(self, size: int) -> None:
        """Wait for what holds the next chunk back, and at least let others have their turn."""
        hold = self._place.manners.hold_after
        if hold is not None and self._chunks >= hold:
            await self._released.wait()
        if pace := self._place.manners.times_real:
            await pause(size / BYTES_A_SAMPLE / self.asked.rate / pace)
        await asyncio.sleep(0)

    def _final(self, name: str) -> None:
        if self._place.manners.hold_finals:
            self._held.append(name)
        elif seconds := self._place.manners.final_seconds:
            self._loop.call_later(seconds, lambda: self._ground.run(lambda: self._finalize(name)))
        else:
            self._finalize(name)

    def _finalize(self, name: str) -> None:
        self._contexts.finalized(name)
        self.send(wire.final(self.dialect, name))

    def _now(self) -> float:
        """Seconds of the vendor's."""
        return self._loop.time() / self._clock

    def _wind(self) -> None:
        at = self._contexts.due() * self._clock
        self._timer = self._loop.call_at(at, lambda: self._ground.run(self._fire))

    def _fire(self) -> None:
        self._do(self._contexts.idle(self._now()))
        if not self._refused:
            self._wind()


def _remembered(raw: str) -> Frame:
    try:
        frame = json.loads(raw)
    except ValueError:
        return {"not_json": True}
    return frame if isinstance(frame, dict) else {"no_object": True}
