"""One response while it is made: every event of it in the order in which OpenAI sends them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from tests.loopback.discord.body import Json
from tests.loopback.openai.chat import Call
from tests.loopback.openai.mind import Reply
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.session import Later, new_id

Event: TypeAlias = tuple[str, Json]
Step: TypeAlias = "float | Event"
"""An event to send, or seconds to wait before the next step."""
_ARGUMENTS_AT_ONCE = 8


class Response:
    """`steps` makes it, `cut` ends it early; `place` puts an item into the conversation, if it has one."""

    def __init__(
        self,
        reply: Reply,
        *,
        conversation: str | None,
        metadata: Mapping[str, object] | None,
        input_tokens: int,
        cached_tokens: int,
        place: Callable[[Json], str | None],
        by_client: bool = True,
    ) -> None:
        self.id = new_id("resp")
        self.reply = reply
        self.conversation = conversation
        self.by_client = by_client
        self.status = "in_progress"
        self.held = False
        """Whether it waits for the test."""
        self.freed = False
        """Whether it waits no more."""
        self.timer: Later | None = None
        self.steps = self._steps()
        self._metadata = metadata
        self._tokens = (input_tokens, cached_tokens)
        self._place = place
        self._output: list[Json] = []
        self._text = ""
        self._open: Json | None = None
        self._behind: str | None = None

    @property
    def said(self) -> str:
        """The text so far."""
        return self._text

    @property
    def incomplete(self) -> list[str]:
        """The ids of what was not said to its end."""
        return [str(item["id"]) for item in self._output if item["status"] == "incomplete"]

    def body(self, details: Json | None = None) -> Json:
        """The response as it stands."""
        done = self.status != "in_progress"
        return {
            "object": "realtime.response",
            "id": self.id,
            "status": self.status,
            "status_details": details,
            "output": [dict(item) for item in self._output] if done else [],
            "conversation_id": self.conversation,
            "output_modalities": ["text"],
            "metadata": self._metadata,
            "usage": self._usage() if done else None,
        }

    def cut(self, calls: tuple[Call, ...]) -> Iterator[Event]:
        """End it because the client cancelled it; `calls` had been made nevertheless."""
        if self._open is not None:
            yield from self._close_message("incomplete")
        for call in calls:
            yield from self._call(call)
        yield self._done("cancelled", {"type": "cancelled", "reason": "client_cancelled"})

    # --- inside -------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[Step]:
        reply = self.reply
        for piece in reply.pieces:
            yield reply.pause
            if self._open is None:
                yield from self._open_message()
            yield self._delta(piece)
        whole = not reply.failure and not reply.incomplete
        if self._open is not None:
            yield from self._close_message("completed" if whole else "incomplete")
        for call in reply.calls:
            yield reply.pause
            yield from self._call(call)
        if not reply.pieces and not reply.calls:
            yield reply.pause
        yield self._end()

    def _end(self) -> Event:
        if self.reply.failure:
            error = {"type": "server_error", "code": self.reply.failure, "message": PROSE}
            return self._done("failed", {"type": "failed", "error": error})
        if self.reply.incomplete:
            return self._done("incomplete", {"type": "incomplete", "reason": self.reply.incomplete})
        return self._done("completed", None)

    def _done(self, status: str, details: Json | None) -> Event:
        self.status = status
        return "response.done", {"response": self.body(details)}

    def _open_message(self) -> Iterator[Event]:
        item: Json = {
            "id": new_id("item"),
            "object": "realtime.item",
            "type": "message",
            "status": "in_progress",
        }
        item |= {"role": "assistant", "content": []}
        yield from self._add(item)
        self._open = item
        part = {"type": "text", "text": ""}
        yield "response.content_part.added", {**self._at(item), "content_index": 0, "part": part}

    def _delta(self, piece: str) -> Event:
        item = self._open
        assert item is not None
        self._text += piece
        item["content"] = [{"type": "output_text", "text": self._text}]
        return "response.output_text.delta", {**self._at(item), "content_index": 0, "delta": piece}

    def _close_message(self, status: str) -> Iterator[Event]:
        item = self._open
        assert item is not None
        self._open = None
        at = {**self._at(item), "content_index": 0}
        yield "response.output_text.done", {**at, "text": self._text}
        yield "response.content_part.done", {**at, "part": {"type": "text", "text": self._text}}
        yield from self._settle(item, status)

    def _call(self, call: Call) -> Iterator[Event]:
        item: Json = {
            "id": new_id("item"),
            "object": "realtime.item",
            "type": "function_call",
            "status": "in_progress",
            "call_id": call.id,
            "name": call.name,
            "arguments": "",
        }
        yield from self._add(item)
        at = {**self._at(item), "call_id": call.id}
        for start in range(0, len(call.arguments), _ARGUMENTS_AT_ONCE):
            delta = call.arguments[start : start + _ARGUMENTS_AT_ONCE]
            yield "response.function_call_arguments.delta", {**at, "delta": delta}
        item["arguments"] = call.arguments
        done = {**at, "name": call.name, "arguments": call.arguments}
        yield "response.function_call_arguments.done", done
        yield from self._settle(item, "completed")

    def _add(self, item: Json) -> Iterator[Event]:
        self._output.append(item)
        yield "response.output_item.added", {**self._in(item), "item": dict(item)}
        if self.conversation is not None:
            self._behind = self._place(item)
            yield "conversation.item.added", {"previous_item_id": self._behind, "item": dict(item)}

    def _settle(self, item: Json, status: str) -> Iterator[Event]:
        item["status"] = status
        yield "response.output_item.done", {**self._in(item), "item": dict(item)}
        if self.conversation is not None:
            yield "conversation.item.done", {"previous_item_id": self._behind, "item": dict(item)}

    def _in(self, item: Json) -> Json:
        return {"response_id": self.id, "output_index": self._output.index(item)}

    def _at(self, item: Json) -> Json:
        return {**self._in(item), "item_id": item["id"]}

    def _usage(self) -> Json:
        read, cached = self._tokens
        arguments = sum(len(str(item.get("arguments", ""))) for item in self._output)
        written = (len(self._text) + arguments) // 4
        return {
            "total_tokens": read + written,
            "input_tokens": read,
            "output_tokens": written,
            "input_token_details": {
                "text_tokens": read,
                "audio_tokens": 0,
                "image_tokens": 0,
                "cached_tokens": cached,
                "cached_tokens_details": {"text_tokens": cached, "audio_tokens": 0, "image_tokens": 0},
            },
            "output_token_details": {"text_tokens": written, "audio_tokens": 0},
        }
