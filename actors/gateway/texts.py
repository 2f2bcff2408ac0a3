"""What is written reaches him once: as said in the room that he is in, or else by the text lane."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.gateway import owed, replying
from actors.gateway.admission import Verdict, address, judge, request_of
from actors.gateway.decisions import Post, Record, Step, TellCaptain, Typing, Wake
from actors.gateway.lane import MOST_SEEN, TextLane, Unanswered
from actors.gateway.shortening import MOST_CHARACTERS, shortened
from actors.gateway.state import State
from actors.gateway.telling import tell
from messages.captain import AskInText
from messages.evidence import TextIngress
from messages.gateway import MessageGone, MessageSeen, PostText, TextAnswered, TextOverdue
from messages.ids import RoomId
from messages.stay import PersonTyped

TextNews: TypeAlias = MessageSeen | MessageGone | TextAnswered | TextOverdue | PostText


def heard(state: State, event: TextNews, now: float) -> Step:
    """News of what is written, by others or by him."""
    match event:
        case MessageSeen():
            return _written(state, event, now)
        case TextAnswered():
            return owed.answered(state, event, now)
        case TextOverdue():
            return replying.overdue(state, event.message, now)
        case MessageGone():
            state, told = owed.gone(state, event)
            state, ended = replying.gone(state, event, now)
            return state, (*told, *ended)
        case PostText():
            return state, (_post(event),)
        case _:
            assert_never(event)


def _post(event: PostText) -> Post:
    text = shortened(event.text)
    return Post(room=event.room, text=text, reply_to=event.reply_to, attachments=event.attachments)


# --- what somebody wrote --------------------------------------------------------------------------


def _written(state: State, event: MessageSeen, now: float) -> Step:
    """Words in the chat of the room that he is in count as said there; no message is read twice."""
    if event.person.bot or event.message in state.text.seen:
        return state, ()
    seen = (*state.text.seen, event.message)[-MOST_SEEN:]
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
        handoff=replying.handoff_of(event.message),
        room=event.room,
        message=event.message,
        asker=event.person,
        request=request_of(lane, event)[:MOST_CHARACTERS],
        guild=event.guild,
        roles=event.roles,
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
