"""Who asks is settled before anything is done for him: his guild is the room's, his roles are today's."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.gateway.decisions import AnswerAskers, Decision, LookUp, Step, Wake
from actors.gateway.errands import LookingUp
from actors.gateway.state import State
from messages.authority import Tier
from messages.captain import AskersKnown
from messages.gateway import Asker, RolesKnown, RolesOverdue, WhoAsks
from messages.ids import NO_GUILD, GuildId, PersonId, RoleId
from messages.people import Person

MOST_LOOKED_UP: Final = 64
"""So many hand-offs may wait for roles; for those on top nobody has any."""
LOOK_UP_SECONDS: Final = 3.0
_NO_ROLES: Final = frozenset[RoleId]()


def asked(state: State, event: WhoAsks) -> Step:
    """Roles are learnt only where one could raise somebody; where they cannot be, he has none."""
    room = state.rooms.get(event.room)
    guild = NO_GUILD if room is None else room.guild
    one = LookingUp(
        handoff=event.handoff,
        guild=guild,
        people=event.people,
        missing=frozenset(one.id for one in event.people if _may_be_raised(state, one, guild)),
        reply_to=event.reply_to,
    )
    waiting = state.errands.looking_up
    if not one.missing or not state.ready or len(waiting) >= MOST_LOOKED_UP:
        return state, (_answer(one),)
    under_way = {(other.guild, person) for other in waiting for person in other.missing}
    orders = tuple(
        LookUp(guild=guild, person=person)
        for person in sorted(one.missing)
        if (guild, person) not in under_way
    )
    overdue = Wake(seconds=LOOK_UP_SECONDS, message=RolesOverdue(handoff=one.handoff))
    return _with(state, (*waiting, one)), (*orders, overdue)


def _may_be_raised(state: State, person: Person, guild: GuildId) -> bool:
    law = state.authority
    if person.bot or guild == NO_GUILD or not law.roles:
        return False
    return law.tier(person.id, _NO_ROLES) is Tier.EVERYONE


def known(state: State, event: RolesKnown) -> Step:
    """One look at somebody is for every hand-off that waits for him in this guild."""
    waiting: list[LookingUp] = []
    answers: list[Decision] = []
    for one in state.errands.looking_up:
        learnt = _learnt(one, event)
        if learnt.missing:
            waiting.append(learnt)
        else:
            answers.append(_answer(learnt))
    return _with(state, tuple(waiting)), tuple(answers)


def _learnt(one: LookingUp, event: RolesKnown) -> LookingUp:
    if one.guild != event.guild or event.person not in one.missing:
        return one
    roles = {**one.roles, event.person: event.roles or _NO_ROLES}
    return replace(one, missing=one.missing - {event.person}, roles=roles)


def overdue(state: State, event: RolesOverdue) -> Step:
    """Who is still unknown has no roles."""
    late = tuple(one for one in state.errands.looking_up if one.handoff == event.handoff)
    others = tuple(one for one in state.errands.looking_up if one.handoff != event.handoff)
    return _with(state, others), tuple(map(_answer, late))


def given_up(state: State) -> Step:
    """The account is gone, or this life ends: nobody will learn anything more."""
    return _with(state, ()), tuple(map(_answer, state.errands.looking_up))


def _with(state: State, waiting: tuple[LookingUp, ...]) -> State:
    return replace(state, errands=replace(state.errands, looking_up=waiting))


def _answer(one: LookingUp) -> AnswerAskers:
    askers = tuple(
        Asker(person=person, guild=one.guild, roles=_roles_of(one, person.id)) for person in one.people
    )
    return AnswerAskers(asker=one.reply_to, answer=AskersKnown(handoff=one.handoff, askers=askers))


def _roles_of(one: LookingUp, person: PersonId) -> frozenset[RoleId]:
    return one.roles.get(person, _NO_ROLES)
