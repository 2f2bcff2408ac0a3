"""What became of an order, in a code for programs and in a sentence for people; nobody's words are in it."""

from __future__ import annotations

from typing import Final, assert_never

from messages.console import (
    FlushEnded,
    FlushOrdered,
    HushOrdered,
    InterruptOrdered,
    JoinEnded,
    JoinOrdered,
    LeaveEnded,
    LeaveOrdered,
    Order,
    OrderAnswer,
    OrderEnded,
    OrderResult,
    PurgeEnded,
    PurgeOrdered,
    RestartEnded,
    RestartOrdered,
    SayOrdered,
    ShutdownOrdered,
    WithdrawOrdered,
)
from messages.evidence import Flushed, Purged
from messages.gateway import JoinAnswer, JoinRefused, LeaveAnswered, RefusedJoin, RefusedLeave
from messages.lifecycle import RestartAnswered
from messages.orders import OrderCode, StayOrderAnswered
from messages.reasons import in_words

DONE: Final = "done"
NAMES: Final[dict[type[Order], str]] = {
    JoinOrdered: "join",
    LeaveOrdered: "leave",
    SayOrdered: "say",
    HushOrdered: "hush",
    InterruptOrdered: "interrupt",
    WithdrawOrdered: "withdraw",
    RestartOrdered: "restart",
    FlushOrdered: "flush",
    PurgeOrdered: "purge",
    ShutdownOrdered: "shutdown",
}
_STAYED_AWAY: Final = {
    RefusedJoin.AUTHORITY: "he may not go there; see [authority] in the configuration",
    RefusedJoin.ALLOWLIST: "that channel is on no list of his; see [authority] in the configuration",
    RefusedJoin.NOT_IN_VOICE: "the owner is in no voice channel; name a room",
    RefusedJoin.VOICE_DISABLED: "voice is switched off in the configuration",
    RefusedJoin.OTHER_GUILD: "he is in a voice channel of that server already; let him leave it first",
    RefusedJoin.NO_OWNER: "no owner is configured; name a room",
    RefusedJoin.AMBIGUOUS: "the owner is in several voice channels; name a room",
    RefusedJoin.FAILED: "the voice channel could not be reached",
}
_NO_SUCH: Final = "he is in no such room"
_NOWHERE: Final = "he is in no room; clankie ctl join has him come"
_IN_STAY: Final = {
    OrderCode.NO_STAY: _NO_SUCH,
    OrderCode.AMBIGUOUS: "he is in several rooms; name the stay",
    OrderCode.NOTHING_TO_DO: "there was nothing to do",
    OrderCode.NOT_HERE: "that person is not in the room",
    OrderCode.BUSY: "too much of the kind waits already; try again later",
    OrderCode.LEAVING: "he is about to leave that room",
}
_GONE: Final = frozenset((OrderCode.NO_STAY, OrderCode.NOT_HERE, OrderCode.LEAVING))


def outcome(order: Order, ended: OrderEnded) -> OrderAnswer:
    """The answer to this order, now that it has ended so."""
    match ended:
        case JoinEnded():
            return _joined(ended.answer)
        case LeaveEnded():
            return _left(ended.answer, named=isinstance(order, LeaveOrdered) and order.stay is not None)
        case RestartEnded():
            return _restarted(ended.answer)
        case FlushEnded():
            return _flushed(ended.answer)
        case PurgeEnded():
            return _purged(ended.answer)
        case StayOrderAnswered():
            return _in_stay(order, ended)
        case _:
            assert_never(ended)


def refusal(code: str, text: str) -> OrderAnswer:
    """It could not be done, or may not be."""
    return OrderAnswer(result=OrderResult.REFUSED, code=code, text=text)


def shutting() -> OrderAnswer:
    """He closes the house, and with it this window."""
    return _done("the house is closing")


def begins_anew(path: str) -> OrderAnswer:
    """This very window shuts, and another opens."""
    text = f"{path} begins a new life, with a new key: open the page again, by clankie page"
    return _done(text, path=path)


def unanswered(code: str, why: str) -> OrderAnswer:
    """Nobody knows what becomes of it."""
    return OrderAnswer(
        result=OrderResult.PENDING, code=code, text=f"{why}; it may still be done: see the status"
    )


def told_purge(lines: int, receipts: int, failed: str) -> tuple[str, str]:
    """What a purge came to in a sentence, and why it is no success as a code, if it is none."""
    changed = f"{_many(lines, 'line')} taken out of transcripts, {_many(receipts, 'receipt')} changed"
    if failed:
        return f"not all could be changed ({failed}): {changed}; see to the disk and order it again", failed
    if not lines and not receipts:
        return "nobody of that id is on record; name one that receipts have in personId", "nobody"
    return changed, ""


def _many(count: float, noun: str) -> str:
    return f"{count:g} {noun}" if count == 1 else f"{count:g} {noun}s"


def _names_a_stay(order: Order) -> bool:
    return (
        isinstance(order, SayOrdered | HushOrdered | InterruptOrdered | WithdrawOrdered)
        and order.stay is not None
    )


def _done(text: str, **facts: str | int | None) -> OrderAnswer:
    known = {key: fact for key, fact in facts.items() if fact is not None}
    return OrderAnswer(result=OrderResult.DONE, code=DONE, text=text, facts=known)


def _gone(code: str, text: str) -> OrderAnswer:
    return OrderAnswer(result=OrderResult.GONE, code=code, text=text)


def _joined(joined: JoinAnswer) -> OrderAnswer:
    if isinstance(joined, JoinRefused):
        why = f" ({in_words(joined.detail)})" if joined.detail else ""
        return refusal(joined.reason.value, f"{_STAYED_AWAY[joined.reason]}{why}")
    return _done(
        f"he is in room {_called(joined.name, joined.room)}",
        room=joined.room,
        stay=joined.stay,
        name=joined.name or None,
    )


def _left(answer: LeaveAnswered, *, named: bool) -> OrderAnswer:
    match answer.refused:
        case None:
            where = "" if answer.room is None else f" room {_called(answer.name, answer.room)}"
            return _done(f"he is leaving{where}", room=answer.room, name=answer.name or None)
        case RefusedLeave.NOT_IN_VOICE:
            return _gone(answer.refused.value, _NO_SUCH if named else _NOWHERE)
        case RefusedLeave.AUTHORITY:
            return refusal(answer.refused.value, "he may not be told to leave from here")
        case _:
            assert_never(answer.refused)


def _called(name: str, room: str) -> str:
    """A room by what people call it, if that can be shown anywhere."""
    return name if name and name.isprintable() else room


def _restarted(answer: RestartAnswered) -> OrderAnswer:
    if answer.restarted:
        return _done(f"{answer.path} has begun a new life{_taken_along(answer)}", path=answer.path)
    if "/" not in answer.path:
        return refusal("not_restarted", "that is the whole house; close it, and start it again")
    text = "nobody at that path can be started again; see the tree for who is there"
    return refusal("not_restarted", text)


def _taken_along(answer: RestartAnswered) -> str:
    many = sum(path.rpartition("/")[0].endswith("/stays") for path in answer.ended)
    return f"; {_many(many, 'stay')} ended with it, and clankie ctl join has him come back" if many else ""


def _flushed(answer: Flushed) -> OrderAnswer:
    receipts = _many(answer.lost, "receipt")
    if answer.failed:
        text = f"not all is on disk ({answer.failed}): {receipts} could not be written; see to the disk"
        facts = {"lost": answer.lost}
        return OrderAnswer(result=OrderResult.REFUSED, code=answer.failed, text=text, facts=facts)
    lost = f"; {receipts} could not be written before" if answer.lost else ""
    return _done(f"what was recorded is on disk{lost}", lost=answer.lost)


def _purged(answer: Purged) -> OrderAnswer:
    facts = {"lines": answer.lines, "receipts": answer.receipts}
    text, code = told_purge(answer.lines, answer.receipts, answer.failed)
    if not code:
        return _done(text, **facts)
    return OrderAnswer(result=OrderResult.REFUSED, code=code, text=text, facts=facts)


def _in_stay(order: Order, answer: StayOrderAnswered) -> OrderAnswer:
    if answer.code is OrderCode.DONE:
        return _done(_was_done(order), stay=answer.stay)
    text = _IN_STAY[answer.code]
    if answer.code is OrderCode.NOTHING_TO_DO:
        text = _nothing_to_do(order)
    elif answer.code is OrderCode.NO_STAY and answer.stay is None and not _names_a_stay(order):
        text = _NOWHERE
    elif answer.code is OrderCode.BUSY and isinstance(order, SayOrdered):
        text = "enough waits to be said already; try again later, or drop it all: clankie ctl interrupt"
    return _gone(answer.code.value, text) if answer.code in _GONE else refusal(answer.code.value, text)


def _was_done(order: Order) -> str:
    match order:
        case SayOrdered():
            return "he will say it as soon as the floor is free"
        case HushOrdered(seconds=0):
            return "he may speak again"
        case HushOrdered(seconds=seconds):
            return f"he is silent for {_many(seconds, 'second')}"
        case InterruptOrdered():
            return "he has stopped, and what waited to be said is dropped"
        case _:
            return "that person is heard no longer"


def _nothing_to_do(order: Order) -> str:
    match order:
        case WithdrawOrdered():
            return "that person was not heard"
        case SayOrdered():
            return "nothing in it can be spoken; write letters or digits"
        case HushOrdered():
            return "nobody has told him to be silent"
        case _:
            return "he was saying nothing"
