"""The history of a night, from what was noted, what is on record and what was heard."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from messages.evidence import (
    Consent,
    HeardWords,
    Left,
    ModelResponse,
    Playback,
    PrivateWords,
    Receipt,
    SpokenWords,
)
from messages.ids import TurnId
from tests.reliability.chaos.history import (
    History,
    Life,
    OnRecord,
    Plain,
    Said,
    Sound,
    Spoke,
    Trouble,
    Voiced,
    Wrote,
)
from tests.reliability.chaos.notes import WORDS, Notes
from tests.reliability.chaos.reading import exposed_by
from tests.reliability.mind import NUMBERED, Answered
from tests.reliability.night import Evening
from tests.reliability.told import Entry

FOREVER: Final = float("inf")
LATE_SECONDS: Final = 0.1
"""So much later than it was made a receipt may come."""
_NUMBER: Final = re.compile(r"number (\d+)")
_ENDS: Final = frozenset({"refused", "withdrawn", "departed", "moved", "lost"})
Periods = Mapping[str, Sequence[tuple[float, float]]]
T = TypeVar("T")


def history(evening: Evening, notes: Notes, wanting: Iterable[int], began: float, now: float) -> History:
    """All of a night until `now`, in seconds since `began`; `wanting` are those who ever consent."""
    entries = evening.record.everything()
    receipts = [OnRecord(at=one.at, life=one.life, receipt=what) for one, what in _receipts(entries)]
    exposed = [found for one in receipts for found in exposed_by(one.receipt, one.at, notes.secrets, WORDS)]
    periods = granted(receipts)
    made = History(
        lives=tuple(notes.lives),
        troubles=tuple(sorted(notes.troubles, key=lambda one: one.at)),
        receipts=tuple(receipts),
        said=tuple(replace(one, heard=_may_be_heard(one, periods)) for one in notes.said),
        wrote=tuple(_wrote(entries)),
        sounds=tuple(sorted(_sounds(evening), key=lambda one: one.at)),
        voiced=tuple(_voiced(evening.mind.answers, notes.lives)),
        spoke=tuple(_spoke(entries, receipts, evening.mind.answers)),
        plain=tuple(_plain(evening)),
        asked=tuple(notes.asked),
        orders=tuple(notes.orders),
        standings=tuple(notes.standings),
        samples=tuple(notes.samples),
        log=tuple(notes.log),
        exposed=(*notes.exposed, *exposed),
    )
    ever = {str(person): ((-FOREVER, FOREVER),) for person in wanting}
    return replace(_shifted(made, began), seconds=now - began, consents=ever)


def granted(receipts: Sequence[OnRecord]) -> Periods:
    """From when to when each person's consent stood, by the record."""
    periods: dict[str, list[tuple[float, float]]] = {}
    since: dict[str, float] = {}
    for one in receipts:
        match one.receipt:
            case Consent(person_id=person, phase="granted"):
                since.setdefault(person, one.at)
            case Consent(person_id=person, phase=phase) if phase in _ENDS and person in since:
                periods.setdefault(person, []).append((since.pop(person), one.at))
            case Left():
                for one_of_them, at in since.items():
                    periods.setdefault(one_of_them, []).append((at, one.at))
                since = {}
            case _:
                pass
    for still, at in since.items():
        periods.setdefault(still, []).append((at, FOREVER))
    return periods


def tones_of(
    utterance: str, text: str, receipts: Sequence[OnRecord], answers: Sequence[Answered]
) -> tuple[int, ...]:
    """The numbers that this utterance sounds as: they are in its text, or its turn led to one answer."""
    named = tuple(sorted({int(number) % NUMBERED for number in _NUMBER.findall(text)}))
    if named:
        return named
    turn = _turn_of(utterance, receipts)
    asked = [one for one in receipts if _is_of(one.receipt, turn)]
    if not asked:
        return ()
    came = {one.number for one in answers if asked[0].at - LATE_SECONDS <= one.at <= asked[-1].at}
    return tuple(came) if len(came) == 1 and len(asked) > 1 else ()


def _receipts(entries: Sequence[Entry[Receipt | PrivateWords]]) -> Iterator[tuple[Entry[Any], Receipt]]:
    for one in entries:
        if not isinstance(one.what, HeardWords | SpokenWords):
            yield one, one.what


def _may_be_heard(said: Said, periods: Periods) -> bool:
    return any(since <= said.at and said.ended <= until for since, until in periods.get(said.person, ()))


def _wrote(entries: Sequence[Entry[Receipt | PrivateWords]]) -> Iterator[Wrote]:
    for one in entries:
        if isinstance(one.what, HeardWords):
            yield Wrote(at=one.at, person=one.what.person_id, typed=one.what.typed)


def _sounds(evening: Evening) -> Iterator[Sound]:
    for one in evening.heard:
        yield Sound(at=one.at, listener=one.listener, tone=one.tone, silent=one.silent)


def _voiced(answers: Sequence[Answered], lives: Sequence[Life]) -> Iterator[Voiced]:
    for one in answers:
        life = next((life.number for life in lives if life.at <= one.at <= life.ended), None)
        if life is not None:
            yield Voiced(at=one.at, life=life, tone=one.number)


def _spoke(
    entries: Sequence[Entry[Receipt | PrivateWords]],
    receipts: Sequence[OnRecord],
    answers: Sequence[Answered],
) -> Iterator[Spoke]:
    texts = {one.what.utterance_id: one.what.text for one in entries if isinstance(one.what, SpokenWords)}
    ended = [
        (one.at, one.receipt.utterance_id)
        for one in receipts
        if isinstance(one.receipt, Playback) and one.receipt.phase in {"drained", "cut", "failed"}
    ]
    for at, utterance in ended:
        tones = tones_of(utterance, texts.get(utterance, ""), receipts, answers)
        if tones:
            yield Spoke(at=at, utterance=utterance, tones=tones)


def _turn_of(utterance: str, receipts: Sequence[OnRecord]) -> TurnId | None:
    for one in receipts:
        if isinstance(one.receipt, Playback) and one.receipt.utterance_id == utterance:
            return one.receipt.turn_id
    return None


def _is_of(receipt: Receipt, turn: TurnId | None) -> bool:
    return turn is not None and isinstance(receipt, ModelResponse) and receipt.turn_id == turn


def _plain(evening: Evening) -> Iterator[Plain]:
    for record in evening.discord.voice.desk.records:
        if record.user == evening.bot:
            yield from (Plain(at=one.at) for one in record.leaked())


def _shifted(made: History, began: float) -> History:
    """The same with seconds since its beginning instead of the machine's."""
    fields = ("lives", "troubles", "receipts", "said", "wrote", "sounds", "voiced", "spoke", "plain")
    more = ("asked", "orders", "standings", "samples", "log", "exposed")
    changed: dict[str, Any] = {
        name: tuple(_moved(one, began) for one in getattr(made, name)) for name in (*fields, *more)
    }
    return replace(made, **changed)


def _moved(one: T, began: float) -> T:
    times: dict[str, Any] = {
        name: at - began
        for name in ("at", "ended", "heard")
        if isinstance(at := getattr(one, name, None), float)
    }
    return cast("T", replace(cast("Trouble", one), **times))
