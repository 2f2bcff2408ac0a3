"""The loads: each is more than he can do, for as long as its `with` statement lasts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Final, TypeAlias

from supervisors.rehearsal.stage import Overrides
from tests.loopback.openai.responses_asked import CaptainReply
from tests.reliability.chatter import Chatter
from tests.reliability.night import Evening

Apply: TypeAlias = Callable[[Evening, "Size"], AbstractContextManager[None]]

CAPTAIN_SECONDS: Final = 0.1
"""Before each event of the captain's model, which are some ten for an answer in writing."""
TTS_PACE: Final = 0.1
"""Sound is made so fast, as a multiple of how fast it is heard."""
FIRST_CHUNK_SECONDS: Final = 2.0
"""Such a voice takes so long for its first fifth of a second."""
LATE_SECONDS: Final = 3.0
"""What a provider takes for words, or for the first piece of an answer: ten times the usual."""
AT_ONCE: Final = -2.0
"""A slow provider needs no time to be one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything there is."""

    people: int = 25
    texts: int = 1000
    """Per round, half of them addressed to him."""
    joins_a_minute: int = 200
    rounds: int = 5
    seconds: float = 3.0
    """How long a load lasts before somebody asks."""


WHOLE: Final = Size()
SHORT: Final = Size(people=8, texts=400, rounds=1, seconds=1.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One kind of too much; `others_add` is what others have the asker wait for, and not he."""

    name: str
    says: str
    apply: Apply
    crowd: bool = False
    """Whether everybody whom he can hear is there."""
    others_add: float = 0.0
    settings: Overrides = field(default_factory=dict)
    floods: bool = False
    """Whether so much is written that some of it has to be dropped."""
    stutters: bool = False
    """Whether his sound runs out while he speaks."""
    passers: bool = False
    """Whether there are people who only pass by."""
    lasts: float = 0.0
    """So many seconds more, or less, than any load it lasts before somebody asks."""


@contextmanager
def everybody_talks(evening: Evening, _size: Size) -> Generator[None]:
    """All but the one who asks."""
    talkers = [one for one in evening.guests.values() if one.consenting and one.name != "Ada"]
    with Chatter(talkers):
        yield


@contextmanager
def one_never_pauses(evening: Evening, _size: Size) -> Generator[None]:
    """Ben reads without a breath."""
    with Chatter([evening.guests["Ben"]]):
        yield


@contextmanager
def texts_pour_in(evening: Evening, size: Size) -> Generator[None]:
    """In the room's chat and in the lobby, half of them addressed."""
    guests = cycle(list(evening.guests.values())[1:])
    evening.openai.rest.brains.captain = lambda _: CaptainReply(text="So it is.", pause=CAPTAIN_SECONDS)
    talk = evening.guild.channel(evening.lobby.id)

    def write(number: int) -> None:
        guest = next(guests)
        match number % 4:
            case 0:
                guest.write(f"so it goes, {number}")
            case 1:
                guest.write(f"no end to it, {number}", talk)
            case 2:
                guest.write(f"Clankie, what is {number}?")
            case _:
                guest.address(f"what is {number}?")

    with _again_and_again(write, every=size.seconds / size.texts, times=size.texts):
        yield


@contextmanager
def people_come_and_go(evening: Evening, size: Size) -> Generator[None]:
    """With clients and keys of their own, one after the other."""
    passers = [evening.guests[name] for name in evening.guests if name.startswith("Passer")]

    def pass_by(number: int) -> None:
        guest = passers[number // 2 % len(passers)]
        if number % 2:
            guest.participant.leave()
        else:
            guest.participant.join(guest.room, wait=False)

    with _again_and_again(pass_by, every=60 / size.joins_a_minute, times=1_000_000):
        yield
    for guest in passers:
        if guest.here:
            guest.participant.leave()


@contextmanager
def all_at_once(evening: Evening, size: Size) -> Generator[None]:
    """Everybody talks, messages pour in, and people come and go."""
    with (
        everybody_talks(evening, size),
        texts_pour_in(evening, size),
        people_come_and_go(evening, size),
    ):
        yield


@contextmanager
def the_voice_is_slow(evening: Evening, _size: Size) -> Generator[None]:
    """Sound is made ten times more slowly than it is heard."""
    evening.elevenlabs.manners.times_real = TTS_PACE
    try:
        yield
    finally:
        evening.elevenlabs.manners.times_real = None


@contextmanager
def the_ear_is_late(evening: Evening, _size: Size) -> Generator[None]:
    """Each final comes LATE_SECONDS after it could."""
    openai, seen = evening.openai, dict[str, float]()
    openai.habits.hold_transcripts = True

    def look(_number: int) -> None:
        for listener in openai.listeners:
            for place, item in reversed([*enumerate(listener.held)]):
                if time.monotonic() >= seen.setdefault(item, time.monotonic()) + LATE_SECONDS:
                    listener.release(place)

    try:
        with _again_and_again(look, every=0.05, times=1_000_000):
            yield
    finally:
        openai.habits.hold_transcripts = False
        for listener in openai.listeners:
            listener.release()


@contextmanager
def the_mind_is_slow(evening: Evening, _size: Size) -> Generator[None]:
    """Each of the two words of an answer takes half of the time: he speaks whole sentences."""
    evening.mind.pause = LATE_SECONDS / 2
    try:
        yield
    finally:
        evening.mind.pause = 0.0


@contextmanager
def _again_and_again(do: Callable[[int], None], *, every: float, times: int) -> Generator[None]:
    """Do it in a thread of its own; what is late is made up for at once, what is left is not done."""
    over, failed = threading.Event(), list[BaseException]()

    def work() -> None:
        began = time.monotonic()
        try:
            for number in range(times):
                if over.wait(max(0.0, began + number * every - time.monotonic())):
                    return
                do(number)
        except (AssertionError, TimeoutError) as error:
            failed.append(error)

    thread = threading.Thread(target=work, name="load")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if failed:
        raise failed[0]


LOADS: Final[Mapping[str, Load]] = {
    load.name: load
    for load in (
        Load(name="crowd", says="25 people talk at once", apply=everybody_talks, crowd=True),
        Load(
            name="talker",
            says="one never pauses",
            apply=one_never_pauses,
            settings={"capture": {"longest_seconds": 3.0}},
            lasts=5.0,
        ),
        Load(name="texts", says="a flood of messages", apply=texts_pour_in, floods=True),
        Load(name="joins", says="200 come or go a minute", apply=people_come_and_go, passers=True),
        Load(
            name="all", says="these three at once", apply=all_at_once, crowd=True, floods=True, passers=True
        ),
        Load(
            name="slow-voice",
            says="the voice is ten times slower than speech",
            apply=the_voice_is_slow,
            others_add=FIRST_CHUNK_SECONDS,
            stutters=True,
            lasts=AT_ONCE,
        ),
        Load(
            name="slow-ear",
            says="words come three seconds late",
            apply=the_ear_is_late,
            others_add=LATE_SECONDS,
            lasts=AT_ONCE,
        ),
        Load(
            name="slow-mind",
            says="the mind thinks for three seconds",
            apply=the_mind_is_slow,
            others_add=LATE_SECONDS,
            lasts=AT_ONCE,
        ),
    )
}
"""By name."""
