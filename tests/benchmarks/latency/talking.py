"""People who ask and are answered, slot by slot of 20 ms, in many rooms at once."""

from __future__ import annotations

import time
from asyncio import TimerHandle
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Final, TypeAlias

from tests.benchmarks.latency.moments import SLOT_SECONDS, Asked
from tests.benchmarks.latency.sounds import Sounds
from tests.loopback.discord.ground import Ground
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.voice.record import Kind, Record

STOP_EVERY: Final = 4
"""Of so many turns one is a story that is stopped."""
STORY_SECONDS, PAUSE_SECONDS = 0.3, 0.8
"""How long a story is listened to, and how long others are silent between two remarks."""
ANSWER_OVER_SECONDS, STOP_OVER_SECONDS = 0.1, 0.9
"""He and, after a word that stopped him, the asker have ended if they are silent for so long."""
PATIENCE_SECONDS: Final = 5.0
ROUND_SECONDS: Final = 1.5
"""In so long all tables have begun: nobody asks in chorus."""
SILENT_TAIL: Final = 12
"""Fewer packets without sound follow his last one with sound."""

Packets: TypeAlias = Generator[bytes | None, None, None]


class Table:
    """One room: somebody who asks again and again, and others who talk; only on the loop's thread."""

    def __init__(
        self, room: str, asker: Participant, others: Sequence[Participant], his: Record, sounds: Sounds
    ) -> None:
        self.room = room
        self.asked: list[Asked] = []
        self.lost = self.early = 0
        """How often nothing was heard of him in time; and how often before he had ever answered here.

        That everybody is in his group does not say that his ears are open already.
        """
        self.ending = self.over = False
        """Nobody asks anything more; and nobody is being answered any more."""
        self._asker, self._his, self._sounds = asker, his, sounds
        self._now = self._heard = 0.0
        self._answered = bool(his_sounds(his))
        self._talks = [(asker, self._turns())]
        self._talks += [(other, self._chatter(place / len(others))) for place, other in enumerate(others)]

    def slot(self) -> None:
        """Let everybody send what he has for this slot."""
        for person, packets in self._talks:
            self._now = time.monotonic()
            packet = next(packets)
            if packet is not None:
                person.client.send(packet)

    def _turns(self) -> Packets:
        number = 0
        while not self.ending:
            number += 1
            yield from self._turn(stops=number % STOP_EVERY == 0)
        self.over = True
        while True:
            yield None

    def _turn(self, *, stops: bool) -> Packets:
        sent: list[float] = []
        yield from self._say(self._sounds.story if stops else self._sounds.question, sent)
        ended = self._now
        yield from self._quiet_while(lambda: self._his_sound() <= ended)
        if self._his_sound() <= ended:
            self.lost += self._answered
            self.early += not self._answered
            return
        self._answered = True
        stop: list[float] = []
        if stops:
            yield from self._quiet_until(self._now + STORY_SECONDS)
            yield from self._say(self._sounds.stop, stop)
            yield from self._quiet_until(self._now + STOP_OVER_SECONDS)
        yield from self._quiet_while(lambda: self._now < self._his_sound() + ANSWER_OVER_SECONDS)
        person = str(self._asker.id)
        self.asked.append(
            Asked(room=self.room, person=person, sent=tuple(sent), stop=tuple(stop), over=self._now)
        )

    def _say(self, packets: Iterable[bytes], sent: list[float]) -> Packets:
        for packet in packets:
            sent.append(self._now)
            yield packet

    def _quiet_until(self, moment: float) -> Packets:
        while self._now < moment:
            yield self._sounds.silence

    def _quiet_while(self, true: Callable[[], bool]) -> Packets:
        """The microphone stays open."""
        patience = self._now + PATIENCE_SECONDS
        while self._now < patience and true():
            yield self._sounds.silence

    def _chatter(self, phase: float) -> Packets:
        """Remarks and pauses, in which his client sends nothing."""
        slots = [*self._sounds.chatter, *[self._sounds.silence] * 5]
        pause = [None] * round(PAUSE_SECONDS / SLOT_SECONDS)
        yield from [None] * round(phase * len([*slots, *pause]))
        while True:
            yield from slots
            yield from pause

    def _his_sound(self) -> float:
        """When his latest packet with sound was there."""
        arrivals = self._his.arrivals
        for place in range(1, min(SILENT_TAIL, len(arrivals)) + 1):
            if arrivals[-place].kind is Kind.DAVE:
                self._heard = arrivals[-place].at
                break
        return self._heard


def his_sounds(his: Record) -> list[float]:
    """When his packets with sound were there."""
    return sorted(one.at for one in tuple(his.arrivals) if one.kind is Kind.DAVE)


class Evening:
    """Has every table talk, each at a moment of its own, until it is stopped."""

    def __init__(self, ground: Ground, tables: Sequence[Table]) -> None:
        self._ground, self._timers = ground, dict[str, TimerHandle]()
        self._tables = tables

    def __enter__(self) -> None:
        self._ground.run(self._begin)

    def __exit__(self, *_: object) -> None:
        self._ground.run(self._end)

    def _begin(self) -> None:
        now = self._ground.loop.time()
        for place, table in enumerate(self._tables):
            self._wait(table, now + ROUND_SECONDS * place / len(self._tables))

    def _slot(self, table: Table, due: float) -> None:
        table.slot()
        self._wait(table, due + SLOT_SECONDS)

    def _wait(self, table: Table, due: float) -> None:
        self._timers[table.room] = self._ground.loop.call_at(due, self._slot, table, due)

    def _end(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
