"""Behind the addresses of this OpenAI is whatever a test wants to think, to speak and to listen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from actors.realtime.live import wording
from tests.loopback.discord.body import Body
from tests.loopback.humming import Speak, hum
from tests.loopback.openai.mind import Asked, Reply, Said, Think, pieces_of
from tests.loopback.openai.responses_asked import CaptainBrain, silent

GREETING: Final = "Hello there. How are you?"
_TRIGGERS: Final = {why: trigger.value for trigger, why in wording._WHY.items()}


@dataclass(slots=True, kw_only=True)
class Brains:
    """May be replaced one by one, and are asked in threads of their own."""

    think: Think
    speak: Speak
    hear: Callable[[bytes], str]
    """The words in such samples as are spoken."""
    captain: CaptainBrain = silent
    """Who answers at /responses."""


def simple() -> Brains:
    """Brains that always say the same, hum, and hear nothing."""
    return Brains(think=lambda _: Reply(pieces=pieces_of(GREETING)), speak=hum, hear=lambda _: "")


def asked_of(body: Body) -> Asked:
    """What a chat completion asks, as a conversation would have asked it.

    The house writes a message of several lines where a conversation has as many items; why it is his turn
    stands in one of them, or is that somebody spoke to him.
    """
    first, *rest = body.bodies("messages")
    instructions = first.text("content") if first.text("role") in {"system", "developer"} else ""
    messages = rest if instructions else [first, *rest]
    context = [said for message in messages for said in _said(message)]
    place = max((at for at, said in enumerate(context, 1) if said.role == "assistant"), default=0)
    new = tuple(context[place:])
    turns = [said.text.removeprefix("TURN: ") for said in new if said.text.startswith("TURN: ")]
    trigger = _TRIGGERS.get(turns[-1], "address") if turns else "address"
    return Asked(
        instructions=instructions,
        new=new,
        context=tuple(context),
        metadata={"trigger": trigger},
        tools=tuple(tool.body("function").text("name") for tool in body.bodies("tools")),
    )


def _said(message: Body) -> Iterator[Said]:
    role, text = message.text("role"), message.text("content")
    match role:
        case "user":
            for line in text.splitlines():
                yield Said("system" if line.startswith(("ROOM: ", "TURN: ")) else "user", line)
        case "tool":
            yield Said("output", text)
        case _:
            yield Said(role, text)
