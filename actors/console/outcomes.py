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
_IN_STAY: Final = {
    OrderCode.NO_STAY: "he is in no such room",
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
            return _left(ended.answer)
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


def unanswered(code: str, why: str) -> OrderAnswer:
    """Nobody knows what becomes of it."""
    return OrderAnswer(
        result=OrderResult.PENDING, code=code, text=f"{why}; it may still be done: see the status"
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


def _left(answer: LeaveAnswered) -> OrderAnswer:
    match answer.refused:
        case None:
            where = "" if answer.room is None else f" room {_called(answer.name, answer.room)}"
            return _done(f"he is leaving{where}", room=answer.room, name=answer.name or None)
        case RefusedLeave.NOT_IN_VOICE:
            return _gone(answer.refused.value, "he is in no such room")
        case RefusedLeave.AUTHORITY:
            return refusal(answer.refused.value, "he may not be told to leave from here")
        case _:
            assert_never(answer.refused)


def _called(name: str, room: str) -> str:
    """A room by what people call it, if that can be shown anywhere."""
    return name if name and name.isprintable() else room


def _restarted(answer: RestartAnswered) -> OrderAnswer:
    if answer.restarted:
        return _done(f"{answer.path} has begun a new life", path=answer.path)
    text = "nobody at that path can be started again; see the tree for who is there"
    return refusal("not_restarted", text)


def _flushed(answer: Flushed) -> OrderAnswer:
    lost = f"; {answer.lost} receipts could not be written before" if answer.lost else ""
    return _done(f"what was recorded is on disk{lost}", lost=answer.lost)


def _purged(answer: Purged) -> OrderAnswer:
    facts = {"lines": answer.lines, "receipts": answer.receipts}
    changed = f"{answer.lines} lines taken out of transcripts, {answer.receipts} receipts changed"
    if not answer.failed:
        return _done(changed, **facts)
    text = f"not all could be changed ({answer.failed}): {changed}; see to the disk and order it again"
    return OrderAnswer(result=OrderResult.REFUSED, code=answer.failed, text=text, facts=facts)


def _in_stay(order: Order, answer: StayOrderAnswered) -> OrderAnswer:
    if answer.code is OrderCode.DONE:
        return _done(_was_done(order), stay=answer.stay)
    text = _IN_STAY[answer.code]
    if answer.code is OrderCode.NOTHING_TO_DO:
        text = _nothing_to_do(order)
    return _gone(answer.code.value, text) if answer.code in _GONE else refusal(answer.code.value, text)


def _was_done(order: Order) -> str:
    match order:
        case SayOrdered():
            return "he will say it as soon as the floor is free"
        case HushOrdered(seconds=0):
            return "he may speak again"
        case HushOrdered(seconds=seconds):
            return f"he is silent for {seconds:g} seconds"
        case InterruptOrdered():
            return "he has stopped"
        case _:
            return "that person is heard no longer"


def _nothing_to_do(order: Order) -> str:
    match order:
        case WithdrawOrdered():
            return "that person was not heard"
        case HushOrdered():
            return "nobody has told him to be silent"
        case _:
            return "he was saying nothing"
