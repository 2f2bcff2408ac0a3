"""An answer goes where the question came from; if nobody is there any more, it is written there."""

from __future__ import annotations

from actors.captain.decisions import Tell, TellEvidence, TellGateway
from actors.captain.state import Heard, State, Turn
from messages.attachment import Attachment
from messages.captain import AskAsOperator, AskCaptain, AskInText, ResultUnsaid
from messages.console import OperatorAnswered
from messages.evidence import Failed, Handoff
from messages.gateway import PostText, TextAnswered
from messages.realtime import HandoffFailed, HandoffReturned, HandoffTakenBack
from messages.reasons import in_words

LONGEST_POST = 2_000
_LONGEST_REQUEST = 200


def in_text(
    state: State, heard: tuple[Heard, ...], text: str, *, files: tuple[Attachment, ...] = (), failed: str = ""
) -> State:
    """One answer, to the newest message that still wants one; the others are answered along with it."""
    wanted = [one for one in heard if not one.unwanted] or list(heard)
    newest = wanted[-1].question
    if not isinstance(newest, AskInText):
        return state
    answer = TextAnswered(
        room=newest.room,
        message=newest.message,
        text=text,
        failed=failed,
        attachments=files,
        along=tuple(
            one.question.message
            for one in heard
            if isinstance(one.question, AskInText) and one.question is not newest
        ),
    )
    return state.do(TellGateway(message=answer))


def to_operator(
    state: State, turn: Turn, text: str, *, files: tuple[Attachment, ...] = (), failed: str = ""
) -> State:
    """Everybody who still waits at a command line reads the same."""
    names = tuple(file.name for file in files)
    for heard in turn.heard:
        question = heard.question
        if isinstance(question, AskAsOperator) and not heard.unwanted:
            told = OperatorAnswered(handoff=question.handoff, text=text, failed=failed, files=names)
            state = state.do(Tell(mailbox=question.reply_to, message=told))
    return state


def aloud(state: State, turn: Turn, question: AskCaptain, text: str) -> State:
    """To the conversation while its stay lasts; files, and what comes too late, into the room's chat."""
    names = ", ".join(file.name for file in turn.files)
    if question.stay not in state.over:
        if turn.files:
            post = PostText(room=question.room, text=names[:LONGEST_POST], attachments=turn.files)
            state = state.do(TellGateway(message=post))
            text = f"{text}\n(These files are in the room's chat now: {names}.)".lstrip()
        message = HandoffReturned(handoff=question.handoff, request=question.request, text=text)
        state = state.do(Tell(mailbox=question.reply_to, message=message))
        return _record(state, turn.heard, "returned")
    if not state.settings.post_after_stay:
        return _record(state, turn.heard, "not_submitted", "stay_over")
    if not text and not turn.files:
        return _record(state, turn.heard, "not_submitted", "silent")
    post = PostText(room=question.room, text=_about(question.request, text or names), attachments=turn.files)
    return _record(state.do(TellGateway(message=post)), turn.heard, "posted")


def failed_aloud(state: State, turn: Turn, question: AskCaptain, reason: str, *, last: bool) -> State:
    """The conversation is told, or the room's chat if this life is the `last` to know of it."""
    if question.stay in state.over:
        if last and state.settings.post_after_stay:
            post = PostText(room=question.room, text=_about(question.request, _no_answer(reason)))
            state = state.do(TellGateway(message=post))
    else:
        message = HandoffFailed(handoff=question.handoff, request=question.request, reason=reason)
        state = state.do(Tell(mailbox=question.reply_to, message=message))
    state = _record(state, turn.heard, "failed", reason)
    trouble = Failed(
        stay_id=question.stay, stage="captain_handoff", reason=reason, handoff_id=question.handoff
    )
    return state.do(TellEvidence(message=trouble))


def taken_back(state: State, heard: tuple[Heard, ...]) -> State:
    """Whoever took it back hears nothing; whoever keeps a list of what is open crosses it off.

    Of a turn's spoken questions only the first stands on such a list: the others were merged into it.
    """
    first = heard[0].question
    if isinstance(first, AskInText):
        return in_text(state, heard, "")
    if isinstance(first, AskCaptain):
        message = HandoffTakenBack(handoff=first.handoff)
        state = state.do(Tell(mailbox=first.reply_to, message=message))
    return _record(state, heard, "failed", "taken_back")


def one_dropped(state: State, heard: Heard) -> State:
    """One of several questions is dropped; one that was said aloud had been merged, and is told no more."""
    if isinstance(heard.question, AskInText):
        return in_text(state, (heard,), "")
    return _record(state, (heard,), "failed", "taken_back")


def unsaid(state: State, event: ResultUnsaid) -> State:
    """What a conversation had no time to say is written, where that is wanted."""
    allowed = state.settings.post_after_stay
    reason = "result_posted" if allowed else "result_not_submitted"
    failed = Failed(stay_id=event.stay, stage="conversation_session", reason=reason, handoff_id=event.handoff)
    if allowed:
        post = PostText(room=event.room, text=_about(event.request, event.text))
        state = state.do(TellGateway(message=post))
    return state.do(TellEvidence(message=failed))


def began(state: State, heard: Heard) -> State:
    """It is on record that this was asked."""
    return _record(state, (heard,), "began")


def _about(request: str, text: str) -> str:
    return f"About “{request[:_LONGEST_REQUEST]}”: {text}"[:LONGEST_POST]


def _no_answer(reason: str) -> str:
    words = in_words(reason)
    return "I have no answer." if words == reason else f"I have no answer: {words}."


def _record(state: State, heard: tuple[Heard, ...], phase: str, reason: str | None = None) -> State:
    """`latency_ms` counts from the asking; only what was asked aloud belongs to a stay."""
    for one in heard:
        question = one.question
        if not isinstance(question, AskCaptain) or not question.askers:
            continue
        receipt = Handoff(
            stay_id=question.stay,
            handoff_id=question.handoff,
            asker_id=question.askers[0].id,
            phase=phase,
            latency_ms=None if phase == "began" else round(1000 * (state.now - one.at)),
            reason=reason,
        )
        state = state.do(TellEvidence(message=receipt))
    return state
