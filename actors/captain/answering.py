"""Every call has exactly one output: what came of it, a refusal, an error, or that nobody answered."""

from __future__ import annotations

from dataclasses import replace

from actors.captain.decisions import Tell, TellEvidence
from actors.captain.journal import ToolEnded
from actors.captain.journalling import write
from actors.captain.state import NEVER, Call, CallStage, State, Turn
from actors.captain.telling import Told
from actors.captain.tools import HOUSE_TOOLS
from messages.attachment import MOST_ATTACHED_BYTES, MOST_ATTACHMENTS, Attachment
from messages.authority import Surface
from messages.captain import AskAsOperator
from messages.console import OperatorTold
from messages.evidence import CaptainTool

_FAILURES = frozenset({"failed", "timeout", "gateway_lost", "account_not_ready", "gone", "not_kept"})
_LONGEST_CODE = 64


def answer(state: State, turn: Turn, call: Call, told: Told, *, failed: bool = False) -> State:
    """Write down what came of it, and keep it for the mind; `failed` if it is no refusal anyway."""
    outcome = told.outcome[:_LONGEST_CODE]
    ended = ToolEnded(at=state.wall, handoff=turn.id, call=call.id, tool=call.name, outcome=outcome)
    answered = replace(call, stage=CallStage.ANSWERED, due=NEVER, output=told.text)
    turn = replace(turn.with_call(answered), news_at=state.now)
    state = write(state.with_turn(turn), turn.lane, ended)
    state = _record(state, turn, call, told, failed=failed)
    return _tell_operator(state, turn, call, outcome)


def with_files(turn: Turn, files: tuple[Attachment, ...]) -> Turn:
    """As many of these as go into one message with those that are there already."""
    kept = turn.files
    for file in files:
        room = MOST_ATTACHED_BYTES - sum(len(one.data) for one in kept)
        if len(kept) < MOST_ATTACHMENTS and len(file.data) <= room:
            kept = (*kept, file)
    return replace(turn, files=kept)


def _record(state: State, turn: Turn, call: Call, told: Told, *, failed: bool) -> State:
    wrong = "failed" if failed or told.outcome in _FAILURES else "refused"
    receipt = CaptainTool(
        handoff_id=turn.id,
        name=call.name if call.name in HOUSE_TOOLS else "machine",
        surface=turn.surface.value,
        outcome="done" if told.done else wrong,
        latency_ms=round(1000 * (state.now - call.began)),
        reason=None if told.done else told.outcome[:_LONGEST_CODE],
    )
    return state.do(TellEvidence(message=receipt))


def _tell_operator(state: State, turn: Turn, call: Call, outcome: str) -> State:
    if turn.surface is not Surface.OPERATOR:
        return state
    for heard in turn.heard:
        question = heard.question
        if isinstance(question, AskAsOperator) and not heard.unwanted:
            news = OperatorTold(handoff=question.handoff, tool=call.name, outcome=outcome)
            state = state.do(Tell(mailbox=question.reply_to, message=news))
    return state
