"""What may be put on record: a content-free receipt for each thing that happened; words only privately."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from messages.ids import (
    CallId,
    HandoffId,
    LineId,
    MessageId,
    PersonId,
    RoomId,
    SegmentId,
    StayId,
    Token,
    TurnId,
    UtteranceId,
)

if TYPE_CHECKING:
    from messages.mailbox import Mailbox

# Receipts: the class name in snake case is the kind ("FloorDecision" -> "discord.voice.floor_decision");
# fields are scalars only, written in camelCase; None is left out. Durations are milliseconds.


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """He came into a room."""

    stay_id: StayId
    room_id: RoomId
    humans: int
    bots: int
    encryption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """phase: granted | refused (as many are heard as can be) | withdrawn | departed | moved (he
    was) | lost | counted (packets read and unread, at the end)."""

    stay_id: StayId
    person_id: PersonId
    phase: str
    decoded: int | None = None
    unread: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """Somebody who consented said something long enough to count."""

    stay_id: StayId
    person_id: PersonId
    segment_id: SegmentId
    duration_ms: int
    voiced_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcription:
    """outcome: words | empty | dropped | failed; `reason` names the rule or the failure; `latency_ms` counts
    from the last voice of the segment to this moment, silence that had to be waited for included."""

    stay_id: StayId
    person_id: PersonId
    segment_id: SegmentId
    outcome: str
    latency_ms: int
    characters: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextInput:
    """Somebody wrote in the room's own chat."""

    stay_id: StayId
    person_id: PersonId
    line_id: LineId
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorDecision:
    """What the floor made of one line: its class, the decision, the rule that decided, the turn if any."""

    stay_id: StayId
    person_id: PersonId
    line_id: LineId
    heard_as: str
    decision: str
    rule: str
    turn_id: TurnId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The floor changed state: dormant | engaged."""

    stay_id: StayId
    state: str
    holder_id: PersonId | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Somebody talked over him. phase: ducked | resumed; `reaction` is duck | pause | ignore."""

    stay_id: StayId
    person_id: PersonId
    segment_id: SegmentId
    utterance_id: UtteranceId
    phase: str
    reaction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """He was cut off by confirmed words. rule: control | address | content."""

    stay_id: StayId
    person_id: PersonId
    segment_id: SegmentId
    utterance_id: UtteranceId
    turn_id: TurnId
    rule: str
    partial: bool
    word_end_to_cut_ms: int
    """From the last voice that was heard of the segment to the decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelResponse:
    """phase: requested | completed | failed, for one turn."""

    stay_id: StayId
    turn_id: TurnId
    phase: str
    trigger: str
    outcome: str | None = None
    reason: str | None = None
    latency_ms: int | None = None
    first_text_ms: int | None = None
    """From the request to the first text of the model, where there was any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a provider was asked to do for this stay, and for nobody by name, since the last such receipt.

    service: conversation | transcription | speech; `input_tokens` has those `cached_tokens` in it; `audio_ms`
    is sound that was written down, `characters` what was to be spoken. On this machine it costs nothing.
    """

    stay_id: StayId
    service: str
    provider: str
    model: str
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    audio_ms: int = 0
    characters: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RealtimeTool:
    """A tool call. phase: called | answered.

    outcome: accepted | handed_off | taken_back | refused | error.
    """

    stay_id: StayId
    turn_id: TurnId | None
    call_id: CallId
    name: str
    phase: str
    outcome: str | None = None
    handoff_id: HandoffId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """phase: buffered | started | drained | cut | failed; `at_ms` counts from the moment it was queued."""

    stay_id: StayId
    utterance_id: UtteranceId
    turn_id: TurnId
    phase: str
    at_ms: int
    frames: int = 0
    reason: str | None = None
    decision_to_silence_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """He was heard. `speech_end_to_first_audio_ms` is missing where no spoken line asked for the turn."""

    stay_id: StayId
    turn_id: TurnId
    utterance_id: UtteranceId
    trigger: str
    whole: bool
    decision_to_first_audio_ms: int
    speech_end_to_first_audio_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Volition:
    """The gate of unprompted speech. outcome: offered | taken | suppressed."""

    stay_id: StayId
    outcome: str
    turn_id: TurnId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Who came or went. change: arrived | departed | moved (he was, to where this person is)."""

    stay_id: StayId
    person_id: PersonId
    change: str
    humans: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """phase: began | returned | failed | posted | not_submitted; of several askers the first is named."""

    stay_id: StayId
    handoff_id: HandoffId
    asker_id: PersonId
    phase: str
    latency_ms: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """The link does not carry sound at the moment, or carries it again. phase: lost | restored; or the server
    mutes, deafens or suppresses him: hindered | freed; or a part failed and began anew: restarted.

    `room_id` is where he was moved to, if that is why; `part` is who began anew, such as mouth/floor.
    """

    stay_id: StayId
    phase: str
    reason: str
    room_id: RoomId | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Something failed. stage: capture | transcription_session | conversation_session | captain_handoff |
    speech_synthesis | playback | voice_link."""

    stay_id: StayId
    stage: str
    reason: str
    person_id: PersonId | None = None
    utterance_id: UtteranceId | None = None
    turn_id: TurnId | None = None
    handoff_id: HandoffId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The stay is over; exactly one for each `joined`."""

    stay_id: StayId
    reason: str
    duration_ms: int


# What belongs to no stay: the first word of the name is its place ("BridgeReady" -> "discord.bridge.ready").


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeReady:
    """The account is connected, and sees so many rooms."""

    rooms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeStopped:
    """The account is connected no longer, and why (a bounded code)."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeDegraded:
    """A part of the house that belongs to no stay failed, and began anew; `reason` is how its life ended."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextIngress:
    """Somebody wrote. outcome: admitted | floor (the stay's own chat) | dropped; `reason` is the rule."""

    message_id: MessageId
    room_id: RoomId
    person_id: PersonId
    outcome: str
    reason: str
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReply:
    """What came of an admitted message.

    outcome: posted | answered_along (a later message's answer was for this one too) | silent | failed |
    taken_back (whoever wrote it deleted it).
    """

    message_id: MessageId
    room_id: RoomId
    outcome: str
    latency_ms: int
    characters: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainTool:
    """The captain used a tool, or might not. outcome: done | refused | failed; `reason` is a bounded code.

    `name` is one of the house's own tools, or "machine"; surface: text | voice | mixed_voice | operator.
    """

    handoff_id: HandoffId
    name: str
    surface: str
    outcome: str
    latency_ms: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainUsage:
    """What the captain's model read and wrote in one step; `stay_id` where somebody in a stay asked aloud."""

    handoff_id: HandoffId
    provider: str
    model: str
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    stay_id: StayId | None = None


StayReceipt: TypeAlias = (
    Joined
    | Consent
    | Utterance
    | Transcription
    | TextInput
    | FloorDecision
    | Floor
    | Overlap
    | Interrupted
    | ModelResponse
    | Usage
    | RealtimeTool
    | Playback
    | Response
    | Volition
    | Membership
    | Handoff
    | Degraded
    | Failed
    | Left
)
HouseReceipt: TypeAlias = (
    BridgeReady | BridgeStopped | BridgeDegraded | TextIngress | TextReply | CaptainTool | CaptainUsage
)
Receipt: TypeAlias = StayReceipt | HouseReceipt

# --- words, for those who may see them --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardWords:
    """A consented person's final line (never in a receipt)."""

    stay_id: StayId
    person_id: PersonId
    label: str
    text: str
    typed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """What the room really heard of him (never in a receipt)."""

    stay_id: StayId
    utterance_id: UtteranceId
    text: str
    whole: bool


PrivateWords: TypeAlias = HeardWords | SpokenWords

# --- watching -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a watcher is told: one receipt as written, with its wall-clock second since the epoch."""

    receipt: Receipt
    at: float
    json_line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Tell this mailbox of every receipt, and of the words as well if it `may_see_words`."""

    watcher: Mailbox[Recorded | PrivateWords]
    may_see_words: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptsAsked:
    """What happened last in this stay?"""

    stay: StayId
    reply_to: Mailbox[ReceiptsKnown]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptsKnown:
    """The last ten receipts of a stay, the oldest first; nothing from before this life of the record."""

    receipts: tuple[StayReceipt, ...]
    floor: str
    """How the floor stood last, as in its receipts; empty if nothing is known of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flush:
    """Everything recorded so far is on disk when `done` is told."""

    done: Mailbox[Flushed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flushed:
    """Answer to Flush; `lost` counts what could not be written since the start, `failed` says why not all is.

    It is an errno's name, or ETIMEDOUT; empty if all that was recorded is on disk or lost.
    """

    lost: int
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePerson:
    """Take this person out of what is kept: lines of transcripts, and, with `receipts`, the name in those.

    In receipts a pseudonym that means nothing takes the place of the name, so that what they prove stays.
    Answered with Purged, if anybody wants to know.
    """

    person: PersonId
    receipts: bool
    done: Mailbox[Purged] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """Answer to PurgePerson: transcript lines taken out, receipts changed, why not all (an errno's name)."""

    person: PersonId
    lines: int
    receipts: int
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceOpened:
    """To those who may want to watch: the record lives (perhaps a new life) and knows nobody yet."""

    record: Mailbox[Watch]


# --- facts from the port --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkFailed:
    """Nothing can be written at the moment. `reason` is an errno's name, such as ENOSPC."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkRestored:
    """What could not be written before is being written now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkSynced:
    """All that was handed over before the order with this token, or an earlier one, is on disk."""

    token: Token


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkPurged:
    """What became of the purge with this token: lines, receipts, and an errno's name if that is not all."""

    token: Token
    lines: int
    receipts: int
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceTick:
    """From the clock: see what has fallen due."""


EvidenceMessage: TypeAlias = (
    Receipt
    | PrivateWords
    | Watch
    | ReceiptsAsked
    | Flush
    | PurgePerson
    | SinkFailed
    | SinkRestored
    | SinkSynced
    | SinkPurged
    | EvidenceTick
)
