"""What belongs to no stay explains itself as well, where it explains anything."""

from __future__ import annotations

from typing import get_args

import pytest

from actors.console.reasons import sentence
from messages import evidence as say
from messages.ids import HandoffId, MessageId, PersonId, RoomId

MESSAGE, ROOM, ANN = MessageId("m"), RoomId("r"), PersonId("ann")
LATE = "no answer came in time"


def captain(name: str, surface: str, outcome: str, reason: str | None = None) -> say.CaptainTool:
    return say.CaptainTool(
        handoff_id=HandoffId("h"), name=name, surface=surface, outcome=outcome, latency_ms=1, reason=reason
    )


SENTENCES: list[tuple[say.HouseReceipt, str | None]] = [
    (captain("voice_join", "text", "done"), "the captain was asked in writing to come, and did"),
    (
        captain("voice_join", "voice", "refused", "not_in_voice"),
        "the captain was asked aloud to come, and might not: whoever asked was in no voice channel",
    ),
    (
        captain("voice_leave", "text", "refused", "not_in_voice"),
        "the captain was asked in writing to leave, and might not: he was in no voice channel there",
    ),
    (
        captain("react", "text", "refused", "unknown_emoji"),
        "the captain was asked in writing to react to a message, and might not: unknown emoji",
    ),
    (
        captain("machine", "mixed_voice", "failed", "timeout"),
        f"the captain was asked by several people aloud to use a tool of a server, and could not: {LATE}",
    ),
    (
        captain("recall", "operator", "done"),
        "the captain was asked by the operator to say what is remembered, and did",
    ),
    (captain("new_tool", "telepathy", "odd"), "the captain was asked telepathy to use new_tool, odd"),
    (say.BridgeReady(rooms=1), None),
    (say.BridgeStopped(reason="token_refused"), None),
    (say.BridgeDegraded(part="captain", reason="crashed"), "captain failed and began anew: crashed"),
    (
        say.TextIngress(
            message_id=MESSAGE,
            room_id=ROOM,
            person_id=ANN,
            outcome="admitted",
            reason="mention",
            characters=1,
        ),
        None,
    ),
    (say.TextReply(message_id=MESSAGE, room_id=ROOM, outcome="posted", latency_ms=1), None),
    (say.CaptainUsage(handoff_id=HandoffId("h"), provider="openai", model="m", input_tokens=9), None),
]


@pytest.mark.parametrize(("receipt", "text"), SENTENCES)
def test_a_receipt_of_the_house_explains_itself_or_nothing(
    receipt: say.HouseReceipt, text: str | None
) -> None:
    assert sentence(receipt) == text


def test_no_kind_is_without_an_example_above() -> None:
    assert {type(receipt) for receipt, _ in SENTENCES} == set(get_args(say.HouseReceipt))
