"""What a person may ask about himself: to be heard, to be forgotten, and how things are."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.decisions import AnswerConsent, AnswerStatus, Step, TellCaptain
from actors.gateway.passing import Purge
from actors.gateway.state import State, StayAt
from actors.gateway.telling import tell
from messages.captain import ForgetInMind, NotesAsked
from messages.evidence import PurgePerson
from messages.gateway import (
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    ForgetAsked,
    MemoriesAsked,
    StatusAnswered,
    StatusAsked,
    StayFacts,
)
from messages.ids import GuildId, PersonId
from messages.stay import ConsentGiven, ConsentWithdrawn

_REMEMBERED = 10_000


def consent(state: State, event: ConsentAsked) -> Step:
    """Who is in his room can be heard; who will not be can say so from anywhere, and it is remembered."""
    stay, guild = _concerned(state, event)
    if event.granted:
        outcome, (state, told) = _grant(state, stay, event.person)
    else:
        outcome = ConsentOutcome.NO_STAY if guild is None else ConsentOutcome.WITHDRAWN
        state, told = (state, ()) if guild is None else withdraw(state, guild, event.person, forget=False)
    if event.reply_to is None:
        return state, told
    answer = ConsentAnswered(outcome=outcome, room=None if stay is None else stay.room)
    return state, (*told, AnswerConsent(asker=event.reply_to, answer=answer))


def _concerned(state: State, event: ConsentAsked) -> tuple[StayAt | None, GuildId | None]:
    """Return the stay that is meant, and the guild: of the room, else as given, else where the person is."""
    if event.room is not None:
        room = state.rooms.get(event.room)
        return state.at(event.room), event.guild if room is None else room.guild
    if event.guild is not None:
        return state.in_guild(event.guild), event.guild
    with_him = (stay for stay in state.stays if state.is_in(event.person, stay.room))
    stay = next(with_him, None)
    return stay, None if stay is None else stay.guild


def _grant(state: State, stay: StayAt | None, person: PersonId) -> tuple[ConsentOutcome, Step]:
    if stay is None or stay.is_leaving():
        return ConsentOutcome.NO_STAY, (state, ())
    if not state.is_in(person, stay.room):
        return ConsentOutcome.NOT_IN_ROOM, (state, ())
    state = replace(state, refused=tuple(one for one in state.refused if one != (stay.guild, person)))
    if stay.mailbox is None and person not in stay.consents:
        state = state.with_stay(replace(stay, consents=(*stay.consents, person)))
    return ConsentOutcome.GRANTED, (state, tell(stay, ConsentGiven(person=person)))


def withdraw(state: State, guild: GuildId, person: PersonId, *, forget: bool) -> Step:
    """He is not heard in this guild until he says otherwise, whatever the policy and whoever comes."""
    state = refuse(state, guild, person)
    stay = state.in_guild(guild)
    if stay is None:
        return state, ()
    left = tuple(one for one in stay.consents if one != person)
    state = state.with_stay(replace(stay, consents=left))
    return state, tell(stay, ConsentWithdrawn(person=person, forget=forget))


def refuse(state: State, guild: GuildId, person: PersonId) -> State:
    """Nobody but he himself opens his microphone in this guild again."""
    others = tuple(one for one in state.refused if one != (guild, person))
    return replace(state, refused=(*others, (guild, person))[-_REMEMBERED:])


def forget(state: State, event: ForgetAsked) -> Step:
    """Also who was not heard any more may have said something; the captain answers, who remembers longest.

    The record gives up his words as well; what it proves has none.
    """
    person, guild = event.asker.person.id, event.asker.guild
    was_heard = _is_heard(state.in_guild(guild), person)
    state, told = withdraw(state, guild, person, forget=True)
    in_mind = ForgetInMind(person=person, was_heard=was_heard, reply_to=event.reply_to)
    kept = Purge(message=PurgePerson(person=person, receipts=False))
    return state, (*told, kept, TellCaptain(message=in_mind))


def memories(state: State, event: MemoriesAsked) -> Step:
    """The captain keeps the notes, and shows nobody those about another."""
    notes = NotesAsked(person=event.asker.person.id, reply_to=event.reply_to)
    return state, (TellCaptain(message=notes),)


def status(state: State, event: StatusAsked) -> Step:
    """How he is in the asker's guild; what a stay has not told yet is little, and is said all the same."""
    stay = state.in_guild(event.asker.guild)
    answer = StatusAnswered(
        facts=None if stay is None else stay.facts or _not_told_yet(state, stay),
        asker_heard=_is_heard(stay, event.asker.person.id),
    )
    return state, (AnswerStatus(asker=event.reply_to, answer=answer),)


def _is_heard(stay: StayAt | None, person: PersonId) -> bool:
    return stay is not None and stay.facts is not None and person in stay.facts.heard


def _not_told_yet(state: State, stay: StayAt) -> StayFacts:
    humans = sum(not one.bot for one in state.people.get(stay.room, ()))
    return StayFacts(
        stay=stay.stay,
        room=stay.room,
        phase="joining",
        encryption="",
        privacy_code="",
        humans=humans,
        heard=(),
    )
