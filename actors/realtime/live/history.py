"""A conversation as a server without a memory must be told it each time: complete, and never too long."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from actors.realtime.items import CallAnswered, Heard, Item, Observed, Said, Seed, TurnBrief
from actors.realtime.live import wording
from messages.ids import CallId, UtteranceId

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageFunctionToolCallParam as CallParam
    from openai.types.chat import ChatCompletionMessageParam as Message

BYTES_PER_TOKEN: Final = 4
"""About, of UTF-8: three letters of Chinese are nearly as many tokens, and nine bytes."""
KEPT: Final = 0.75
"""What stays of a conversation that grew too long: a server reads anew whatever no longer begins alike."""
_ROLE_BYTES: Final = 16
"""What a message costs beside its text, about."""
_CANCELLED: Final = '{"outcome": "cancelled", "text": ""}'
_ASKED: Final = "TURN: You are asked now."


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool that he called. `name` is one of one conversation's: nine letters, as the strictest wants it."""

    call: CallId
    name: str
    tool: str
    arguments: str = field(repr=False)
    output: str = field(default=_CANCELLED, repr=False)


@dataclass(frozen=True, slots=True)
class _Told:
    """Something that he was told, whoever told it."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Own:
    """What he said, and the tools that he called."""

    utterance: UtteranceId
    text: str = field(repr=False)
    calls: tuple[Call, ...] = ()


_Entry: TypeAlias = _Told | _Own


class History:
    """One conversation of about `tokens` at most: of a longer one the oldest part is forgotten."""

    def __init__(self, seed: Seed, tokens: int) -> None:
        self._system = wording.instructions(seed)
        self._most = max(0, tokens * BYTES_PER_TOKEN - _bytes(self._system))
        self._called = 0
        self._entries: list[_Entry] = [
            _Told(entry.text) for entry in wording.seed_entries(replace(seed, remembered=()))
        ]
        for remembered in seed.remembered:
            self.add(remembered)

    def add(self, item: Item) -> None:
        """Something was said, seen or done; a Said corrects what he is remembered to have said."""
        match item:
            case Heard():
                self._append(_Told(wording.line_text(item)))
            case Observed():
                self._append(_Told(wording.observation(item)))
            case Said():
                self._said(item)
            case CallAnswered():
                self._entries = [_with_output(entry, item) for entry in self._entries]
            case _:
                assert_never(item)

    def ask(self, brief: TurnBrief) -> None:
        """It is his turn, and why."""
        for entry in wording.brief_entries(brief):
            self._append(_Told(entry.text))

    def answered(
        self, utterance: UtteranceId, text: str, calls: Sequence[tuple[CallId, str, str]] = ()
    ) -> None:
        """He said this and called these: house id, tool, arguments. Silence leaves no trace."""
        named: list[Call] = []
        for call, tool, arguments in calls:
            self._called += 1
            name = f"call{self._called:05}"
            named.append(Call(call=call, name=name, tool=tool, arguments=_object(arguments)))
        if named or text.strip():
            self._append(_Own(utterance, text.strip(), tuple(named)))

    def messages(self) -> list[Message]:
        """What to send: one system message, then the two sides in turn, the other one first and last.

        Every call has its one output behind it; what nobody answered was cancelled.
        """
        messages: list[Message] = [{"role": "system", "content": self._system}]
        told: list[str] = []
        for entry in self._entries:
            match entry:
                case _Told():
                    told.append(entry.text)
                case _Own():
                    messages += _turn(messages, told)
                    messages += _own(entry)
                    told = []
                case _:
                    assert_never(entry)
        return [*messages, *_turn(messages, told)]

    def _said(self, said: Said) -> None:
        text = wording.said_text(said)
        # The newest: one that was asked twice said nothing the first time.
        for place, entry in reversed(tuple(enumerate(self._entries))):
            if isinstance(entry, _Own) and entry.utterance == said.utterance:
                self._entries[place] = replace(entry, text=text)
                if not text and not entry.calls:
                    del self._entries[place]
                return
        if text:
            self._append(_Own(said.utterance, text))

    def _append(self, entry: _Entry) -> None:
        """Put it at the end; too much is forgotten from the beginning, but never what he was told last."""
        self._entries.append(entry)
        if sum(map(_size, self._entries)) <= self._most:
            return
        while len(self._entries) > 1 and sum(map(_size, self._entries)) > KEPT * self._most:
            del self._entries[0]


def _turn(messages: Sequence[Message], told: Sequence[str]) -> list[Message]:
    """What makes it his turn: what he was told, or at least that it is his turn; an output will do, too."""
    if not told and messages[-1]["role"] == "tool":
        return []
    return [{"role": "user", "content": "\n".join(told) or _ASKED}]


def _own(entry: _Own) -> list[Message]:
    if not entry.calls:
        return [{"role": "assistant", "content": entry.text}]
    calls = [_param(call) for call in entry.calls]
    return [
        {"role": "assistant", "content": entry.text, "tool_calls": calls},
        *(_output(call) for call in entry.calls),
    ]


def _output(call: Call) -> Message:
    return {"role": "tool", "tool_call_id": call.name, "content": call.output}


def _param(call: Call) -> CallParam:
    return {
        "id": call.name,
        "type": "function",
        "function": {"name": call.tool, "arguments": call.arguments},
    }


def _with_output(entry: _Entry, answered: CallAnswered) -> _Entry:
    if not isinstance(entry, _Own) or all(call.call != answered.call for call in entry.calls):
        return entry
    output = wording.output_text(answered)
    calls = (replace(call, output=output) if call.call == answered.call else call for call in entry.calls)
    return replace(entry, calls=tuple(calls))


def _object(arguments: str) -> str:
    """The arguments, if they are a JSON object as some servers insist; else an empty one."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _size(entry: _Entry) -> int:
    if isinstance(entry, _Told):
        return _bytes(entry.text) + _ROLE_BYTES
    calls = sum(_bytes(call.arguments + call.output) + 2 * _ROLE_BYTES for call in entry.calls)
    return _bytes(entry.text) + calls + _ROLE_BYTES


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))
