"""What the same people add joins the turn that is at work for them, and nobody else's words ever do."""

from __future__ import annotations

from dataclasses import replace

from actors.captain import answers, ending
from actors.captain.decisions import Tell
from actors.captain.journalling import begun as write_begun
from actors.captain.journalling import heard as write_heard
from actors.captain.journalling import lane_of, people_of, surface_of
from actors.captain.state import Heard, State, Turn
from messages.authority import Standing, Surface, Tier
from messages.captain import AskAsOperator, AskCaptain, AskInText, Question
from messages.ids import GuildId, HandoffId, PersonId, RoleId, StayId
from messages.realtime import HandoffMerged

MOST_JOINED = 16
"""Questions of one turn; who asks more before it is over is told that he is busy."""


def asked(state: State, question: Question) -> State:
    """A question joins the turn of the same people, or waits for its own; a repeated one is no news."""
    if state.turn_with(question.handoff) is not None:
        return state
    heard = Heard(question=question, at=state.now)
    state = answers.began(state, heard)
    surface, lane = surface_of(question), lane_of(question)
    turns = [turn for turn in state.turns if turn.lane == lane]
    theirs = next((turn for turn in turns if _who(turn.first) == _who(question)), None)
    if theirs is not None and surface is not Surface.MEMBERSHIP and len(theirs.heard) < MOST_JOINED:
        return _joined(state, theirs, heard)
    standing = Standing(tier=Tier.EVERYONE, surface=surface)
    turn = Turn(id=question.handoff, lane=lane, standing=standing, heard=(heard,))
    # Also what only waits is told of, if the house is killed meanwhile.
    state = write_begun(replace(state, turns=(*state.turns, turn)), turn)
    if surface is Surface.MEMBERSHIP:
        return ending.failed(state, turn, "nobody_asked")
    if theirs is not None or len(turns) > state.settings.lane_waiting:
        return ending.failed(state, turn, "busy")
    return state


def take_back(state: State, handoff: HandoffId) -> State:
    """A turn of which nothing is wanted any more ends; of several questions only one that is unread goes."""
    turn = state.turn_with(handoff)
    if turn is None:
        return state
    marked = tuple(
        replace(one, unwanted=True) if one.question.handoff == handoff else one for one in turn.heard
    )
    turn = replace(turn, heard=marked)
    if all(one.unwanted for one in marked):
        return ending.taken_back(state, turn)
    mine = next(one for one in marked if one.question.handoff == handoff)
    # What was said aloud first stands for those that were merged into it.
    stands = isinstance(mine.question, AskCaptain) and mine is marked[0]
    if mine.handed or stands:
        return state.with_turn(turn)
    return ending.one_taken_back(state, turn, mine)


def forgotten(state: State, person: PersonId) -> State:
    """Every turn that this person asks for ends without an answer."""
    for turn in state.turns:
        if any(one.id == person for heard in turn.heard for one in people_of(heard.question)):
            state = ending.taken_back(state, turn)
    return state


def _joined(state: State, turn: Turn, heard: Heard) -> State:
    """The mind reads it before its next step; what was asked aloud is settled at once."""
    question = heard.question
    state = state.with_turn(replace(turn, heard=(*turn.heard, heard)))
    state = write_heard(state, turn, question, into=turn.id)
    if isinstance(question, AskCaptain):
        merged = HandoffMerged(handoff=question.handoff, into=turn.id)
        state = state.do(Tell(mailbox=question.reply_to, message=merged))
    return state


def _who(
    question: Question,
) -> tuple[frozenset[PersonId], StayId | None, GuildId | None, frozenset[RoleId]]:
    """Whose words these are, and with which rights they were written; the operator is one."""
    people = frozenset(person.id for person in people_of(question))
    if isinstance(question, AskInText):
        return people, None, question.guild, question.roles
    return people, None if isinstance(question, AskAsOperator) else question.stay, None, frozenset()
