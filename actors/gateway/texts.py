"""What is written reaches him once: as said in the room that he is in, or else by the text lane."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.gateway.admission import Verdict, address, judge, request_of
from actors.gateway.decisions import Decision, Post, Record, Step, TellCaptain, Typing, Wake
from actors.gateway.lane import TextLane, Unanswered
from actors.gateway.state import State
from actors.gateway.telling import tell
from messages.captain import AskInText
from messages.evidence import TextIngress, TextReply
from messages.gateway import MessageSeen, PostText, TextAnswered, TextOverdue
from messages.ids import HandoffId, RoomId
from messages.stay import PersonTyped

TextNews: TypeAlias = MessageSeen | TextAnswered | TextOverdue | PostText
MOST_CHARACTERS = 2_000
NOTICE = "I could not find an answer just now. Please ask me again in a while."
NOTICE_SECONDS = 300.0
"""A room is not told more often than this that something went wrong."""
_REMEMBERED = 500
_MOST_ENGAGED = 500
_LONGEST_REASON = 64


def shortened(text: str) -> str:
    """At most 2,000 characters; what is longer ends between two words, with an ellipsis."""
    text = text.strip()
    if len(text) <= MOST_CHARACTERS:
        return text
    kept = text[: MOST_CHARACTERS - 1]
    if not text[MOST_CHARACTERS - 1].isspace():
        whole = kept.rsplit(maxsplit=1)[0]
        # Not every script has spaces between words.
        kept = whole if len(whole) > MOST_CHARACTERS // 2 else kept
    return f"{kept.rstrip()}…"


def heard(state: State, event: TextNews, now: float) -> Step:
    """News of what is written, by others or by him."""
    match event:
        case MessageSeen():
            return _written(state, event, now)
        case TextAnswered():
            return _answered(state, event, now)
        case TextOverdue():
            one = state.text.unanswered(event.message)
            return (state, ()) if one is None else _failed(state, one, "overdue", now)
        case PostText():
            return state, (Post(room=event.room, text=shortened(event.text), reply_to=event.reply_to),)
        case _:
            assert_never(event)


# --- what somebody wrote --------------------------------------------------------------------------


def _written(state: State, event: MessageSeen, now: float) -> Step:
    """Words in the chat of the room that he is in count as said there; no message is read twice."""
    if event.person.bot or event.message in state.text.seen:
        return state, ()
    seen = (*state.text.seen, event.message)[-_REMEMBERED:]
    state = replace(state, text=replace(state.text, seen=seen))
    if not event.text.strip() and not event.images:
        return _dropped(state, event, "empty")
    stay = state.at(event.room)
    if stay is not None and stay.is_active() and not event.images:
        typed = PersonTyped(person=event.person, text=event.text)
        return state, (_ingress(event, "floor", "own_room"), *tell(stay, typed))
    verdict = judge(state, event)
    state = replace(state, text=_followed(state.text, event.room))
    return _admitted(state, event, verdict, now) if verdict.admitted else _dropped(state, event, verdict.rule)


def _followed(lane: TextLane, room: RoomId) -> TextLane:
    """One message fewer of those that he reads whoever they are for."""
    left = lane.engaged.get(room, 0) - 1
    others = {name: count for name, count in lane.engaged.items() if name != room}
    return replace(lane, engaged={**others, room: left} if left > 0 else others)


def _admitted(state: State, event: MessageSeen, verdict: Verdict, now: float) -> Step:
    lane = state.text
    waiting = (*lane.waiting, Unanswered(message=event.message, room=event.room, since=now))
    question = AskInText(
        handoff=HandoffId(f"text-{event.message}"),
        room=event.room,
        message=event.message,
        asker=event.person,
        request=request_of(lane, event)[:MOST_CHARACTERS],
    )
    overdue = TextOverdue(message=event.message)
    return replace(state, text=replace(lane, waiting=waiting)), (
        _ingress(event, "admitted", verdict.rule),
        TellCaptain(message=question),
        Typing(room=event.room, on=True),
        Wake(seconds=lane.settings.answer_seconds, message=overdue),
    )


def _dropped(state: State, event: MessageSeen, rule: str) -> Step:
    """On record only if he was meant, or would have read it: what others talk about is nobody's business."""
    if rule == "full":
        state = replace(state, text=replace(state.text, dropped=state.text.dropped + 1))
    noted = rule == "full" or address(state.text, event)
    return state, (_ingress(event, "dropped", rule),) if noted else ()


def _ingress(event: MessageSeen, outcome: str, rule: str) -> Record:
    return Record(
        receipt=TextIngress(
            message_id=event.message,
            room_id=event.room,
            person_id=event.person.id,
            outcome=outcome,
            reason=rule,
            characters=len(event.text),
        )
    )


# --- what came of it ------------------------------------------------------------------------------


def _answered(state: State, event: TextAnswered, now: float) -> Step:
    """An answer is given where it was asked for, and once; silence is one."""
    one = state.text.unanswered(event.message)
    if one is None:
        return state, ()
    if event.failed:
        return _failed(state, one, event.failed, now)
    text = shortened(event.text)
    if not text:
        return _over(state, one, _reply(one, "silent", now))
    others = {room: left for room, left in state.text.engaged.items() if room != one.room}
    if engaged := state.text.settings.engaged_messages:
        kept = dict(list(others.items())[1 - _MOST_ENGAGED :])
        others = {**kept, one.room: engaged}
    state = replace(state, text=replace(state.text, engaged=others))
    posted = Post(room=one.room, text=text, reply_to=one.message)
    return _over(state, one, posted, _reply(one, "posted", now, characters=len(text)))


def given_up(state: State, reason: str, now: float) -> Step:
    """The account is gone, or this life ends: what waits has failed, and nobody can be told."""
    records = tuple(_reply(one, "failed", now, reason=reason) for one in state.text.waiting)
    return replace(state, text=replace(state.text, waiting=())), records


def _failed(state: State, one: Unanswered, reason: str, now: float) -> Step:
    """A room is told once in a while, and not that he is busy: there is enough to read then."""
    reply = _reply(one, "failed", now, reason=reason[:_LONGEST_REASON])
    recent = {room: at for room, at in state.text.noticed.items() if now - at < NOTICE_SECONDS}
    if reason == "busy" or one.room in recent:
        return _over(state, one, reply)
    state = replace(state, text=replace(state.text, noticed={**recent, one.room: now}))
    return _over(state, one, Post(room=one.room, text=NOTICE, reply_to=one.message), reply)


def _over(state: State, one: Unanswered, *decisions: Decision) -> Step:
    lane = replace(state.text, waiting=tuple(other for other in state.text.waiting if other != one))
    quiet = () if lane.waits(one.room) else (Typing(room=one.room, on=False),)
    return replace(state, text=lane), (*decisions, *quiet)


def _reply(
    one: Unanswered, outcome: str, now: float, characters: int = 0, reason: str | None = None
) -> Record:
    return Record(
        receipt=TextReply(
            message_id=one.message,
            room_id=one.room,
            outcome=outcome,
            latency_ms=round(1000 * (now - one.since)),
            characters=characters,
            reason=reason,
        )
    )
