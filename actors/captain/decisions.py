"""What the captain may decide: to ask, to answer, to write, to record, to wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.captain.state import State
from messages.captain import AskCaptain
from messages.evidence import Receipt
from messages.gateway import PostText
from messages.ids import HandoffId, Token
from messages.mailbox import Mailbox
from messages.realtime import HandoffFailed, HandoffReturned, RealtimeMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Give this to the slow mind."""

    question: AskCaptain


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Tell the slow mind that nobody waits for this any more."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Tell the conversation that asked."""

    to: Mailbox[RealtimeMessage]
    message: HandoffReturned | HandoffFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Write it into the room's chat."""

    message: PostText


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put it on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Tell the core CaptainTick(token) in so many seconds."""

    seconds: float
    token: Token


Decision: TypeAlias = Ask | Cancel | Reply | Post | Record | Wake
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
