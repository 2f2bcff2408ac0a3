"""What came of a tool, for a mind to read: names and codes, and never an id."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeAlias, assert_never

from actors.captain.journal import Note
from actors.captain.remedies import NOT_CONFIRMED, NOT_DONE, NOT_JOINED, NOT_LEFT, NOT_REACHED
from messages.attachment import MOST_ATTACHMENTS
from messages.captain import Confirmed, MachineDone, ToolAnswer
from messages.evidence import ReceiptsKnown, StayReceipt
from messages.gateway import (
    DeedAnswered,
    Joined,
    JoinRefused,
    LeaveAnswered,
    RoomDescribed,
    WatchAnswered,
)
from messages.people import Presence
from messages.tools import Mistaken

LONGEST_TOLD: Final = 10_000
LONGEST_FROM_MACHINE: Final = 8_000
_LONGEST_NAME: Final = 64
_MOST_PEOPLE: Final = 25
_MOST_RECEIPTS: Final = 10
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_Json: TypeAlias = str | int | float | bool | None
_Row: TypeAlias = Mapping[str, _Json]
_Fact: TypeAlias = _Json | tuple[str, ...] | tuple[_Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the journal keeps of an answer, what the mind reads of it, and whether it was done.

    `outcome` is joined | left | done | watching | room | notes | confirmed, or the code of why not. `text` is
    a JSON object of at most 10,000 characters on one line; its "outcome" is one of those words, or machine |
    join_refused | leave_refused | refused | failed | error, with the code as "reason" and words as "why".
    """

    outcome: str
    text: str
    done: bool


def told(answer: ToolAnswer, *, transcripts_kept: bool) -> Told:
    """Another room's answer."""
    match answer:
        case Joined():
            return _done(
                "joined",
                channel=_name(answer.name),
                opted_in=answer.opted_in,
                transcripts_kept=transcripts_kept,
            )
        case JoinRefused():
            return _not_joined(answer)
        case LeaveAnswered():
            if answer.refused is not None:
                return _not("leave_refused", answer.refused, NOT_LEFT)
            return _done("left", channel=_name(answer.name))
        case DeedAnswered(refused=""):
            return _done("done")
        case WatchAnswered(refused=""):
            return _done("watching", url=answer.url[:512]) if answer.url else _done("done")
        case DeedAnswered() | WatchAnswered():
            return refused(answer.refused)
        case Confirmed():
            return _confirmed(answer)
        case RoomDescribed():
            return room(answer, None)
        case ReceiptsKnown():
            return _done("room", floor=_name(answer.floor), lately=_lately(answer))
        case _:
            assert_never(answer)


def _not_joined(answer: JoinRefused) -> Told:
    if answer.detail in NOT_REACHED:
        return _not("join_refused", answer.detail, NOT_REACHED)
    detail = {"detail": _name(answer.detail)} if answer.detail else {}
    return _not("join_refused", answer.reason, NOT_JOINED, **detail)


def room(described: RoomDescribed, known: ReceiptsKnown | None) -> Told:
    """What is going on: two rooms' answers in one. Who is "heard" let himself be heard."""
    people = described.people[:_MOST_PEOPLE]
    return _done(
        "room",
        channel=_name(described.room),
        your_channel=_name(described.stay_room),
        phase=_name(described.phase),
        humans=described.humans,
        bots=sum(one.person.bot for one in people),
        people=tuple(_presence(one) for one in people),
        floor=_name(known.floor) if known else "",
        lately=_lately(known) if known else (),
    )


def machine(done: MachineDone) -> Told:
    """What a server's tool gave back: its words, cut, and the names of its files."""
    files = tuple(_name(one.name) for one in done.attachments[:MOST_ATTACHMENTS])
    text, cut = done.text[:LONGEST_FROM_MACHINE], len(done.text) > LONGEST_FROM_MACHINE
    while True:
        more: dict[str, _Fact] = {"text": text, "files": files, "cut": cut}
        answer = _not("failed", done.failed, NOT_DONE, **more) if done.failed else _done("machine", **more)
        if len(answer.text) <= LONGEST_TOLD:
            return answer
        # A sign that has to be escaped is up to twelve signs long.
        text, cut = text[: max(0, len(text) * LONGEST_TOLD // len(answer.text) - 16)], True


def notes(found: tuple[Note, ...]) -> Told:
    """What is remembered, the oldest first; the newest of it, if it is too much."""
    rows = tuple({"about": "room" if one.room else "speaker", "note": one.text} for one in found)
    while len((answer := _done("notes", notes=rows)).text) > LONGEST_TOLD:
        rows = rows[1:]
    return answer


def kept() -> Told:
    """A note is kept."""
    return _done("done")


def refused(code: str) -> Told:
    """The house's own no, a key of NOT_DONE; what was not answered in time has failed rather."""
    return _not("failed" if code == "timeout" else "refused", code, NOT_DONE)


def mistaken(request: Mistaken) -> Told:
    """No tool could make anything of it; says what to do better."""
    return _told("mistaken", {"outcome": "error", "why": request.problem[:512]}, done=False)


def _confirmed(answer: Confirmed) -> Told:
    if not answer.refused:
        return _done("confirmed")
    code = "confirmed_by_nobody" if answer.refused == "timeout" else answer.refused
    return _not("refused", code, NOT_CONFIRMED)


def _presence(one: Presence) -> _Row:
    if one.person.bot:
        return {"name": _name(one.person.label), "bot": True}
    return {"name": _name(one.person.label), "heard": one.consented}


def _lately(known: ReceiptsKnown) -> tuple[_Row, ...]:
    """Receipts hold no words, and here no ids either."""
    return tuple(dict(_facts(one)) for one in known.receipts[-_MOST_RECEIPTS:])


def _facts(receipt: StayReceipt) -> Iterator[tuple[str, _Json]]:
    yield "kind", re.sub(r"(?<!^)(?=[A-Z])", "_", type(receipt).__name__).lower()
    for field in fields(receipt):
        value: _Json = getattr(receipt, field.name)
        if not field.name.endswith("_id") and value not in {None, ""}:
            yield field.name, _name(value) if isinstance(value, str) else value


def _done(outcome: str, **facts: _Fact) -> Told:
    return _told("done" if outcome == "machine" else outcome, {"outcome": outcome, **facts}, done=True)


def _not(outcome: str, code: str, remedies: Mapping[str, str], **facts: _Fact) -> Told:
    why = {"why": remedies[code]} if code in remedies else {}
    code = _name(code)
    return _told(code, {"outcome": outcome, "reason": code, **why, **facts}, done=False)


def _told(outcome: str, content: Mapping[str, _Fact], *, done: bool) -> Told:
    """One line: every sign that could end it, or hide one, is escaped as JSON has it."""
    text = _SURROGATE.sub("", json.dumps(content, ensure_ascii=False, separators=(",", ":")))
    line = "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
    return Told(outcome=outcome, text=line, done=done)


def _name(text: str) -> str:
    """What somebody chose to be called, on one line and cut."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(plain.split())[:_LONGEST_NAME]
