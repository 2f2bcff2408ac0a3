"""OpenAI and ElevenLabs at the other end of staged lines, by the same rules as over real sockets."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from messages.audio import RATE
from tests.actors.net.staged import StagedLine
from tests.loopback.discord.body import Body, Json
from tests.loopback.elevenlabs import asked, wire
from tests.loopback.elevenlabs.catalogue import VOICES, Dialect
from tests.loopback.elevenlabs.contexts import (
    Contexts,
    Farewell,
    Generate,
    Refusal,
    Step,
    TurnOver,
)
from tests.loopback.elevenlabs.contexts import (
    Final as LastFrame,
)
from tests.loopback.elevenlabs.rules import DialogueRules, Rules, SpeechRules
from tests.loopback.elevenlabs.sound import Chunk, chunks
from tests.loopback.openai import config
from tests.loopback.openai.items import Items, created, seen
from tests.loopback.openai.mind import Asked, Said, Think
from tests.loopback.openai.refusals import Refused, wrong
from tests.loopback.openai.response import Response
from tests.stories.sound import CHUNK_BYTES, words_of

CHUNK_SECONDS: Final = 0.04
"""How often a chunk of 200 ms comes: five times as fast as speech."""
VOICE_CHUNK_BYTES: Final = RATE * 2 // 5
WRITING_SECONDS: Final = 0.25
PATIENCE_SECONDS: Final = 0.1
GOING_AWAY: Final = 1001


@dataclass(slots=True)
class Book:
    """What the providers of one house have against it, and what they know of time."""

    now: Callable[[], float]
    wall: Callable[[], float]
    broken: list[str] = field(default_factory=list[str])


class _Peer:
    """One end of one line."""

    line: StagedLine

    def __init__(self, book: Book) -> None:
        self.book = book

    def dialled(self, line: StagedLine) -> None:
        """Take it."""
        self.line = line
        line.later(line.open)

    def hung_up(self) -> None:
        """That is the end of it."""
        self.line.later(self.line.end)

    def say(self, kind: str, **fields: object) -> None:
        """An event of OpenAI's."""
        self.line.later(partial(self.line.come, type=kind, **fields))

    def complain(self, refused: Refused, about: str | None) -> None:
        """A rule was broken."""
        self.book.broken.append(refused.message)
        self.say("error", error={**refused.body(), "event_id": about})


# --- OpenAI's Realtime ------------------------------------------------------------------------------


class Mind(_Peer):
    """One conversation, which says that it lasts so many `seconds`."""

    def __init__(self, book: Book, think: Think, seconds: float) -> None:
        super().__init__(book)
        self.given: list[str] = []
        """Every text that was ever put into it."""
        self.over = False
        self._think, self._seconds = think, seconds
        self._config = config.initial("gpt-realtime-2.1")
        self._items = Items()
        self._active: Response | None = None

    def dialled(self, line: StagedLine) -> None:
        """Greet, and end it when its time has come."""
        super().dialled(line)
        self.say("session.created", session={"id": "sess", "expires_at": self.book.wall() + self._seconds})
        line.after(self._seconds, self.expire)

    def expire(self) -> None:
        """Its time has come, perhaps sooner than it said, whatever is being said."""
        self.over = True
        self.line.end(f"closed_{GOING_AWAY}", GOING_AWAY)

    def took(self, frame: Json) -> None:
        """An event of the client's."""
        if self.over:
            return
        event = Body(frame)
        try:
            self._take(event)
        except Refused as refused:
            self.complain(refused, event.text("event_id"))

    def _take(self, event: Body) -> None:
        match event.text("type"):
            case "session.update":
                self._config = config.updated(self._config, event.body("session"))
                self.say("session.updated", session=self._config)
            case "conversation.item.create":
                item = created(event.body("item"), "item")
                behind = self._items.add(item, event.text("previous_item_id") or None)
                self.given.append(seen(item).text)
                self.say("conversation.item.added", previous_item_id=behind, item=item)
            case "conversation.item.delete":
                self._items.delete(event.text("item_id"))
                self.say("conversation.item.deleted", item_id=event.text("item_id"))
            case "response.create":
                self._respond(event.body("response"))
            case kind:
                raise wrong(f"Unexpected here: {kind}.")

    def _respond(self, wanted: Body) -> None:
        config.check_response(wanted)
        if self._active is not None:
            raise wrong("Already active.", None, "conversation_already_has_active_response")
        self._active = Response(
            self._think(self._asked(wanted)),
            conversation="conv",
            metadata=wanted.body("metadata").fields,
            input_tokens=0,
            cached_tokens=0,
            place=lambda item: self._items.add(dict(item), None),
        )
        self.say("response.created", response=self._active.body())
        self._go_on(self._active.steps)

    def _asked(self, wanted: Body) -> Asked:
        context = tuple(Said(one.role, one.text) for one in map(seen, self._items.all))
        metadata = {name: str(value) for name, value in wanted.body("metadata").fields.items()}
        return Asked(instructions="", new=(), context=context, metadata=metadata)

    def _go_on(self, steps: Iterator[float | tuple[str, Json]]) -> None:
        if self.over:
            return
        for step in steps:
            if isinstance(step, tuple):
                self.say(step[0], **step[1])
            elif step:
                self.line.after(step, partial(self._go_on, steps))
                return
        self._active = None


class Ear(_Peer):
    """One transcription: of sound in which every frame says its word, a quarter of a second later."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self._config = config.initial(None)
        self._sound = b""
        self._count = 0

    def took(self, frame: Json) -> None:
        """An event of the client's."""
        event = Body(frame)
        try:
            self._take(event)
        except Refused as refused:
            self.complain(refused, event.text("event_id"))

    def _take(self, event: Body) -> None:
        match event.text("type"):
            case "session.update":
                self._config = config.updated(self._config, event.body("session"))
                self.say("session.updated", session=self._config)
            case "input_audio_buffer.append":
                self._sound += base64.b64decode(event.text("audio"), validate=True)
            case "input_audio_buffer.clear":
                self._sound = b""
                self.say("input_audio_buffer.cleared")
            case "input_audio_buffer.commit":
                self._commit()
            case kind:
                raise wrong(f"Unexpected here: {kind}.")

    def _commit(self) -> None:
        if len(self._sound) < RATE * 2 // 10:
            raise wrong("Too small.", None, "input_audio_buffer_commit_empty")
        self._count += 1
        item, text, self._sound = f"item_{self._count}", words_of(self._sound), b""
        self.say("input_audio_buffer.committed", item_id=item, previous_item_id=None)
        kind = "conversation.item.input_audio_transcription.completed"
        self.line.after(WRITING_SECONDS, partial(self.line.come, type=kind, item_id=item, transcript=text))


# --- ElevenLabs -------------------------------------------------------------------------------------


class Voice(_Peer):
    """One socket of either dialect; sound of a word is its name and then noise, as long as a word takes."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.most = 0
        """The most contexts that it ever had."""
        self.texts: list[str] = []
        """What was generated, in order."""

    def dialled(self, line: StagedLine) -> None:
        """Find out which dialect, and wait for no longer than the vendor does."""
        super().dialled(line)
        url = urlsplit(line.target.url)
        dialect = Dialect.DIALOGUE if "dialogue" in url.path else Dialect.SPEECH
        broken = self.book.broken.append
        wishes = asked.read(dialect, dict(parse_qsl(url.query)), broken)
        contexts = Contexts(
            turns=dialect is Dialect.DIALOGUE, inactivity=wishes.inactivity_seconds, break_rule=broken
        )
        rules: Rules = DialogueRules(contexts, wishes, VOICES, discards=True)
        if dialect is Dialect.SPEECH:
            rules = SpeechRules(contexts, wishes, url.path.split("/")[3], VOICES)
        self._dialect, self._contexts, self._rules = dialect, contexts, rules
        contexts.hear(self.book.now())
        self._wind()

    def took(self, frame: Json) -> None:
        """A frame of the client's."""
        self._do(self._rules.take(json.dumps(frame), self.book.now()))
        self.most = max(self.most, len(self._contexts.live))

    def _do(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            match step:
                case Generate(context=name):
                    batch = self._contexts.begin(name)
                    self.texts.append(batch.text.strip())
                    sound = chunks(batch.text, _sounding(batch.text), RATE, VOICE_CHUNK_BYTES, every=True)
                    self._sound(name, sound)
                case TurnOver(context=name):
                    self._send(wire.turn_over(name))
                case LastFrame(context=name):
                    self._contexts.finalized(name)
                    self._send(wire.final(self._dialect, name))
                case Farewell():
                    self.line.later(self.line.end)
                case Refusal(error=error, message=message, code=code, param=param):
                    self._send(wire.error(error, message, code, param))
                    self.line.later(partial(self.line.end, f"closed_{code}", code))

    def _sound(self, name: str, left: Iterator[Chunk]) -> None:
        chunk = next(left, None)
        if chunk is None or not self._contexts.goes_on(name):
            self._do(self._contexts.generated(name, self.book.now()))
            return
        self._send(wire.audio(self._dialect, name, chunk))
        self.line.after(CHUNK_SECONDS, partial(self._sound, name, left))

    def _send(self, frame: Json) -> None:
        self.line.later(partial(self.line.come, **frame))

    def _wind(self) -> None:
        self.line.after(max(self._contexts.due() - self.book.now(), PATIENCE_SECONDS), self._fire)

    def _fire(self) -> None:
        if not self.line.over:
            self._do(self._contexts.idle(self.book.now()))
            self._wind()


def _sounding(text: str) -> bytes:
    return b"".join(f"{word}\0".encode().ljust(3 * CHUNK_BYTES, b"\x7f") for word in text.split())
