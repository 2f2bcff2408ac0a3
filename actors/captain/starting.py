"""A turn starts with the authority of whoever asked, as it is at that moment, and keeps it to the end."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.captain import thinking, tools
from actors.captain.brief import Brief
from actors.captain.decisions import Begin, TellGateway
from actors.captain.journalling import history, people_of
from actors.captain.state import Stage, State, Turn
from messages.authority import Standing, Surface, Tier
from messages.captain import AskAsOperator, AskCaptain, AskersKnown, AskInText
from messages.gateway import Asker, WhoAsks
from messages.ids import NO_GUILD
from messages.people import Person

WHO_SECONDS = 5.0
"""How long a turn waits to learn which roles its askers have."""


def start_next(state: State) -> State:
    """Start the first turn of every lane in which none is at work."""
    busy = {turn.lane for turn in state.turns if turn.at_work}
    for turn in state.turns:
        if turn.lane not in busy:
            busy.add(turn.lane)
            state = _start(state, turn)
    return state


def known(state: State, event: AskersKnown) -> State:
    """These are the guild and the roles; whoever is not among them has neither."""
    turn = state.turn(event.handoff)
    if turn is None or turn.stage is not Stage.IDENTIFYING:
        return state
    found = {one.person.id: one for one in event.askers}
    people = people_of(turn.first)
    return _identified(state, turn, tuple(found.get(person.id, _nobody(person)) for person in people))


def unknown(state: State, turn: Turn) -> State:
    """Nobody has said in time who they are: they may do least."""
    return _identified(state, turn, tuple(_nobody(person) for person in people_of(turn.first)))


def _start(state: State, turn: Turn) -> State:
    turn = replace(
        turn,
        stage=Stage.IDENTIFYING,
        history=history(state, turn.lane),
        started_at=state.now,
        news_at=state.now,
        due=state.now + WHO_SECONDS,
    )
    state = state.with_turn(turn)
    match turn.first:
        case AskCaptain() as question:
            who = WhoAsks(
                handoff=turn.id, room=question.room, people=people_of(question), reply_to=state.here
            )
            return state.do(TellGateway(message=who))
        case AskInText() as question:
            guild = question.guild or NO_GUILD
            asker = Asker(person=question.asker, guild=guild, roles=question.roles if guild else frozenset())
            return _identified(state, turn, (asker,))
        case AskAsOperator():
            return _identified(state, turn, ())
        case _:
            assert_never(turn.first)


def _identified(state: State, turn: Turn, askers: tuple[Asker, ...]) -> State:
    operator = turn.surface is Surface.OPERATOR
    tier = Tier.OWNER if operator else state.authority.least(askers)
    standing = Standing(tier=tier, surface=turn.surface)
    house, machines = tools.offered(
        state.authority,
        standing,
        message=turn.message is not None,
        placed=turn.surface is Surface.TEXT or any(one.guild for one in askers),
        machines=state.all_machines(),
        servers=state.settings.mcp,
    )
    turn = replace(turn, askers=askers, standing=standing, tools=house, news_at=state.now)
    brief = Brief(
        turn=turn.id,
        surface=turn.surface,
        persona=state.persona,
        asked=tuple(thinking.asked(one.question) for one in turn.heard),
        history=turn.history,
        tools=house,
        machines=machines,
    )
    handed = replace(turn, heard=tuple(replace(one, handed=True) for one in turn.heard))
    return thinking.think(state.with_turn(handed).do(Begin(brief=brief)), handed, ())


def _nobody(person: Person) -> Asker:
    return Asker(person=person, guild=NO_GUILD)
