"""Keep every receipt, hold up nobody, and when the disk fails say so once and count what is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.evidence import purging
from actors.evidence.decisions import (
    Answer,
    AnswerReceipts,
    Append,
    Decision,
    Log,
    Retry,
    Show,
    Step,
    Sync,
    Tidy,
    Wake,
)
from actors.evidence.events import Dropped, Event, Private, Unfit, Written
from actors.evidence.files import Stream
from actors.evidence.recent import known, noted
from actors.evidence.state import State, Waiting
from messages.evidence import (
    EvidenceTick,
    Flush,
    PurgePerson,
    ReceiptsAsked,
    SinkFailed,
    SinkPurged,
    SinkRestored,
    SinkSynced,
    Watch,
)
from messages.ids import Token

MAX_WATCHERS = 16
"""A watcher that restarts comes back as another mailbox; beyond this many the oldest is forgotten."""
LATE = "ETIMEDOUT"
"""Why a flush was given up that the disk was too slow for."""
TIDY_SECONDS = 60.0
"""How often old files are looked for; a house that is killed lived at most so long after its last sign."""


def step(state: State, event: Event, now: float) -> Step:
    """What the record does about one event."""
    match event:
        case Written():
            return _written(state, event, now)
        case Unfit():
            return _unfit(state, event)
        case Private():
            return _private(state, event, now)
        case Dropped():
            return _dropped(state)
        case Watch() | ReceiptsAsked() | Flush() | PurgePerson():
            return _asked(state, event, now)
        case SinkFailed():
            return _failed(state, event, now)
        case SinkRestored():
            text = f"evidence is written again; lost so far: {state.lost}"
            return _soon_on_disk(replace(state, failing=None, retry_at=None), now, Log(text=text))
        case SinkSynced():
            done = tuple(each for each in state.waiting if each.token <= event.token)
            state = replace(state, behind=False)
            return _release(state, done, failed="")
        case SinkPurged():
            return purging.over(state, event)
        case EvidenceTick():
            return _tick(state, now)
        case _:
            assert_never(event)


def _asked(state: State, event: Watch | ReceiptsAsked | Flush | PurgePerson, now: float) -> Step:
    match event:
        case Watch():
            others = tuple(each for each in state.watchers if each.watcher is not event.watcher)
            return replace(state, watchers=(*others, event)[-MAX_WATCHERS:]), ()
        case ReceiptsAsked():
            return state, (AnswerReceipts(asker=event.reply_to, known=known(state.recent, event.stay)),)
        case Flush():
            return _flush(state, event, now)
        case PurgePerson():
            return purging.purge(state, event)
        case _:
            assert_never(event)


def _written(state: State, event: Written, now: float) -> Step:
    line = Append(stream=Stream.RECEIPTS, day=event.day, line=event.recorded.json_line)
    shown = tuple(Show(watcher=each.watcher, what=event.recorded) for each in state.watchers)
    state = replace(state, recorded=state.recorded + 1, recent=noted(state.recent, event.recorded.receipt))
    return _soon_on_disk(state, now, line, *shown)


def _unfit(state: State, event: Unfit) -> Step:
    text = f"a receipt was not recorded: {event.kind} breaks the schema at {event.reason}"
    return replace(state, lost=state.lost + 1), (Log(text=text),)


def _private(state: State, event: Private, now: float) -> Step:
    shown = tuple(
        Show(watcher=each.watcher, what=event.words) for each in state.watchers if each.may_see_words
    )
    if event.line is None:
        return state, shown
    return _soon_on_disk(state, now, Append(stream=Stream.TRANSCRIPT, day=event.day, line=event.line), *shown)


def _soon_on_disk(state: State, now: float, *decisions: Decision) -> Step:
    """Something is on its way to the disk: one sync will follow it and all that comes till then."""
    if state.failing is not None or state.sync_at is not None:
        return state, decisions
    return replace(state, sync_at=now + state.sync_s), (
        *decisions,
        Wake(seconds=state.sync_s, message=EvidenceTick()),
    )


def _dropped(state: State) -> Step:
    state = replace(state, lost=state.lost + 1)
    if state.behind or state.failing is not None:
        return state, ()
    text = "evidence is being lost: the disk is slower than what happens; look at its load"
    return replace(state, behind=True), (Log(text=text),)


def _flush(state: State, event: Flush, now: float) -> Step:
    if state.failing is not None:
        return state, (Answer(done=event.done, lost=state.lost, failed=state.failing),)
    token = Token(state.token + 1)
    waiting = Waiting(done=event.done, token=token, until=now + state.flush_s)
    state = replace(state, token=token, waiting=(*state.waiting, waiting))
    return state, (Sync(token=token), Wake(seconds=state.flush_s, message=EvidenceTick()))


def _failed(state: State, event: SinkFailed, now: float) -> Step:
    said = state.failing == event.reason
    state = replace(state, failing=event.reason, sync_at=None, retry_at=now + state.retry_s)
    state, answers = _release(state, state.waiting, failed=event.reason)
    text = f"evidence cannot be written ({event.reason}): {event.remedy}"
    return state, (
        *(() if said else (Log(text=text),)),
        Wake(seconds=state.retry_s, message=EvidenceTick()),
        *answers,
    )


def _tick(state: State, now: float) -> Step:
    late = tuple(each for each in state.waiting if each.until <= now)
    state, decisions = _release(state, late, failed=LATE)
    if state.retry_at is not None and state.retry_at <= now:
        state, decisions = replace(state, retry_at=None), (*decisions, Retry())
    if state.sync_at is not None and state.sync_at <= now:
        token = Token(state.token + 1)
        state, decisions = replace(state, token=token, sync_at=None), (*decisions, Sync(token=token))
    if state.tidy_at <= now:
        state = replace(state, tidy_at=now + TIDY_SECONDS)
        decisions = (*decisions, Tidy(), Wake(seconds=TIDY_SECONDS, message=EvidenceTick()))
    return state, decisions


def _release(state: State, done: tuple[Waiting, ...], *, failed: str) -> Step:
    left = tuple(each for each in state.waiting if each not in done)
    answers = tuple(Answer(done=each.done, lost=state.lost, failed=failed) for each in done)
    return replace(state, waiting=left), answers
