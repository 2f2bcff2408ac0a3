"""A receipt in one plain sentence, for whoever wants to know why; it has ids, and nobody's words."""

from __future__ import annotations

from typing import Final, assert_never

from messages.evidence import (
    BridgeDegraded,
    BridgeReady,
    BridgeStopped,
    CaptainTool,
    CaptainUsage,
    Consent,
    Degraded,
    Failed,
    Floor,
    FloorDecision,
    Handoff,
    Interrupted,
    Joined,
    Left,
    Membership,
    ModelResponse,
    Overlap,
    Playback,
    RealtimeTool,
    Receipt,
    Response,
    TextIngress,
    TextInput,
    TextReply,
    Transcription,
    Usage,
    Utterance,
    Volition,
)
from messages.reasons import in_words

_STAGES: Final = {
    "capture": "a microphone could not be heard",
    "transcription_session": "speech could not be turned into words",
    "conversation_session": "the conversation model could not answer",
    "captain_handoff": "the captain could not be reached",
    "speech_synthesis": "words could not be turned into speech",
    "playback": "speech could not be played",
    "voice_link": "the voice link did not carry sound",
}
"""What it means that a stage failed."""
_LENT: Final = ("transcription_session", "conversation_session", "speech_synthesis")
"""What a provider may do for him; the reasons of the other stages are not about providers."""


_ASKED: Final = {
    "text": "in writing",
    "voice": "aloud",
    "mixed_voice": "by several people aloud",
    "operator": "by the operator",
}
_TO_DO: Final = {
    "voice_join": "come",
    "voice_leave": "leave",
    "react": "react to a message",
    "unreact": "take a reaction back",
    "create_thread": "begin a thread",
    "join_thread": "join a thread",
    "send_text_update": "write meanwhile",
    "watch_start": "open the activity",
    "watch_stop": "close the activity",
    "observe_room": "look around",
    "remember": "remember something",
    "recall": "say what is remembered",
    "machine": "use a tool of a server",
}
_IN_THE_WAY: Final = {
    "authority": "whoever asked may not have that done",
    "allowlist": "that channel is on no list of his",
    "not_in_voice": "whoever asked was in no voice channel",
    "voice_disabled": "voice is switched off",
    "other_guild": "he was in a voice channel elsewhere",
    "no_owner": "no owner is configured",
    "ambiguous": "the owner was in several voice channels",
    "failed": "the voice channel could not be reached",
    "closed": "somebody closed it meanwhile",
    "denied": "somebody said no",
    "confirmed_by_nobody": "nobody pressed the button in time",
    "forbidden": "he lacked the permission there",
    "mistaken": "the call made no sense",
    "refused": "Discord did not take it",
    "no_such_tool": "there is no such tool",
    "not_offered": "it cannot be used in such a turn",
    "server_gone": "that server stopped",
    "not_sent": "that server was not there any more",
    "tool_error": "the tool said that it failed",
}
"""Why he did not do something, where messages.reasons would speak of a provider, or has no words."""
_ENDED: Final = {"done": "and did", "refused": "and might not", "failed": "and could not"}


def sentence(receipt: Receipt) -> str | None:
    """Say what a receipt explains; None if it explains nothing."""
    match receipt:
        case Joined() | Left() | Membership():
            return _presence(receipt)
        case Consent():
            return _consent(receipt)
        case Transcription():
            return _transcription(receipt)
        case FloorDecision() | Floor() | Volition():
            return _floor(receipt)
        case Overlap() | Interrupted():
            return _overlap(receipt)
        case ModelResponse() | Response() | RealtimeTool() | Handoff():
            return _turn(receipt)
        case Playback():
            return _playback(receipt)
        case Degraded():
            return _degraded(receipt)
        case BridgeDegraded():
            return f"{receipt.part} failed and began anew: {receipt.reason}"
        case Failed():
            return failed(receipt.stage, receipt.reason)
        case CaptainTool():
            return _captain(receipt)
        case Utterance() | TextInput() | Usage() | CaptainUsage():
            return None
        case BridgeReady() | BridgeStopped() | TextIngress() | TextReply():
            return None
        case _:
            assert_never(receipt)


def failed(stage: str, reason: str | None) -> str:
    """Say that a stage failed, and why if that is known."""
    why = _explained(reason) if stage in _LENT else _because(reason)
    return f"{_STAGES.get(stage, f'{stage} failed')}{why}"


def _presence(receipt: Joined | Left | Membership) -> str:
    match receipt:
        case Joined():
            return f"he came into room {receipt.room_id} with {receipt.humans} people, {receipt.encryption}"
        case Left():
            return f"he left: {receipt.reason}"
        case Membership():
            return f"{receipt.person_id} {receipt.change}; people in the room: {receipt.humans}"
        case _:
            assert_never(receipt)


def _because(reason: str | None) -> str:
    return f": {reason}" if reason else ""


def _explained(reason: str | None) -> str:
    return _because(reason and in_words(reason))


def _playback(receipt: Playback) -> str | None:
    ended = {"cut": "was cut", "failed": "failed"}.get(receipt.phase)
    return f"his speech {ended}{_explained(receipt.reason)}" if ended else None


def _captain(receipt: CaptainTool) -> str:
    how = _ASKED.get(receipt.surface, receipt.surface)
    what = _TO_DO.get(receipt.name, f"use {receipt.name}")
    ended = _ENDED.get(receipt.outcome, receipt.outcome)
    why = _because(_in_the_way(receipt.name, receipt.reason) if receipt.reason else None)
    return f"the captain was asked {how} to {what}, {ended}{why}"


def _in_the_way(name: str, reason: str) -> str:
    """A code without words of its own is English enough without its underscores."""
    if (name, reason) == ("voice_leave", "not_in_voice"):
        return "he was in no voice channel there"
    return _IN_THE_WAY.get(reason) or in_words(reason).replace("_", " ")


def _degraded(receipt: Degraded) -> str:
    match receipt.phase:
        case "hindered":
            return f"the server is in the way of his voice: {receipt.reason}"
        case "freed":
            return f"the server is in the way of his voice no longer: {receipt.reason}"
        case "restarted":
            return f"{receipt.part} failed and began anew: {receipt.reason}"
        case _:
            where = f" to room {receipt.room_id}" if receipt.room_id is not None else ""
            return f"the voice link is {receipt.phase}: {receipt.reason}{where}"


def _consent(receipt: Consent) -> str | None:
    if receipt.phase == "counted":
        return None
    return f"consent of {receipt.person_id}: {receipt.phase}"


def _transcription(receipt: Transcription) -> str | None:
    if receipt.outcome == "words":
        return None
    return f"what {receipt.person_id} said gave no words: {receipt.outcome}{_explained(receipt.reason)}"


def _floor(receipt: FloorDecision | Floor | Volition) -> str:
    match receipt:
        case FloorDecision():
            line = f"a line of {receipt.person_id} was heard as {receipt.heard_as}"
            return f"{line}: {receipt.decision}{_because(receipt.rule)}"
        case Floor():
            return f"the floor is {receipt.state}{_because(receipt.rule)}"
        case Volition():
            return f"speaking unasked was {receipt.outcome}"
        case _:
            assert_never(receipt)


def _overlap(receipt: Overlap | Interrupted) -> str:
    match receipt:
        case Overlap():
            return f"{receipt.person_id} talked over him: {receipt.phase}, {receipt.reaction}"
        case Interrupted():
            return f"{receipt.person_id} cut him off: {receipt.rule}"
        case _:
            assert_never(receipt)


def _turn(receipt: ModelResponse | Response | RealtimeTool | Handoff) -> str | None:
    match receipt:
        case ModelResponse():
            if receipt.phase == "requested":
                return f"a turn was asked for: {receipt.trigger}"
            outcome = receipt.outcome or receipt.phase
            return f"the turn for {receipt.trigger} ended {outcome}{_explained(receipt.reason)}"
        case Response():
            return f"he was heard, {'to the end' if receipt.whole else 'in part'}: {receipt.trigger}"
        case RealtimeTool():
            answered = receipt.phase == "answered"
            return f"tool {receipt.name}: {receipt.outcome or receipt.phase}" if answered else None
        case Handoff():
            return f"work of the captain for {receipt.asker_id}: {receipt.phase}{_because(receipt.reason)}"
        case _:
            assert_never(receipt)
