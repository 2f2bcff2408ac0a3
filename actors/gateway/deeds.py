"""A deed is looked at once more where it is done: who asked, whether it may be there, and on what."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias, assert_never

from actors.gateway import admission
from actors.gateway.decisions import AnswerDeed, Do, Step, Wake
from actors.gateway.errands import BeingDone
from actors.gateway.shortening import shortened
from actors.gateway.state import State
from messages.authority import Need, Ruling, Sort, Standing, Surface
from messages.gateway import DeedAnswered, DeedAsked, DeedDone, DeedOverdue
from messages.ids import NO_GUILD, DeedId
from messages.tools import LONGEST_UPDATE, Deed, SendUpdate

DeedNews: TypeAlias = DeedAsked | DeedDone | DeedOverdue
MOST_DEEDS: Final = 64
DEED_SECONDS: Final = 15.0
_SOCIAL: Final = Need(sort=Sort.SOCIAL)


def heard(state: State, event: DeedNews) -> Step:
    """An order to do something, or what came of one."""
    match event:
        case DeedAsked():
            refused = _refused(state, event)
            if refused:
                answer = DeedAnswered(refused=refused)
                return state, (AnswerDeed(asker=event.reply_to, answer=answer),)
            return _begun(state, event)
        case DeedDone():
            return _over(state, event.deed, event.failed)
        case DeedOverdue():
            return _over(state, event.deed, "timeout")
        case _:
            assert_never(event)


def _refused(state: State, event: DeedAsked) -> str:
    """Authority, readiness, what it is about, the text policy, what is left of it, too many at once."""
    if not _may_ask(state, event):
        return "authority"
    if not state.ready:
        return "account_not_ready"
    if event.message is None and not isinstance(event.deed, SendUpdate):
        return "no_trigger"
    if not _may_be_there(state, event):
        return "forbidden"
    if isinstance(event.deed, SendUpdate) and not event.deed.text.strip():
        return "refused"
    if event.message in state.text.seen and not _waits(state, event):
        # Answered, given up or taken back: nothing more is done about it.
        return "gone"
    return "busy" if len(state.errands.deeds) >= MOST_DEEDS else ""


def _may_ask(state: State, event: DeedAsked) -> bool:
    standing = Standing(tier=state.authority.least(event.askers), surface=event.surface)
    return bool(event.askers) and state.authority.rule(_SOCIAL, standing) is Ruling.ALLOWED


def _may_be_there(state: State, event: DeedAsked) -> bool:
    """What was admitted is; an earlier life's is judged anew; aloud it is the chat of the room he is in."""
    if event.surface is not Surface.TEXT or event.message is None:
        return event.surface is not Surface.TEXT and state.at(event.room) is not None
    if _waits(state, event):
        return True
    guilds = {one.guild for one in event.askers}
    first = event.askers[0]
    guild = None if first.guild == NO_GUILD else first.guild
    return len(guilds) == 1 and not admission.forbidden(state, guild, first.person.id, event.room)


def _waits(state: State, event: DeedAsked) -> bool:
    one = None if event.message is None else state.text.unanswered(event.message)
    return one is not None and one.room == event.room


def _begun(state: State, event: DeedAsked) -> Step:
    number = state.errands.begun + 1
    name = DeedId(f"{state.errands.life}-{number}")
    deeds = (*state.errands.deeds, BeingDone(deed=name, reply_to=event.reply_to))
    state = replace(state, errands=replace(state.errands, deeds=deeds, begun=number))
    order = Do(name=name, deed=_bounded(event.deed), room=event.room, message=event.message)
    return state, (order, Wake(seconds=DEED_SECONDS, message=DeedOverdue(deed=name)))


def _bounded(deed: Deed) -> Deed:
    return SendUpdate(text=shortened(deed.text, LONGEST_UPDATE)) if isinstance(deed, SendUpdate) else deed


def _over(state: State, name: DeedId, refused: str) -> Step:
    """Whoever is told too late is told nothing."""
    deeds = state.errands.deeds
    answers = tuple(_answer(one, refused) for one in deeds if one.deed == name)
    others = tuple(one for one in deeds if one.deed != name)
    return replace(state, errands=replace(state.errands, deeds=others)), answers


def given_up(state: State) -> Step:
    """The account is gone, or this life ends: nobody will say what came of them."""
    answers = tuple(_answer(one, "gateway_lost") for one in state.errands.deeds)
    return replace(state, errands=replace(state.errands, deeds=())), answers


def _answer(one: BeingDone, refused: str) -> AnswerDeed:
    return AnswerDeed(asker=one.reply_to, answer=DeedAnswered(refused=refused))
