"""How the house reads to a model: who said it is always plain, and nobody's words are an order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, assert_never

from pydantic import BaseModel, ConfigDict, ValidationError

from actors.net.plain import plain_json
from actors.realtime.items import CallAnswered, Heard, Observed, Remembered, Result, Said, Seed, TurnBrief
from actors.realtime.live import prompts
from actors.realtime.memory import LONGEST_LABEL, label
from actors.realtime.tools import ASK_CLANKIE, TAKE_BACK, VOICE_LEAVE
from messages.floor import Trigger
from messages.ids import UtteranceId
from messages.people import Presence

SILENCE: Final = "(silence)"
"""What a model may write that cannot answer with nothing at all; nobody hears it."""

INTERRUPTED: Final = "(interrupted)"
MOST_NAMES = 40
"""Of more people than this only the number is told."""

_PROMPT: Final = prompts.load()
VERSION: Final = _PROMPT.version
_HOUSE: Final = _PROMPT.parts[prompts.HOUSE]
_WHY: Final = {Trigger(name): why for name, why in _PROMPT.parts.items() if name != prompts.HOUSE}

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a conversation; `utterance` is the name of what he said himself."""

    role: Role
    text: str = field(repr=False)
    utterance: UtteranceId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function that the model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, object]


def instructions(seed: Seed) -> str:
    """Who he is, and how this room works."""
    return f"{seed.persona.strip()}\n\n{_HOUSE}"


def line_text(heard: Heard) -> str:
    """A person's line as one JSON object on one line, which no label and no text can leave."""
    speaker = " ".join(heard.line.person.label.split())[:LONGEST_LABEL]
    return _json({"speaker": speaker, "text": heard.line.text})


def said_text(said: Said) -> str:
    """His own words as far as they were heard; empty when none were."""
    text = said.text.strip()
    return f"{text} {INTERRUPTED}" if text and said.interrupted else text


def output_text(answered: CallAnswered) -> str:
    """What a call came to, as its one output."""
    return _json({"outcome": answered.outcome, "text": answered.text})


def marker(said: Said) -> Entry:
    """What was heard of an answer that could not be corrected where it stands."""
    heard = _json({"heard": said.text.strip()})
    return Entry("system", f"ROOM: You were interrupted. Of that answer, people heard only this: {heard}")


def observation(observed: Observed) -> str:
    """Something that happened in the room."""
    return f"ROOM: {_one_line(observed.text)}"


def roster(people: Sequence[Presence] | None) -> str:
    """Who is here: humans and bots apart, who lets himself be heard, and how many humans in all."""
    if people is None:
        return "ROOM: You do not know yet who is here."
    humans = [one for one in people if not one.person.bot]
    heard = [label(one.person.label) for one in humans if one.consented]
    unheard = [label(one.person.label) for one in humans if not one.consented]
    bots = [label(one.person.label) for one in people if one.person.bot]
    return (
        f"ROOM: Humans here: {len(humans)}. You hear: {_names(heard)}. "
        f"Here, but not heard by you: {_names(unheard)}. Bots: {_names(bots)}."
    )


def remembered_entry(one: Remembered) -> Entry | None:
    """What was said, by whom it was said; None when nothing of it was heard."""
    match one:
        case Heard():
            return Entry("user", line_text(one))
        case Said():
            text = said_text(one)
            return Entry("assistant", text, one.utterance) if text else None
        case _:
            assert_never(one)


def seed_entries(seed: Seed) -> tuple[Entry, ...]:
    """What a new conversation begins with, in order."""
    remembered = (remembered_entry(one) for one in seed.remembered)
    return (
        Entry("system", roster(seed.people)),
        *_looking_into(seed.open_requests),
        *(entry for entry in remembered if entry is not None),
    )


def brief_entries(brief: TurnBrief) -> tuple[Entry, ...]:
    """Why he is asked, where the lines themselves do not say it."""
    match brief.trigger:
        case Trigger.ADDRESS | Trigger.TYPED | Trigger.OPERATOR:
            return ()
        case Trigger.OFFER | Trigger.VOLITION | Trigger.GREETING:
            return (_why(brief.trigger),)
        case Trigger.MEMBERSHIP:
            return (Entry("system", roster(brief.people)), _why(brief.trigger))
        case Trigger.HANDOFF_RESULT:
            results = [_result(one) for one in brief.results]
            return (Entry("user", _json({"results": results})), _why(brief.trigger))
        case Trigger.HANDOFF_WAIT:
            return (*_looking_into(brief.open_requests), _why(brief.trigger))
        case _:
            assert_never(brief.trigger)


def tools() -> tuple[Tool, ...]:
    """What he may do besides talking."""
    wanted = {"type": "string", "description": "What is wanted, complete in itself."}
    leave = "Leave this voice channel once you have finished speaking."
    ask = "Have something looked up, checked or done; what comes of it reaches you later."
    back = "Whoever speaks to you wants no longer what they had you ask for: stop all of it that is open."
    return (
        Tool(name=VOICE_LEAVE, description=leave, parameters=_arguments()),
        Tool(name=ASK_CLANKIE, description=ask, parameters=_arguments(request=wanted)),
        Tool(name=TAKE_BACK, description=back, parameters=_arguments()),
    )


def _arguments(**properties: object) -> Mapping[str, object]:
    shape = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**shape, "required": list(properties)} if properties else shape


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    request: str


def parse_request(name: str, arguments: str) -> str:
    """The request of an `ask_clankie`; empty for another tool, and for arguments that are none of ours."""
    if name != ASK_CLANKIE:
        return ""
    try:
        return _Request.model_validate_json(plain_json(arguments)).request
    except ValidationError:
        return ""


# --- the small words --------------------------------------------------------------------------------


def _why(trigger: Trigger) -> Entry:
    return Entry("system", f"TURN: {_WHY[trigger]}")


def _looking_into(requests: Sequence[str]) -> tuple[Entry, ...]:
    return (Entry("user", _json({"looking_into": list(requests)})),) if requests else ()


def _result(result: Result) -> dict[str, str]:
    if result.failed:
        return {"request": result.request, "failed": result.failed}
    return {"request": result.request, "result": result.text}


def _names(labels: Sequence[str]) -> str:
    more = len(labels) - MOST_NAMES
    named = ", ".join(labels[:MOST_NAMES]) or "nobody"
    return f"{named} and {more} more" if more > 0 else named


def _json(value: Mapping[str, object]) -> str:
    return _one_line(json.dumps(value, ensure_ascii=False))


def _one_line(text: str) -> str:
    """The same with every sign that could begin a line, or hide one, escaped as JSON has it."""
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
