"""Every final line gets a decision, and the decision has a reason."""

from __future__ import annotations

from dataclasses import replace

from actors.floor.addressing import HeardAs
from actors.floor.barge_in import CutRule, find_cutter
from actors.floor.decisions import Record, TellRealtime
from actors.floor.echo import is_echo
from actors.floor.engagement import Verdict, judge
from actors.floor.state import Decided, State
from actors.floor.turns import Wish, joined, shed
from actors.floor.understanding import Heard, hear
from messages import evidence
from messages.floor import Trigger, WordsHeard
from messages.ids import LineId, PersonId, TurnId
from messages.people import Line, LineSource
from messages.realtime import LineOverheard

RECENT = 5
_TURNS = {
    Verdict.WAKE: Trigger.ADDRESS,
    Verdict.HOLD: Trigger.ADDRESS,
    Verdict.OFFER: Trigger.OFFER,
    Verdict.VOLITION: Trigger.VOLITION,
}
_HUSHED = (Verdict.IGNORE, "hushed")
"""What becomes of any line as long as the operator wants him silent: it is remembered, that is all."""
_TOO_MANY = (Verdict.DROP, "too_many")
"""What becomes, later, of one that waited for a turn with more than can be answered in it."""


def line_said(state: State, event: WordsHeard, heard: Heard) -> State:
    """Decide about a spoken line."""
    line = Line(
        id=LineId(event.segment),
        person=event.person,
        text=event.text,
        source=LineSource.SPOKEN,
        began=event.began,
        ended=event.ended,
    )
    cutter = find_cutter(state.cutters, event.segment)
    state = replace(state, cutters=tuple(other for other in state.cutters if other is not cutter))
    if refusal := _no_line(state, event, heard):
        return _decided(state, line, heard, *refusal)
    state = _written_down(state, line)
    if state.hushed_until is not None:
        return _follow(state, line, heard, *_HUSHED)
    if cutter is not None:
        return _cutting_line(state, line, heard, cutter.rule)
    verdict, reason = _over_speech(state, line, heard) or _judged(state, line, heard)
    return _follow(state, line, heard, verdict, reason)


def line_typed(state: State, line: Line, heard: Heard) -> State:
    """Decide about a line that was written in the room's chat: it never cuts."""
    if heard.heard_as is HeardAs.EMPTY:
        return _decided(state, line, heard, Verdict.IGNORE, "no_words")
    state = _written_down(state, line)
    decided = _judged(state, line, heard) if state.hushed_until is None else _HUSHED
    return _follow(state, line, heard, *decided)


def _no_line(state: State, event: WordsHeard, heard: Heard) -> tuple[Verdict, str] | None:
    """Why this is nothing that a person here has said."""
    if not state.may_be_heard(event.person.id):
        return Verdict.DROP, "gone"
    if heard.heard_as is HeardAs.EMPTY:
        return Verdict.IGNORE, "no_words"
    if event.voiced < state.settings.min_voiced:
        return Verdict.IGNORE, "near_silence"
    during = state.audible() is not None or event.began < state.quiet_at
    meant = heard.control_only or (heard.heard_as is HeardAs.ADDRESSED and len(heard.words) < 3)
    if not meant and is_echo(heard.words, state.echo, state.now, during=during):
        return Verdict.IGNORE, "echo"
    return None


def _written_down(state: State, line: Line) -> State:
    return state.do(
        Record(
            receipt=evidence.HeardWords(
                stay_id=state.stay,
                person_id=line.person.id,
                label=line.person.label,
                text=line.text,
                typed=line.source is LineSource.TYPED,
            )
        )
    )


def _cutting_line(state: State, line: Line, heard: Heard, rule: CutRule) -> State:
    """He was cut off by this line: it is his turn to answer it, unless it only wanted silence."""
    verdict = Verdict.CUT if heard.control_only else Verdict.HOLD
    return _follow(state, line, heard, verdict, f"cut_{rule}")


def _over_speech(state: State, line: Line, heard: Heard) -> tuple[Verdict, str] | None:
    """What a line that did not cut is because of his own speech, if that decides it."""
    speech = state.audible()
    over = speech is not None and speech.started is not None and line.began > speech.started
    if heard.acknowledgement and (state.busy() or line.ended <= state.quiet_at):
        return Verdict.LISTEN, "acknowledgement"
    if heard.control_only and (state.busy() or line.began < state.quiet_at):
        return Verdict.LISTEN, "late_control" if not over else "control_of_others"
    if not over:
        return None
    if heard.heard_as is HeardAs.MENTIONED:
        return Verdict.LISTEN, "mentioned_over_speech"
    if line.person.id == state.engagement.holder:
        return (Verdict.OFFER, "short_over_speech") if heard.content else (Verdict.LISTEN, "fragment")
    return None


def _judged(state: State, line: Line, heard: Heard) -> tuple[Verdict, str]:
    verdict, reason = judge(
        state.engagement,
        line.person.id,
        heard.heard_as,
        one_human=len(state.humans()) == 1,
        policy=state.settings.reply_policy,
    )
    if heard.acknowledgement and verdict is Verdict.HOLD and heard.heard_as is HeardAs.NONE:
        return Verdict.OFFER, "acknowledgement_as_answer"
    if verdict is not Verdict.VOLITION:
        return verdict, reason
    if state.busy() or state.wish is not None or state.greeting is not None:
        return Verdict.IGNORE, "volition_busy"
    shut = state.volition.shut_by(state.settings.volition, state.now)
    return (Verdict.IGNORE, shut) if shut else (Verdict.VOLITION, "volition")


def _follow(state: State, line: Line, heard: Heard, verdict: Verdict, reason: str) -> State:
    """Do what was decided: ask for a turn, or have it told for the record."""
    trigger = _TURNS.get(verdict)
    if verdict in (Verdict.WAKE, Verdict.HOLD):
        moves = (
            verdict is Verdict.WAKE or heard.heard_as is HeardAs.ADDRESSED or state.engagement.holder is None
        )
        state = engage(state, line.person.id, reason) if moves else _relevant(state)
    if trigger is None or state.leaving:
        state = state.do(TellRealtime(message=LineOverheard(line=line)))
        return _decided(state, line, heard, verdict, "leaving" if trigger else reason)
    if line.source is LineSource.TYPED and trigger is not Trigger.VOLITION:
        trigger = Trigger.TYPED
    state, turn = _wished(state, line, trigger)
    return _decided(state, line, heard, verdict, reason, turn)


def _relevant(state: State) -> State:
    return replace(state, engagement=state.engagement.refreshed(state.now))


def engage(state: State, holder: PersonId, rule: str) -> State:
    """This person holds the floor from now on; recorded where it is news."""
    news = state.engagement.holder != holder
    state = replace(state, engagement=state.engagement.with_holder(holder, state.now))
    receipt = evidence.Floor(stay_id=state.stay, state="engaged", holder_id=holder, rule=rule)
    return state.do(Record(receipt=receipt)) if news else state


def mint(state: State) -> tuple[State, TurnId]:
    """A name for a turn."""
    minted = state.minted + 1
    return replace(state, minted=minted), TurnId(f"{state.life}-{minted}")


def _wished(state: State, line: Line, trigger: Trigger) -> tuple[State, TurnId]:
    """The line waits for a turn, together with those that wait already; returns the turn's name."""
    state, fresh = mint(state)
    wish = joined(state.wish, Wish(turn=fresh, trigger=trigger, lines=(line,), since=state.now))
    return wait_for_turn(state, wish), wish.turn


def wait_for_turn(state: State, wish: Wish) -> State:
    """These lines wait, as far as there is room for them."""
    wish, gone = shed(wish, state.settings.lines_held)
    for old in gone:
        heard_as = hear(old.text, state.names, state.words).heard_as
        state = state.do(TellRealtime(message=LineOverheard(line=old)))
        state = _recorded(state, old, heard_as, *_TOO_MANY)
    return replace(state, wish=wish, lines_shed=state.lines_shed + len(gone))


def _decided(
    state: State, line: Line, heard: Heard, verdict: Verdict, rule: str, turn: TurnId | None = None
) -> State:
    decided = Decided(heard_as=heard.heard_as, verdict=verdict, rule=rule)
    state = replace(state, recent=(*state.recent, decided)[-RECENT:])
    return _recorded(state, line, heard.heard_as, verdict, rule, turn)


def _recorded(
    state: State, line: Line, heard_as: HeardAs, verdict: Verdict, rule: str, turn: TurnId | None = None
) -> State:
    return state.do(
        Record(
            receipt=evidence.FloorDecision(
                stay_id=state.stay,
                person_id=line.person.id,
                line_id=line.id,
                heard_as=heard_as.value,
                decision=verdict.value,
                rule=rule,
                turn_id=turn,
            )
        )
    )
