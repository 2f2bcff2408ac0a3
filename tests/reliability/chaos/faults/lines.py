"""A line is cut, half open, no longer read, or fed garbage: the account's, the call's, and the providers'."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from tests.loopback.discord.body import Json
from tests.loopback.openai.faults import Fault as Trouble
from tests.reliability.chaos.faults.captain import with_trouble
from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, chance
from tests.reliability.chaos.faults.recall import in_voice

if TYPE_CHECKING:
    from tests.loopback.providers import Socket
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

NO_LINE: Final = "there was no such line"
HUGE: Final = "x" * 2_000_000
NOT_JSON: Final = "{ this is no JSON"
ODD: Final[tuple[object, ...]] = (
    [],
    "a word",
    17,
    None,
    {},
    {"type": 7},
    {"type": "error", "error": "prose that must not surface"},
    {"type": "of.nobody", "event_id": ["no", "id"]},
    {"type": "response.done", "response": 3},
    {"audio": 5, "contextId": {}, "isFinal": "perhaps"},
)
"""What is JSON and makes no sense."""
EVENTS: Final = (
    "VOICE_STATE_UPDATE",
    "MESSAGE_CREATE",
    "GUILD_MEMBER_ADD",
    "VOICE_SERVER_UPDATE",
    "OF_NOBODY",
)
ODD_EVENTS: Final[tuple[Json, ...]] = ({}, {"guild_id": "none", "user_id": []}, {"id": {}, "token": 5})
CUTS: Final = Trouble(cut_after=1)
STALLS: Final = Trouble(stall_after=1)
BABBLES: Final = Trouble(garbage_after=1)


def cut(happening: Happening, evening: Evening) -> Ending:
    """Broken off without a word."""
    match happening.target:
        case "gateway":
            hits = int(evening.discord.gateway.connected)
            evening.discord.gateway.drop(None)
        case "voice":
            hits = _in_the_call(evening, evening.discord.voice.abort)
        case "captain":
            return with_trouble(evening, CUTS)
        case provider:
            hits = _each(evening, provider, lambda socket: socket.abort())
    return at_once(hits, NO_LINE)


def half_open(happening: Happening, evening: Evening) -> Ending:
    """The connection stays, and nobody is at its other end; in the end the network notices."""
    gateway, voice = evening.discord.gateway.half_open, evening.discord.voice.half_open
    return _unanswered(happening, evening, gateway, voice, lambda socket: socket.freeze())


def stalled(happening: Happening, evening: Evening) -> Ending:
    """What he sends is read by nobody; what he is sent still comes. In the end it breaks."""
    gateway, voice = evening.discord.gateway.stall, evening.discord.voice.stall
    return _unanswered(happening, evening, gateway, voice, lambda socket: socket.stall())


def garbage(happening: Happening, evening: Evening) -> Ending:
    """What no server would say: no JSON, JSON of wrong types, unknown kinds, junk, and far too much."""
    match happening.target:
        case "gateway":
            return at_once(_babble_of_gateway(happening, evening), NO_LINE)
        case "voice":
            return at_once(_babble_of_voice(happening, evening), NO_LINE)
        case "captain":
            return with_trouble(evening, BABBLES)
        case provider:
            texts = [NOT_JSON, *map(json.dumps, ODD), HUGE]
            chance(happening).shuffle(texts)
            hits = _each(evening, provider, lambda socket: _babble(socket, texts))
            return at_once(hits * len(texts), NO_LINE)


def live(evening: Evening, provider: str) -> list[Socket]:
    """His connections to a provider that are up at present."""
    sockets: Mapping[str, Callable[[], list[Socket]]] = {
        "conversation": lambda: [*evening.openai.conversations],
        "transcription": lambda: [*evening.openai.listeners],
        "tts": lambda: [*evening.elevenlabs.sessions],
    }
    return [socket for socket in sockets[provider]() if not socket.over]


def _unanswered(
    happening: Happening,
    evening: Evening,
    gateway: Callable[[], None],
    voice: Callable[[int], None],
    change: Callable[[Socket], None],
) -> Ending:
    match happening.target:
        case "gateway":
            hits = int(evening.discord.gateway.connected)
            gateway()
            return _breaking(hits, lambda: evening.discord.gateway.drop(None))
        case "voice":
            return at_once(_in_the_call(evening, voice), NO_LINE)
        case "captain":
            return with_trouble(evening, STALLS)
        case provider:
            silent = live(evening, provider)
            hits = _each(evening, provider, change)
            return _breaking(hits, lambda: _broken(silent))


def _each(evening: Evening, provider: str, change: Callable[[Socket], None]) -> int:
    sockets = live(evening, provider)
    for socket in sockets:
        change(socket)
    return len(sockets)


def _in_the_call(evening: Evening, change: Callable[[int], None]) -> int:
    if not in_voice(evening):
        return 0
    change(evening.bot)
    return 1


def _broken(sockets: list[Socket]) -> None:
    for socket in sockets:
        socket.abort()


def _breaking(hits: int, change: Callable[[], None]) -> Ending:
    def end() -> Effect:
        change()
        return Effect(hits=hits, why=NO_LINE)

    return end


def _babble(socket: Socket, texts: list[str]) -> None:
    for text in texts:
        socket.send_text(text)
    socket.send_binary(os.urandom(200))


def _babble_of_gateway(happening: Happening, evening: Evening) -> int:
    gateway, dice = evening.discord.gateway, chance(happening)
    if not gateway.connected:
        return 0

    def events() -> None:
        for event in EVENTS:
            gateway.tell(event, dice.choice(ODD_EVENTS))

    evening.discord.ground.run(events)
    for op in (99, 11, 0, 10):
        gateway.say(op, dice.choice((None, 7, HUGE)))
    if dice.random() < 0.5:
        gateway.say_raw(os.urandom(300))
    return len(EVENTS) + 4


def _babble_of_voice(happening: Happening, evening: Evening) -> int:
    voice, dice = evening.discord.voice, chance(happening)
    if not in_voice(evening):
        return 0
    frames: list[str | bytes] = [
        NOT_JSON,
        *(json.dumps(one) for one in ODD),
        *(json.dumps({"op": op, "d": body}) for op in (2, 4, 5, 6, 11, 13, 21, 24, 99) for body in (None, 7)),
        b"",
        *(os.urandom(length) for length in (1, 2, 3, 40, 2_000)),
        HUGE,
    ]
    some = dice.sample(frames, 12)
    for frame in some:
        voice.send(evening.bot, frame)
    return len(some)
