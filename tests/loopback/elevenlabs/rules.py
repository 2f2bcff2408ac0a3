"""What each dialect makes of a message: the two agree about nothing but that contexts are few."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ValidationError

from tests.loopback.elevenlabs.asked import Asked
from tests.loopback.elevenlabs.contexts import Context, Contexts, Refusal, Step
from tests.loopback.elevenlabs.wire import DialogueInput, DialogueMessage, SpeechMessage

DEFAULT_CONTEXT = "default"
SCHEDULE = (120, 160, 250, 290)
HELD_CHARACTERS = 40
HELD_WORDS = 8


class Rules(Protocol):
    """A dialect's reading of its messages."""

    def take(self, raw: str, now: float) -> tuple[Step, ...]:
        """Do what a message says."""
        ...


def invalid(error: ValidationError) -> Refusal:
    """What a message that is no message is answered with."""
    where = error.errors()[0]["loc"]
    param = ".".join(str(part) for part in where) or None
    return Refusal(error="invalid_message", message="The message is not valid.", param=param)


class SpeechRules:
    """Text-to-speech: a message for a context that is not there makes one, whatever it says."""

    def __init__(self, contexts: Contexts, asked: Asked, voice: str, voices: dict[str, str]) -> None:
        self._contexts, self._asked = contexts, asked
        self._voice, self._voices = voice, voices

    def take(self, raw: str, now: float) -> tuple[Step, ...]:
        """Do what a message says."""
        try:
            message = SpeechMessage.model_validate_json(raw)
        except ValidationError as error:
            self._contexts.break_rule("a message was not valid")
            return (invalid(error),)
        _note_strangers(self._contexts, message, message.voice_settings, message.generation_config)
        self._contexts.hear(now, message.context_id)
        if message.close_socket:
            return self._contexts.leave()
        if message.context_id is None and message.text == "":
            return ()
        if self._voice not in self._voices:
            return (no_voice(self._voice),)
        return self._of_context(message, message.context_id or DEFAULT_CONTEXT, now)

    def _of_context(self, message: SpeechMessage, name: str, now: float) -> tuple[Step, ...]:
        context = self._contexts.live.get(name)
        if context is not None and context.closing:
            self._contexts.break_rule("a message came for a context that was closed")
            return ()
        if context is None:
            opened = self._open(message, name, now)
            if isinstance(opened, Refusal):
                return (opened,)
            context = opened
        elif message.voice_settings or message.generation_config:
            self._contexts.break_rule("settings came after the first message of a context")
            name = "voice_settings" if message.voice_settings else "generation_config"
            prose = f"{name} field must be provided in the first message and then not change."
            return (Refusal(error="invalid_first_message", message=prose, param=name),)
        return self._said(message, context)

    def _open(self, message: SpeechMessage, name: str, now: float) -> Context | Refusal:
        if not message.text or message.close_context:
            self._contexts.break_rule("a message named a context that was not there, and so made one")
        opened = self._contexts.open(name, now)
        if isinstance(opened, Context):
            config = message.generation_config
            opened.schedule = tuple((config and config.chunk_length_schedule) or SCHEDULE)
        return opened

    def _said(self, message: SpeechMessage, context: Context) -> tuple[Step, ...]:
        if message.text:
            if not message.text.endswith(" "):
                self._contexts.break_rule("a text did not end with a space")
            context.pending += message.text
            if self._asked.auto_mode or len(context.pending) >= self._enough(context):
                context.hand_over(flushed=False)
        if message.flush:
            if context.pending.strip():
                context.hand_over(flushed=True)
            context.seal()
        if message.close_context:
            return self._contexts.close(context, discard=False)
        return self._contexts.urge(context)

    def _enough(self, context: Context) -> int:
        return context.schedule[min(context.generations, len(context.schedule) - 1)]


class DialogueRules:
    """Text-to-dialogue: a context must be introduced, with its voices, and ends as it likes.

    `discards` is whether closing a context drops what was flushed and has not begun, or generates all of it.
    """

    def __init__(self, contexts: Contexts, asked: Asked, voices: dict[str, str], *, discards: bool) -> None:
        self._contexts, self._asked, self._voices = contexts, asked, voices
        self._discards = discards

    def take(self, raw: str, now: float) -> tuple[Step, ...]:
        """Do what a message says."""
        try:
            message = DialogueMessage.model_validate_json(raw)
        except ValidationError as error:
            self._contexts.break_rule("a message was not valid")
            return (invalid(error),)
        _note_strangers(self._contexts, message, message.voice_settings, *(message.inputs or ()))
        self._contexts.hear(now, message.context_id)
        if message.close_socket:
            return self._contexts.leave()
        if message.context_id is None:
            return (self._wrong("missing_context", "context_id is required.", "context_id"),)
        return self._of_context(message, message.context_id, now)

    def _of_context(self, message: DialogueMessage, name: str, now: float) -> tuple[Step, ...]:
        context = self._contexts.live.get(name)
        if context is not None and context.closing:
            self._contexts.break_rule("a message came for a context that was closed")
            return ()
        if context is None:
            opened = self._introduced(message, name, now)
            if isinstance(opened, Refusal):
                return (opened,)
            context = opened
        elif message.voices or message.voice_settings or message.pronunciation_dictionary_locators:
            param = "voices" if message.voices else "voice_settings"
            prose = f"{param} can only be set in the first message."
            return (self._wrong("invalid_first_message", prose, param),)
        return self._said(message, context)

    def _introduced(self, message: DialogueMessage, name: str, now: float) -> Context | Refusal:
        if not message.voices:
            return self._wrong("missing_voices", "voices is required in the first message.", "voices")
        if len(message.voices) > self._asked.model.voices:
            return self._wrong("too_many_voices", "This model has fewer voices.", "voices")
        for voice in message.voices:
            if voice not in self._voices:
                return no_voice(voice)
        opened = self._contexts.open(name, now)
        if isinstance(opened, Context):
            opened.voices = tuple(message.voices)
        return opened

    def _said(self, message: DialogueMessage, context: Context) -> tuple[Step, ...]:
        for line in message.inputs or ():
            if line.voice_id not in context.voices:
                prose = "The voice is not one of this context's."
                return (self._wrong("unknown_voice", prose, "inputs.voice_id"),)
            self._add(context, line)
        if message.flush:
            context.hand_over(flushed=True)
        if message.close_context:
            if not self._discards:
                context.hand_over(flushed=False)
                context.seal()
            return self._contexts.close(context, discard=self._discards)
        return self._contexts.urge(context)

    def _add(self, context: Context, line: DialogueInput) -> None:
        if not line.text.endswith(" "):
            self._contexts.break_rule("a text did not end with a space")
        if line.new_turn:
            context.hand_over(flushed=False)
        context.pending += line.text
        if len(context.pending) >= HELD_CHARACTERS or len(context.pending.split()) >= HELD_WORDS:
            context.hand_over(flushed=False)

    def _wrong(self, code: str, prose: str, param: str) -> Refusal:
        self._contexts.break_rule(f"{param} was wrong: {code}")
        return Refusal(error=code, message=prose, param=param)


def no_voice(voice: str) -> Refusal:
    """What a client is told that wants a voice which nobody has."""
    return Refusal(
        error="voice_not_found",
        message=f"A voice with voice_id {voice} does not exist.",
        param="voice_id",
    )


def _note_strangers(contexts: Contexts, message: BaseModel, *parts: BaseModel | None) -> None:
    for part in (message, *parts):
        for name in (part and part.model_extra) or ():
            contexts.break_rule(f"a message has no field {name}")
