"""Every question ends exactly once; in one room they come one after another, in two rooms side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.captain.decisions import Ask, Cancel, Decision, Record, Step, TellGateway, TellRealtime, Wake
from actors.captain.events import CaptainCloses, Event
from actors.captain.state import Job, State
from messages.captain import (
    AskCaptain,
    AskInText,
    CaptainAnswered,
    CaptainFailed,
    CaptainTick,
    Question,
    ResultUnsaid,
    StayIsOver,
)
from messages.evidence import Failed, Handoff
from messages.gateway import PostText, TextAnswered
from messages.ids import RoomId, Token
from messages.realtime import HandoffFailed, HandoffReturned

REMEMBERED_STAYS = 64
LONGEST_POST = 2_000
_LONGEST_REQUEST = 200
_LONGEST_REASON = 64
_SLACK = 1e-6
_NEVER = float("inf")


def step(state: State, event: Event, now: float) -> Step:
    """What to believe and do after this event at monotonic second `now`."""
    state, decisions = _think(state, event, now)
    due = min((_due(state, job) for job in state.jobs), default=_NEVER)
    if due == _NEVER or (state.wake_at is not None and state.wake_at <= due):
        return state, decisions
    state = replace(state, token=Token(state.token + 1), wake_at=due)
    return state, (*decisions, Wake(seconds=max(0.0, due - now), message=CaptainTick(token=state.token)))


def _think(state: State, event: Event, now: float) -> Step:
    match event:
        case AskCaptain() | AskInText():
            return _asked(state, event, now)
        case StayIsOver():
            return replace(state, over=(*state.over, event.stay)[-REMEMBERED_STAYS:]), ()
        case ResultUnsaid():
            return state, _unsaid(state, event)
        case CaptainAnswered() | CaptainFailed():
            job = next((job for job in state.jobs if job.question.handoff == event.handoff), None)
            if job is None or job.started_at is None:
                return state, ()
            if isinstance(event, CaptainFailed):
                return _failed(state, job, event.reason, now)
            return _answered(state, job, event.text, now)
        case CaptainTick():
            return (state, ()) if event.token != state.token else _woken(replace(state, wake_at=None), now)
        case CaptainCloses():
            return _closed(state, now)
        case _:
            assert_never(event)


def _asked(state: State, question: Question, now: float) -> Step:
    if any(job.question.handoff == question.handoff for job in state.jobs):
        return state, ()
    job = Job(question=question, asked_at=now)
    lane = [one for one in state.jobs if one.question.room == question.room]
    state = replace(state, jobs=(*state.jobs, job))
    began = _record(job, "began", now)
    if len(lane) > state.settings.lane_waiting:
        state, decisions = _failed(state, job, "busy", now)
    else:
        state, decisions = _next(state, now)
    return state, (*began, *decisions)


def _next(state: State, now: float) -> Step:
    """Start the first of every lane in which nobody is at work."""
    decisions: tuple[Decision, ...] = ()
    lanes = {job.question.room for job in state.jobs if job.started_at is not None}
    jobs: list[Job] = []
    for job in state.jobs:
        started = job
        if job.question.room not in lanes:
            lanes.add(job.question.room)
            started = replace(job, started_at=now)
            decisions = (*decisions, Ask(question=job.question))
        jobs.append(started)
    return replace(state, jobs=tuple(jobs)), decisions


def _answered(state: State, job: Job, text: str, now: float) -> Step:
    state = replace(_without(state, job), done=state.done + 1)
    match job.question:
        case AskInText() as question:
            answer = TextAnswered(room=question.room, message=question.message, text=text)
            ending: tuple[Decision, ...] = (TellGateway(message=answer),)
        case AskCaptain() as question:
            ending = _handed_back(state, job, question, text, now)
        case _:
            assert_never(job.question)
    state, following = _next(state, now)
    return state, (*ending, *following)


def _handed_back(state: State, job: Job, question: AskCaptain, text: str, now: float) -> tuple[Decision, ...]:
    if question.stay not in state.over:
        message = HandoffReturned(handoff=question.handoff, request=question.request, text=text)
        told = TellRealtime(mailbox=question.reply_to, message=message)
        return (told, *_record(job, "returned", now))
    if state.settings.post_after_stay:
        return (_post(question.room, question.request, text), *_record(job, "posted", now))
    return _record(job, "not_submitted", now, "stay_over")


def _post(room: RoomId, request: str, text: str) -> TellGateway:
    about = f"About “{request[:_LONGEST_REQUEST]}”: {text}"[:LONGEST_POST]
    return TellGateway(message=PostText(room=room, text=about))


def _unsaid(state: State, event: ResultUnsaid) -> tuple[Decision, ...]:
    allowed = state.settings.post_after_stay
    reason = "result_posted" if allowed else "result_not_submitted"
    failed = Failed(stay_id=event.stay, stage="conversation_session", reason=reason, handoff_id=event.handoff)
    posted = (_post(event.room, event.request, event.text),) if allowed else ()
    return (*posted, Record(receipt=failed))


def _failed(state: State, job: Job, reason: str, now: float) -> Step:
    state, ending = _given_up(state, job, reason, now)
    state, following = _next(state, now)
    return state, (*ending, *following)


def _given_up(state: State, job: Job, reason: str, now: float) -> Step:
    reason = reason[:_LONGEST_REASON]
    state = replace(_without(state, job), failed=state.failed + 1)
    match job.question:
        case AskInText() as question:
            failed = TextAnswered(room=question.room, message=question.message, text="", failed=reason)
            return state, (TellGateway(message=failed),)
        case AskCaptain() as question:
            return state, _given_back(job, question, reason, now)
        case _:
            assert_never(job.question)


def _given_back(job: Job, question: AskCaptain, reason: str, now: float) -> tuple[Decision, ...]:
    message = HandoffFailed(handoff=question.handoff, request=question.request, reason=reason)
    trouble = Failed(
        stay_id=question.stay, stage="captain_handoff", reason=reason, handoff_id=question.handoff
    )
    return (
        TellRealtime(mailbox=question.reply_to, message=message),
        *_record(job, "failed", now, reason),
        Record(receipt=trouble),
    )


def _woken(state: State, now: float) -> Step:
    decisions: tuple[Decision, ...] = ()
    for job in state.jobs:
        if _due(state, job) <= now + _SLACK:
            state, more = _given_up(state, job, "stalled", now)
            decisions = (*decisions, Cancel(handoff=job.question.handoff), *more)
    state, following = _next(state, now)
    return state, (*decisions, *following)


def _closed(state: State, now: float) -> Step:
    decisions: tuple[Decision, ...] = ()
    for job in state.jobs:
        state, more = _given_up(state, job, "captain_closed", now)
        decisions = (*decisions, *more)
    return state, decisions


def _due(state: State, job: Job) -> float:
    """When a job at work has stalled; never, for one that waits."""
    return _NEVER if job.started_at is None else job.started_at + state.settings.stall_seconds


def _without(state: State, job: Job) -> State:
    handoff = job.question.handoff
    return replace(state, jobs=tuple(one for one in state.jobs if one.question.handoff != handoff))


def _record(job: Job, phase: str, now: float, reason: str | None = None) -> tuple[Record, ...]:
    """`latency_ms` counts from the asking; what was asked in text belongs to no stay."""
    question = job.question
    if isinstance(question, AskInText):
        return ()
    receipt = Handoff(
        stay_id=question.stay,
        handoff_id=question.handoff,
        asker_id=question.askers[0].id,
        phase=phase,
        latency_ms=None if phase == "began" else round(1000 * (now - job.asked_at)),
        reason=reason,
    )
    return (Record(receipt=receipt),)
