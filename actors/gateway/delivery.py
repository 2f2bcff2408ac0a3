"""Whoever asked is told at the address that he gave."""

from __future__ import annotations

from typing import assert_never

from loguru import logger

from actors.gateway import decisions
from messages.gateway import JoinAnswer, Joined


def deliver(decision: decisions.Answer) -> None:
    """Tell the asker; whether he comes is worth a line in the log as well."""
    match decision:
        case decisions.AnswerJoin():
            logger.info("asked to come: {}", _in_words(decision.answer))
            decision.asker.tell(decision.answer)
        case decisions.AnswerLeave():
            decision.asker.tell(decision.answer)
        case decisions.AnswerConsent():
            decision.asker.tell(decision.answer)
        case decisions.AnswerStatus():
            decision.asker.tell(decision.answer)
        case decisions.AnswerForget():
            decision.asker.tell(decision.answer)
        case decisions.AnswerWatch():
            decision.asker.tell(decision.answer)
        case _:
            assert_never(decision)


def _in_words(answer: JoinAnswer) -> str:
    if isinstance(answer, Joined):
        return f"he is in {answer.room}"
    return f"he does not come: {answer.reason.value} {answer.detail}".rstrip()
