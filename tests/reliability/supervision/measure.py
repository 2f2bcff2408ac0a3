"""One crash in the middle of a story: when he is back, what the room hears, what is lost and what says so."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from actors.audio.pcm import FRAME_SECONDS
from actors.stay.leaving import BROKEN_NOTICE
from messages.evidence import Left, Receipt
from tests.reliability.supervision.room import PATIENCE_SECONDS, Room, until
from tests.reliability.supervision.sound import SENTENCE_SECONDS, TONES, Sentence
from tests.reliability.supervision.tree import Actor

WHOLE_PACKETS = round(SENTENCE_SECONDS / FRAME_SECONDS) + 1
"""Of one sentence; the one more is where the next begins."""
QUIET_SECONDS = 0.15
"""Without a packet of his for so long, he has said what he had to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """What came of one; times in seconds, None where it never came."""

    opened: float | None
    """From the crash until the next life had opened."""
    served: float | None
    """From the crash, or from the end of what he was saying, until the request was served."""
    heard: frozenset[int]
    """Which sentences of the story were heard, by their place in it."""
    repeated: bool
    broke_off: float
    """When the last of the story was heard, after the crash."""
    pause: float
    """The longest time without sound within what was heard of the story since."""
    silence: float | None
    """From the last sound of the story to the first of the next answer; None where there was none."""
    posted: frozenset[int]
    """Which sentences of the story he wrote into the chat instead."""
    notices: tuple[str, ...]
    """What else he wrote there."""
    remembers: bool
    """Whether what was said before is in every conversation that began since."""
    receipts: tuple[Receipt, ...]


def crash(room: Room, actor: Actor) -> Crash:
    """Crash him in the middle of a story, and put everything back in order afterwards."""
    _begin(room)
    story = room.story()
    before = len(room.posts(room.channel.id))
    path = actor.path(room)
    at = time.monotonic()
    actor.crash(room, path)
    opened = _wait_for_life(room, actor, path, at)
    served = actor.serve(room, at)
    quiet(room)
    if actor.left:
        until(lambda: BROKEN_NOTICE in room.posts(room.channel.id)[before:], PATIENCE_SECONDS)
    own, others = _heard(room, story, at)
    ended, numbers = own[-1].ended if own else at, {one.number for one in own}
    begun = max(at, ended) if actor.after_speech else at
    posts = room.posts(room.channel.id)[before:]
    told, remembers = room.record.since(at), room.remembers(at)
    _mend(room, actor)
    return Crash(
        opened=None if opened is None else opened - at,
        served=None if served is None else served - begun,
        heard=frozenset(place for place, one in enumerate(story) if one % TONES in numbers),
        repeated=_repeated(own),
        broke_off=ended - at,
        pause=room.listener.longest_pause(at - FRAME_SECONDS, ended),
        silence=others[0].began - ended if others else None,
        posted=frozenset(
            place for place, one in enumerate(story) if any(re.search(rf"\b{one}\b", post) for post in posts)
        ),
        notices=tuple(post for post in posts if not post.startswith("Sentence")),
        remembers=remembers,
        receipts=told,
    )


def _begin(room: Room) -> None:
    room.lives.leap()
    quiet(room)
    room.listener.forget()
    room.record.forget()


def _wait_for_life(room: Room, actor: Actor, path: str, at: float) -> float | None:
    if actor.left:
        room.record.wait(Left, at, PATIENCE_SECONDS)
    if actor.reborn:
        return room.lives.opened(path, at, PATIENCE_SECONDS)
    if actor.deafens:
        room.lives.gone(path, at, PATIENCE_SECONDS)
    return None


def _heard(room: Room, story: range, at: float) -> tuple[list[Sentence], list[Sentence]]:
    """What was heard of the story, and of other answers since the crash."""
    sentences, numbers = room.listener.sentences(0.0), {one % TONES for one in story}
    own = [one for one in sentences if one.number in numbers]
    return own, [one for one in sentences if one.number not in numbers and one.began > at]


def _repeated(own: list[Sentence]) -> bool:
    """Whether one came after the next, or was longer than it is; a pause within one is no repetition."""
    once = [number for number, _ in groupby(one.number for one in own)]
    packets = Counter[int]()
    for one in own:
        packets[one.number] += one.packets
    return len(set(once)) < len(once) or any(many > WHOLE_PACKETS for many in packets.values())


def quiet(room: Room) -> None:
    """Wait until nothing has been heard of him for a while."""
    until(lambda: room.listener.wait(time.monotonic() - QUIET_SECONDS, 0.0, 1) is None, PATIENCE_SECONDS)


def _mend(room: Room, actor: Actor) -> None:
    """He is in the room and hears Ada, for the next one."""
    if room.path("stay") is None and room.come() is None:
        raise AssertionError(f"after a crash of {actor.name} he does not come any more")
    since = time.monotonic()
    if not room.fact("heard", "stay") and not room.consent(since):
        raise AssertionError(f"after a crash of {actor.name} nobody is heard any more")
    if not until(lambda: room.fact("microphones", "voice") == 1, PATIENCE_SECONDS):
        raise AssertionError(f"after a crash of {actor.name} no microphone opens any more")
