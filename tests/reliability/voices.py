"""What guests say, as Opus packets of real speech, and what the exact ear understands of it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby
from typing import Final

import numpy as np

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import FRAME_SECONDS, frames, read_wav
from tests.reliability import marks
from tests.reliability.figures import ROOT
from tests.speech.clips import HUMAN

BUILT: Final = ROOT / "build" / "night"
VERSION: Final = 1
"""Of how they are made: another one makes all of them again."""


class Kind(StrEnum):
    """What a line is for."""

    ADDRESS = "address"
    STORY = "story"
    """An address that is answered at length."""
    STOP = "stop"
    BACKCHANNEL = "backchannel"
    TALK = "talk"


TEXTS: Final[Mapping[str, tuple[Kind, str]]] = {
    "time": (Kind.ADDRESS, "Clankie, what time is it?"),
    "weather": (Kind.ADDRESS, "Clankie, how is the weather today?"),
    "dinner": (Kind.ADDRESS, "Clankie, what should we have for dinner?"),
    "name": (Kind.ADDRESS, "Clankie, are you still there?"),
    "story": (Kind.STORY, "Clankie, tell us a long story."),
    "stop": (Kind.STOP, "Clankie, stop."),
    "right": (Kind.BACKCHANNEL, "Yeah, right."),
    "okay": (Kind.BACKCHANNEL, "Okay."),
    "train": (Kind.TALK, "I took the early train this morning and it was full again."),
    "garden": (Kind.TALK, "My neighbour has planted apple trees all over the garden."),
    "film": (Kind.TALK, "We watched a rather old film yesterday and everybody fell asleep."),
    "bread": (Kind.TALK, "The bread from that new bakery is really very good."),
}
"""Made by the local voice."""
READ: Final[Mapping[str, str]] = {
    "dashwood": HUMAN[0].words,
    "young": HUMAN[1].words,
    "selfish": HUMAN[2].words,
    "woman": HUMAN[3].words,
    "amiable": HUMAN[4].words,
    "forward": HUMAN[5].words,
}
"""Read by people; their recordings are in tests/speech."""
_RECORDINGS: Final = {name: clip.path for name, clip in zip(READ, HUMAN, strict=False)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something that is said, its sound in packets of 20 ms."""

    name: str
    kind: Kind
    text: str
    packets: tuple[bytes, ...]

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return len(self.packets) * FRAME_SECONDS


@cache
def lines() -> Mapping[str, Line]:
    """Return every line by its name; the first time ever they are made, which takes some seconds."""
    known = json.dumps([VERSION, TEXTS, READ], sort_keys=True)
    kept = BUILT / f"lines-{hashlib.sha256(known.encode()).hexdigest()[:12]}.json"
    if not kept.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{id(kept)}.new")
        fresh.write_text(json.dumps({name: list(map(_told, made)) for name, made in _made().items()}))
        fresh.replace(kept)
    packets: dict[str, list[str]] = json.loads(kept.read_text())
    return {
        name: Line(name=name, kind=kind, text=text, packets=tuple(map(base64.b64decode, packets[name])))
        for name, (kind, text) in _all().items()
    }


def of_kind(*kinds: Kind) -> tuple[Line, ...]:
    """Every line that is for one of these."""
    return tuple(line for line in lines().values() if line.kind in kinds)


def understood(pcm: bytes) -> str:
    """The words of a sound, whole lines or the part of one that is in it; exact, and cheap."""
    names = tuple(_all())
    said: list[str] = []
    for line, group in groupby(_passages(marks.read_marks(pcm)), key=lambda one: one[0]):
        for _, parts in group:
            if line < len(names):
                said.append(_words(_all()[names[line]][1], parts))
    return " ".join(one for one in said if one)


def _all() -> Mapping[str, tuple[Kind, str]]:
    return {**TEXTS, **{name: (Kind.TALK, text) for name, text in READ.items()}}


def _passages(read: Sequence[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Each line that was said, with the parts of it; one that begins anew was said once more."""
    passages: list[tuple[int, list[int]]] = []
    for line, part in read:
        if passages and passages[-1][0] == line and part >= passages[-1][1][-1]:
            passages[-1][1].append(part)
        else:
            passages.append((line, [part]))
    return [(line, parts) for line, parts in passages if len(parts) > 1]


def _words(text: str, parts: Sequence[int]) -> str:
    """The words of these parts; of one that is nearly whole all of them."""
    words = text.split()
    if parts[0] <= 1 and parts[-1] >= marks.PARTS - 2:
        return text
    first = math.floor(parts[0] / marks.PARTS * len(words))
    return " ".join(words[first : math.ceil((parts[-1] + 1) / marks.PARTS * len(words))])


def _made() -> dict[str, list[bytes]]:
    from actors.audio.voice import LocalVoice

    voice = LocalVoice()
    sounds = {name: b"".join(voice.stream(text)) for name, (_, text) in TEXTS.items()}
    sounds |= {name: read_wav(path) for name, path in _RECORDINGS.items()}
    made: dict[str, list[bytes]] = {}
    for place, name in enumerate(_all()):
        speech = np.frombuffer(sounds[name], "<i2").astype(np.float64)
        encoder = OpusEncoder()
        try:
            made[name] = [encoder.encode(frame) for frame in frames(marks.marked(speech, place))]
        finally:
            encoder.close()
    return made


def _told(packet: bytes) -> str:
    return base64.b64encode(packet).decode()
