"""What may be said to the captain, the slow mind: a question, what came of his tools, and never mind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from messages.attachment import Attachment
from messages.gateway import (
    Asker,
    DeedAnswered,
    ForgetAnswered,
    Joined,
    JoinRefused,
    LeaveAnswered,
    NotesAnswered,
    RoomDescribed,
    WatchAnswered,
)
from messages.ids import CallId, GuildId, HandoffId, MessageId, PersonId, RoleId, RoomId, StayId, Token
from messages.people import Line, Person
from messages.tools import ToolRequest
from messages.usage import Spending

if TYPE_CHECKING:
    from messages.console import OperatorNews
    from messages.evidence import ReceiptsKnown
    from messages.mailbox import Mailbox
    from messages.realtime import RealtimeMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCaptain:
    """One hand-off: its askers stay its authority whatever happens; all text in it is untrusted."""

    handoff: HandoffId
    stay: StayId
    room: RoomId
    askers: tuple[Person, ...]
    """Whose lines asked for the turn, in their order; of several, the one who may do least counts."""
    request: str
    original: tuple[Line, ...]
    """What they really said, at most 2,000 characters."""
    recent: tuple[Line, ...]
    observations: tuple[str, ...]
    reply_to: Mailbox[RealtimeMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskInText:
    """Somebody wrote to him: answered to the gateway with TextAnswered; the text is untrusted."""

    handoff: HandoffId
    room: RoomId
    message: MessageId
    asker: Person
    request: str
    guild: GuildId | None = None
    """None in a private conversation."""
    roles: frozenset[RoleId] = frozenset()
    """Those that he had when he wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAsOperator:
    """Whoever has the machine asks, and stamps nobody: answered with one OperatorAnswered."""

    handoff: HandoffId
    request: str
    reply_to: Mailbox[OperatorNews]


Question: TypeAlias = AskCaptain | AskInText | AskAsOperator


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """Whoever asked this wants it no longer: it ends without an answer, and does nothing more."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountOpened:
    """The room of the account lives (perhaps a new life) and can be told what is still to be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossTold:
    """Answer to TurnLost: whoever asked knows, or is not to be told."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class StayIsOver:
    """Results for this stay can only be posted as text from now on."""

    stay: StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultUnsaid:
    """The conversation ends before it could say this result of yours: write it into the room's chat."""

    handoff: HandoffId
    stay: StayId
    room: RoomId
    request: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetInMind:
    """Forget every note about this person and every line of his, on disk as well."""

    person: PersonId
    was_heard: bool
    reply_to: Mailbox[ForgetAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesAsked:
    """Show this person what is noted about him, in every guild."""

    person: PersonId
    reply_to: Mailbox[NotesAnswered]


# --- what came of his tools -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AskersKnown:
    """Answer to WhoAsks: the askers of a hand-off with their guild and the roles that they have now."""

    handoff: HandoffId
    askers: tuple[Asker, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """What came of ConfirmAsked; `refused` is empty or a code.

    denied | timeout | unsupported | forbidden | refused | busy | account_not_ready | gateway_lost
    """

    refused: str = ""


AccountAnswer: TypeAlias = (
    Joined | JoinRefused | LeaveAnswered | WatchAnswered | DeedAnswered | RoomDescribed | Confirmed
)
ToolAnswer: TypeAlias = "AccountAnswer | ReceiptsKnown"
A_contra = TypeVar("A_contra", bound="ToolAnswer", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDone:
    """Another room's answer to one tool call."""

    handoff: HandoffId
    call: CallId
    answer: ToolAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering(Generic[A_contra]):
    """A mailbox for the answer to one call, which reaches the captain with the call's name on it."""

    handoff: HandoffId
    call: CallId
    captain: Mailbox[CallDone]

    def tell(self, message: A_contra, /) -> None:
        """Put the call's name on it and pass it on."""
        self.captain.tell(CallDone(handoff=self.handoff, call=self.call, answer=message))


# --- from the mind --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One thing that the mind wants done, under the name that the mind gave it."""

    call: CallId
    request: ToolRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class MindWorks:
    """The mind is at it: so long it has not stalled."""

    handoff: HandoffId
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MindStepped:
    """One step of the mind is complete: without `calls`, `text` is its answer, and may be silence."""

    handoff: HandoffId
    step: int
    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MindFailed:
    """This step came to nothing, and why (a bounded code); nothing of it was done.

    `again_after` is how many seconds the mind wants to be left alone, if it said so.
    """

    handoff: HandoffId
    step: int
    reason: str
    again_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MindSpent:
    """What a step has used, whether it came to anything or not, and whoever still waits for it."""

    handoff: HandoffId
    spent: Spending


# --- from the toolbox -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineTool:
    """One tool of one of the operator's servers; its description and schema are the server's words."""

    name: str
    """As the model sees it: "music__play" is `play` of the server "music"."""
    server: str
    description: str = field(repr=False)
    schema: str = field(repr=False)
    """A JSON schema of its arguments, as text."""
    destructive: bool
    """Whether the server does not say that it only reads, or that it destroys nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolboxChanged:
    """The tools of one server as they are now; `trouble` is a code where there are none because it failed."""

    server: str
    tools: tuple[MachineTool, ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineDone:
    """What a server's tool gave back: untrusted text and files; `failed` is a code, or empty."""

    handoff: HandoffId
    call: CallId
    text: str
    attachments: tuple[Attachment, ...] = ()
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainTick:
    """Timer of the captain."""

    token: Token


MindEvent: TypeAlias = MindWorks | MindStepped | MindFailed | MindSpent
ToolboxEvent: TypeAlias = ToolboxChanged | MachineDone
CaptainMessage: TypeAlias = (
    Question
    | TakeBack
    | AccountOpened
    | LossTold
    | StayIsOver
    | ResultUnsaid
    | ForgetInMind
    | NotesAsked
    | AskersKnown
    | CallDone
    | MindEvent
    | ToolboxEvent
    | CaptainTick
)
