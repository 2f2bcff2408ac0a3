"""Whoever asked is told at the address that he gave, and the account is told what to do."""

from __future__ import annotations

from typing import assert_never

from loguru import logger

from actors.gateway import decisions
from actors.gateway.port import GatewayPort
from messages.gateway import JoinAnswer, Joined


def deliver(decision: decisions.AnyAnswer) -> None:
    """Tell the asker; whether he comes is worth a line in the log as well."""
    if isinstance(decision, decisions.AnswerJoin):
        logger.info("asked to come: {}", _in_words(decision.answer))
    decision.give()


def _in_words(answer: JoinAnswer) -> str:
    if isinstance(answer, Joined):
        return f"he is in {answer.room}"
    return f"he does not come: {answer.reason.value} {answer.detail}".rstrip()


def order(port: GatewayPort, decision: decisions.Order) -> None:
    """Have the account do it."""
    match decision:
        case decisions.Enter():
            port.enter(decision.room)
        case decisions.Leave():
            port.leave(decision.room)
        case decisions.Watch():
            port.watch(decision.room, decision.start)
        case decisions.Post():
            port.post(decision.room, decision.text, decision.reply_to, decision.attachments)
        case decisions.Typing():
            port.typing(decision.room, decision.on)
        case decisions.Do():
            logger.info("deed {} in {}: {}", decision.name, decision.room, type(decision.deed).__name__)
            port.do(decision.name, decision.deed, decision.room, decision.message)
        case decisions.LookUp():
            port.look_up(decision.guild, decision.person)
        case decisions.Confirm():
            logger.info("{} waits in {} for a button", decision.confirmation, decision.room)
            port.confirm(decision.confirmation, decision.room, decision.text)
        case decisions.Settle():
            logger.info("{} is settled: {}", decision.confirmation, decision.outcome)
            port.settle(decision.confirmation, decision.outcome)
        case _:
            assert_never(decision)
