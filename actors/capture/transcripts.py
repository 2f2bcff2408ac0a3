"""Each segment is owed one last word, even if that word is that there was none."""

from __future__ import annotations

from dataclasses import replace

from actors.capture.decisions import Decision, Record, Step, TellFloor, TellStay
from actors.capture.filters import why_not_speech, without_noises
from actors.capture.segment import Segment, seconds
from actors.capture.state import Awaited, Ear, State, Transcriber
from messages.capture import TranscriptFailed, TranscriptReady
from messages.evidence import Failed, Transcription
from messages.floor import WordsFailed, WordsHeard
from messages.reasons import REFUSALS
from messages.stay import EarTroubled, EarWorks

_LASTING = REFUSALS - {"rate_limited"}
"""Reasons that do not pass by themselves: somebody has to do something about them."""
_NO_NEWS = frozenset(("ear_closed", "listener_lost"))
"""Reasons that follow from an end that was ordered, or from a loss that is on record already."""


def came(state: State, event: TranscriptReady, now: float) -> Step:
    """Words of a segment of ours: of the open one while it lasts, or the last ones of a closed one."""
    awaited = _find(state, event)
    if awaited is None or not event.final:
        return _so_far(state, event)
    transcriber = replace(state.transcriber, awaited=_others(state, awaited), idle_since=now)
    state, news = _works(state, replace(transcriber, retry_after=0.0, missed=False))
    text, reason = _judged(state.ear, awaited.segment, event)
    if reason is not None:
        return state, (*dropped(state, awaited, reason, text, now), *news)
    outcome = "words" if text else "empty"
    recorded = _on_record(state, awaited, outcome, None, len(text), now)
    return state, (_words(state, awaited, text), recorded, *news)


def failed(state: State, event: TranscriptFailed, now: float) -> Step:
    """A failed partial is nothing to anybody; a failed final is the end of a segment."""
    awaited = _find(state, event)
    return (state, ()) if awaited is None else missed(state, awaited, event.reason, now)


def missed(state: State, awaited: Awaited, reason: str, now: float) -> Step:
    """These words will not come, and there may be something wrong with the listener."""
    state, decisions = given_up(state, awaited, reason, now)
    state, news = _fails(state, reason)
    return state, (*decisions, *news)


def lost(state: State, reason: str, now: float) -> Step:
    """The connection died: nothing that it had can come; reopened by the next voice after a pause."""
    settings = state.ear.settings
    pause = min(settings.retry_longest_seconds, 2 * state.transcriber.retry_after or settings.retry_seconds)
    transcriber = replace(state.transcriber, connection=None, retry_after=pause, retry_at=now + pause)
    state, decisions = _fails(replace(state, transcriber=transcriber), reason)
    if not transcriber.awaited:
        decisions = (_trouble(state, reason), *decisions)
    for awaited in transcriber.awaited:
        state, more = given_up(state, awaited, reason, now)
        decisions = (*decisions, *more)
    return state, decisions


def given_up(state: State, awaited: Awaited, reason: str, now: float) -> Step:
    """Nobody shall wait for these words any longer."""
    others, count = _others(state, awaited), state.transcriber.failed + 1
    transcriber = replace(state.transcriber, awaited=others, idle_since=now, failed=count)
    state = replace(state, transcriber=transcriber)
    told = WordsFailed(person=state.ear.person.id, segment=awaited.segment.id, reason=reason)
    receipt = _on_record(state, awaited, "failed", reason, 0, now)
    if reason in _NO_NEWS:
        return state, (TellFloor(message=told), receipt)
    return state, (TellFloor(message=told), receipt, _trouble(state, reason))


def dropped(state: State, awaited: Awaited, reason: str, text: str, now: float) -> tuple[Decision, ...]:
    """It was not speech: the floor hears that there were no words."""
    return (_words(state, awaited, ""), _on_record(state, awaited, "dropped", reason, len(text), now))


def _works(state: State, transcriber: Transcriber) -> Step:
    if transcriber.trouble == "":
        return replace(state, transcriber=transcriber), ()
    works = EarWorks(person=state.ear.person.id, capture=state.ear.capture)
    return replace(state, transcriber=replace(transcriber, trouble="")), (TellStay(message=works),)


def _fails(state: State, reason: str) -> Step:
    """What happens once may pass; the second time in a row is news, and so is what cannot pass."""
    passing = not state.transcriber.missed and reason not in _LASTING
    transcriber = replace(state.transcriber, missed=True)
    if passing or transcriber.trouble:
        return replace(state, transcriber=transcriber), ()
    troubled = EarTroubled(person=state.ear.person.id, capture=state.ear.capture, reason=reason)
    return replace(state, transcriber=replace(transcriber, trouble=reason)), (TellStay(message=troubled),)


def _so_far(state: State, event: TranscriptReady) -> Step:
    segment = state.open
    if segment is None or segment.id != event.segment or event.final:
        return state, ()
    text, reason = _judged(state.ear, segment, event)
    if reason is not None or not text or text == segment.said:
        return state, ()
    state = replace(state, open=replace(segment, said=text))
    return state, (_told(state, segment, text, final=False),)


def _judged(ear: Ear, segment: Segment, event: TranscriptReady) -> tuple[str, str | None]:
    """The text without noises, and the rule by which it is dropped, if any."""
    text = without_noises(event.text)
    if not any(sign.isalnum() for sign in text):
        return "", None
    if event.speechless:
        return text, "speechless"
    settings = ear.settings
    short = seconds(segment.extent.voiced, settings) < settings.short_seconds
    return text, why_not_speech(text, short=short, languages=settings.languages, book=ear.book)


def _find(state: State, event: TranscriptReady | TranscriptFailed) -> Awaited | None:
    awaiting = state.transcriber.awaited
    return next((awaited for awaited in awaiting if awaited.segment.id == event.segment), None)


def _others(state: State, awaited: Awaited) -> tuple[Awaited, ...]:
    return tuple(other for other in state.transcriber.awaited if other is not awaited)


def _words(state: State, awaited: Awaited, text: str) -> Decision:
    return _told(state, awaited.segment, text, final=True)


def _told(state: State, segment: Segment, text: str, *, final: bool) -> Decision:
    return TellFloor(
        message=WordsHeard(
            person=state.ear.person,
            segment=segment.id,
            text=text,
            final=final,
            began=segment.began,
            ended=segment.extent.last_voice,
            voiced=seconds(segment.extent.voiced, state.ear.settings),
        )
    )


def _on_record(
    state: State, awaited: Awaited, outcome: str, reason: str | None, characters: int, now: float
) -> Decision:
    """`latency_ms` counts from the last voice: it is how long the room waited for the words."""
    return Record(
        receipt=Transcription(
            stay_id=state.ear.stay,
            person_id=state.ear.person.id,
            segment_id=awaited.segment.id,
            outcome=outcome,
            latency_ms=round(1000 * (now - awaited.segment.extent.last_voice)),
            characters=characters,
            reason=reason,
        )
    )


def _trouble(state: State, reason: str) -> Decision:
    return Record(
        receipt=Failed(
            stay_id=state.ear.stay,
            stage="transcription_session",
            reason=reason,
            person_id=state.ear.person.id,
        )
    )
