"""Of all that waits for a turn, the next one, when there is room for it."""

from __future__ import annotations

from dataclasses import replace

from actors.floor import voices
from actors.floor.company import without_wish
from actors.floor.decisions import Record, TellRealtime
from actors.floor.lines import mint
from actors.floor.state import State
from actors.floor.turns import Saying, Turn, Wish
from messages import evidence
from messages.floor import Trigger
from messages.ids import TurnId
from messages.people import Line
from messages.realtime import TurnAsked


def ask_next(state: State) -> State:
    """Ask for one turn if none is in flight, nothing of his is on its way, and something may be asked now.

    It is quiet once the last words are understood, too: they may be a question, which is answered first.
    """
    state = _moment_passed(state)
    if state.busy() or state.leaving:
        return state
    settings, quiet = state.settings, not state.voices
    if state.sayings and (quiet or state.now >= state.sayings[0].since + settings.quiet_wait):
        return _ask_saying(replace(state, sayings=state.sayings[1:]), state.sayings[0])
    if state.hushed_until is not None:
        return state
    wish = state.wish
    if state.greeting is not None and (quiet or state.now >= state.greeting + settings.quiet_wait):
        return _speakerless(replace(state, greeting=None), Trigger.GREETING)
    if wish is not None:
        return _ask_wish(state, wish) if _may_be_asked(state, wish, quiet) else state
    return _ask_of_itself(state, quiet)


def _ask_of_itself(state: State, quiet: bool) -> State:
    """What nobody has just said asks for a turn: a result, a coming or going, dead air.

    A result waits until he knows that nobody is left to hear it.
    """
    settings, since, due = state.settings, state.membership.since, state.membership.due
    if state.now < state.held_until:
        return state
    told_first = since is not None and state.roster is not None and not state.humans()
    if state.results and not told_first and (quiet or state.now >= state.results_since + settings.quiet_wait):
        return _speakerless(replace(state, results=()), Trigger.HANDOFF_RESULT)
    if since is not None and state.now >= due and (quiet or state.now >= since + settings.membership_wait):
        return _speakerless(replace(state, membership=state.membership.told(state.now)), Trigger.MEMBERSHIP)
    if quiet and any(state.now >= moment for moment in fillers_at(state)):
        works = tuple(replace(work, spoken=True) for work in state.works)
        return _speakerless(replace(state, works=works), Trigger.HANDOFF_WAIT)
    return state


def fillers_at(state: State) -> tuple[float, ...]:
    """When silent work becomes dead air."""
    return tuple(work.began + state.settings.filler_after for work in state.works if not work.spoken)


def waits_until(state: State) -> tuple[float, ...]:
    """The moments at which something that waits may be asked, though the room be loud."""
    settings, membership = state.settings, state.membership
    moments = [*fillers_at(state), state.held_until]
    if state.sayings:
        moments.append(state.sayings[0].since + settings.quiet_wait)
    if state.hushed_until is not None:
        moments.append(state.hushed_until)
    if state.greeting is not None:
        moments.append(state.greeting + settings.quiet_wait)
    if state.wish is not None:
        moments += [state.wish.since + settings.same_speaker_wait, state.wish.since + settings.quiet_wait]
    if state.results:
        moments.append(state.results_since + settings.quiet_wait)
    if membership.since is not None:
        moments += [membership.due, membership.since + settings.membership_wait]
    return tuple(moments)


def _may_be_asked(state: State, wish: Wish, quiet: bool) -> bool:
    """Unasked words need a silence; others wait a little for the same people to finish going on.

    Whoever writes on and on is not answered again and again over somebody who speaks, but in the end he is.
    """
    if wish.trigger is Trigger.VOLITION:
        return quiet
    if wish.trigger is Trigger.TYPED and state.answered_typed:
        return quiet or state.now >= wish.since + state.settings.quiet_wait
    waited = state.now >= wish.since + state.settings.same_speaker_wait
    return waited or not voices.goes_on(state.voices, wish.people())


def _moment_passed(state: State) -> State:
    """What he might have said unasked is not worth saying later."""
    wish = state.wish
    if wish is None or wish.trigger is not Trigger.VOLITION:
        return state
    return without_wish(state) if state.now >= wish.since + state.settings.quiet_wait else state


def _ask_wish(state: State, wish: Wish) -> State:
    if wish.trigger is Trigger.VOLITION:
        receipt = evidence.Volition(stay_id=state.stay, outcome="offered", turn_id=wish.turn)
        state = replace(state, volition=state.volition.offered(state.now)).do(Record(receipt=receipt))
    return _ask(replace(state, wish=None), wish.turn, wish.trigger, wish.lines, again=wish.again)


def _ask_saying(state: State, saying: Saying) -> State:
    state, turn = mint(state)
    return _ask(state, turn, Trigger.OPERATOR, (), again=saying.again, saying=saying.text)


def _speakerless(state: State, trigger: Trigger) -> State:
    state, turn = mint(state)
    return _ask(state, turn, trigger, (), again=False)


def _ask(
    state: State, turn: TurnId, trigger: Trigger, lines: tuple[Line, ...], *, again: bool, saying: str = ""
) -> State:
    flight = Turn(
        id=turn,
        trigger=trigger,
        lines=lines,
        asked=state.now,
        again=again,
        saying=saying,
        give_up_at=state.now + state.settings.answer_limit,
    )
    receipt = evidence.ModelResponse(
        stay_id=state.stay, turn_id=turn, phase="requested", trigger=trigger.value
    )
    asked = TurnAsked(turn=turn, trigger=trigger, lines=lines, saying=saying, life=state.conversation)
    return replace(state, flight=flight, answered_typed=trigger is Trigger.TYPED).do(
        TellRealtime(message=asked),
        Record(receipt=receipt),
    )
