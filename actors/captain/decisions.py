"""What the captain may decide: to ask, to answer, to write, to record, to wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.captain.state import State
from messages.captain import CaptainTick, Question
from messages.evidence import Receipt
from messages.gateway import PostText, TextAnswered
from messages.ids import HandoffId
from messages.mailbox import Mailbox
from messages.realtime import HandoffFailed, HandoffReturned, RealtimeMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Give this to the slow mind."""

    question: Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Tell the slow mind that nobody waits for this any more."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class TellRealtime:
    """Tell the conversation that asked."""

    mailbox: Mailbox[RealtimeMessage]
    message: HandoffReturned | HandoffFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class TellGateway:
    """Tell the account what to write, and where."""

    message: PostText | TextAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: CaptainTick


Decision: TypeAlias = Ask | Cancel | TellRealtime | TellGateway | Record | Wake
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
