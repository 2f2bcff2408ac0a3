"""What a request for a response asks the captain's brain, and what that may answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.loopback.discord.body import Body, decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """What one call of this turn came to."""

    tool: str
    arguments: str
    output: str
    """A JSON object as text, as the house writes it."""

    @property
    def told(self) -> Body:
        """The output, read."""
        return decode(self.output)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainAsked:
    """One step that is wanted."""

    instructions: str
    told: tuple[Body, ...]
    """The JSON objects of all user items, in order: "now", what was before, and each "request"."""
    new: tuple[Body, ...]
    """Those that came since the last step."""
    outputs: tuple[Came, ...] = ()
    """Of every call of this turn, in order."""
    latest: tuple[Came, ...] = ()
    """Those that came since the last step."""
    tools: tuple[str, ...] = ()
    """The functions that are offered, by name."""
    steps: int = 0
    """How many steps there were before."""

    @property
    def requests(self) -> tuple[Body, ...]:
        """What is asked now, the first and what its asker added."""
        return tuple(one for one in self.told if "request" in one)

    @property
    def history(self) -> tuple[Body, ...]:
        """What happened before this turn, the oldest first."""
        return tuple(one for one in self.told if "request" not in one and "now" not in one)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainReply:
    """One step: calls, each a name and JSON, or a text, or both; or what went wrong."""

    calls: tuple[tuple[str, str], ...] = ()
    text: str = ""
    pause: float = 0.0
    """Seconds before each event."""
    failure: str = ""
    """The code of a response that fails after all that."""
    complaint: str = ""
    """The code of an `error` event that comes in place of an end."""
    incomplete: str = ""
    """Why it stays incomplete: max_output_tokens | content_filter."""
    ids: tuple[str, ...] = field(default=())
    """What the calls are called, where that matters."""


CaptainBrain: TypeAlias = Callable[[CaptainAsked], CaptainReply]


def silent(_: CaptainAsked) -> CaptainReply:
    """Say nothing."""
    return CaptainReply()


def captain_asked(body: Body) -> CaptainAsked:
    """Read a request that was checked."""
    calls: dict[str, Body] = {}
    told: list[Body] = []
    outputs: list[Came] = []
    said = heard = steps = 0
    is_answering = False
    for item in _items(body):
        ours = item.text("type") in {"reasoning", "function_call"} or item.text("role") == "assistant"
        steps += ours and not is_answering
        is_answering = ours
        if ours:
            said, heard = len(told), len(outputs)
        if item.text("type") == "function_call":
            calls[item.text("call_id")] = item
        elif item.text("type") == "function_call_output":
            call = calls[item.text("call_id")]
            outputs.append(
                Came(tool=call.text("name"), arguments=call.text("arguments"), output=item.text("output"))
            )
        elif not ours:
            told += [decode(line) for line in text_of(item).splitlines()]
    return CaptainAsked(
        instructions=body.text("instructions"),
        told=tuple(told),
        new=tuple(told[said:]),
        outputs=tuple(outputs),
        latest=tuple(outputs[heard:]),
        tools=tuple(tool.text("name") for tool in body.bodies("tools")),
        steps=steps,
    )


def _items(body: Body) -> list[Body]:
    text = body.text("input")
    return [Body({"role": "user", "content": text})] if text else body.bodies("input")


def text_of(item: Body) -> str:
    """The words of a message."""
    return item.text("content") or "".join(part.text("text") for part in item.bodies("content"))
