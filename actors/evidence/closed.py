"""The words that a receipt may say where there are only so many; any other is a mistake, and not written."""

from __future__ import annotations

from typing import Final

from messages.floor import Outcome, Trigger
from messages.stay import LeftReason

_TRIGGERS = tuple(each.value for each in Trigger)
CLOSED: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("consent", "phase"): ("granted", "refused", "withdrawn", "departed", "moved", "lost", "counted"),
    ("transcription", "outcome"): ("words", "empty", "dropped", "failed"),
    ("floor_decision", "heard_as"): ("empty", "none", "mentioned", "addressed"),
    ("floor_decision", "decision"): (
        *("ignore", "wake", "hold", "offer", "listen", "volition", "cut", "drop"),
    ),
    ("floor", "state"): ("dormant", "engaged"),
    ("overlap", "phase"): ("ducked", "resumed"),
    ("overlap", "reaction"): ("duck", "pause", "ignore"),
    ("interrupted", "rule"): ("control", "address", "content"),
    ("model_response", "phase"): ("requested", "completed", "failed"),
    ("model_response", "trigger"): _TRIGGERS,
    ("model_response", "outcome"): tuple(each.value for each in Outcome),
    ("usage", "service"): ("conversation", "transcription", "speech"),
    ("realtime_tool", "phase"): ("called", "answered"),
    ("realtime_tool", "outcome"): ("accepted", "handed_off", "taken_back", "refused", "error"),
    ("playback", "phase"): ("buffered", "started", "drained", "cut", "failed"),
    ("response", "trigger"): _TRIGGERS,
    ("volition", "outcome"): ("offered", "taken", "suppressed"),
    ("membership", "change"): ("arrived", "departed", "moved"),
    ("handoff", "phase"): ("began", "returned", "failed", "posted", "not_submitted"),
    ("degraded", "phase"): ("lost", "restored", "hindered", "freed", "restarted"),
    ("failed", "stage"): (
        *("capture", "transcription_session", "conversation_session", "captain_handoff"),
        *("speech_synthesis", "playback", "voice_link"),
    ),
    ("left", "reason"): tuple(each.value for each in LeftReason),
    ("text_ingress", "outcome"): ("admitted", "floor", "dropped"),
    ("text_reply", "outcome"): ("posted", "answered_along", "silent", "failed", "taken_back"),
    ("captain_tool", "surface"): ("text", "voice", "mixed_voice", "operator"),
    ("captain_tool", "outcome"): ("done", "refused", "failed"),
}
"""By kind and field; whatever is not here is an id, a count, or a bounded code that may grow."""
