"""What minds and ears in the cloud write over their sockets."""

from __future__ import annotations

import json
from typing import Final

from actors.net.service import Service
from actors.realtime.items import CallAnswered
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.settings import RealtimeSettings
from messages.capture import TranscriptReady
from messages.ids import CallId
from messages.realtime import ConversationLost, RealtimePortEvent, ResponseEnded, ToolCalled
from tests.actors.capture.live.ear import FIRST, SECOND, Ear
from tests.actors.net.by_hand import HandDial, HandLoop
from tests.actors.realtime.live.dialogue import ONE, R1, R2, SEED, brief, call, heard, message
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack
from tests.reliability.fuzz.told import writable

KEY: Final = "sk-secret-of-the-house"
_REALTIME: Final = "actors/realtime/live/"


def frame(**fields: object) -> bytes:
    """One frame of a provider's."""
    return json.dumps(fields).encode()


def text(data: bytes) -> str:
    """A frame as the line decodes it, which refuses what is no UTF-8."""
    return data.decode("utf-8", "replace")


# --- the conversation -------------------------------------------------------------------------------


def _answer(name: str, turn: str, *output: object, status: str = "completed") -> list[bytes]:
    meta = {"turn": turn, "trigger": "address"}
    usage = {"input_tokens": 5, "output_tokens": 7, "input_token_details": {"cached_tokens": 1}}
    response = {"id": name, "status": status, "metadata": meta, "output": output, "usage": usage}
    return [
        frame(type="response.created", response={"id": name, "status": "in_progress", "metadata": meta}),
        frame(type="response.output_item.added", response_id=name, item={"id": "a1", "type": "message"}),
        frame(type="conversation.item.added", item={"id": "a1", "type": "message"}, previous_item_id=None),
        frame(type="response.output_text.delta", response_id=name, item_id="a1", delta="Hello "),
        frame(type="response.function_call_arguments.delta", response_id=name, delta="{"),
        frame(type="response.done", response=response),
    ]


def _conversation_seeds() -> list[bytes]:
    created = frame(type="session.created", session={"id": "s", "expires_at": 1_000_100.0})
    error = {"type": "invalid_request_error", "code": "session_expired", "message": KEY, "event_id": None}
    failed = {"type": "failed", "reason": "x", "error": {"code": "insufficient_quota", "type": "y"}}
    done = {"id": "r1", "status": "failed", "status_details": failed, "metadata": {"turn": "t1"}}
    return [
        pack([created, *_answer("r1", "t1", message("Hello."), call()), *_answer("r2", "t2")]),
        pack([created, *_answer("stranger", "none", call(call_id="call-9")), *_answer("r1", "t1", call())]),
        pack(
            [
                created,
                frame(type="error", error=error),
                *_answer("r1", "t1", message("x"), status="cancelled"),
            ]
        ),
        pack([created, *_answer("r1", "t1")[:2], frame(type="response.done", response=done)]),
    ]


class _Mind:
    """A conversation in which two questions are asked, one is corrected, and calls are answered."""

    def __init__(self) -> None:
        self.loop, self.dial = HandLoop(), HandDial()
        self.told: list[RealtimePortEvent] = []
        service = Service(base_url="https://api.example.com/v1", key=KEY)
        self.port = LiveConversation(
            self.loop, self.dial, service, RealtimeSettings(), wall=lambda: 1_000_000.0 + self.loop.now()
        )
        self.port.open(self.take)
        self.port.connect(ONE, SEED)
        self.port.respond(ONE, R1, brief())
        self.dial.last.open()

    def take(self, event: RealtimePortEvent) -> None:
        """Whoever called is answered at once."""
        self.told.append(event)
        if isinstance(event, ToolCalled):
            self.port.add(ONE, CallAnswered(call=event.call, outcome="done", text="It is so."))

    def between(self, place: int) -> None:
        """What the house does meanwhile."""
        if place == 4:
            self.port.add(ONE, heard("Hel"))
        elif place == 6:
            self.port.respond(ONE, R2, brief("t2"))
        elif place == 9:
            self.port.cancel(ONE, R2)
        self.loop.clock.advance(0.5)


def _conversation(data: bytes) -> None:
    mind = _Mind()
    for place, part in enumerate(unpack(data)):
        mind.dial.last.say(text(part))
        mind.between(place)
    writable(*mind.told)
    lost = [one for one in mind.told if isinstance(one, ConversationLost)]
    ends = [one.response for one in mind.told if isinstance(one, ResponseEnded)]
    if len(lost) > 1 or len(ends) != len(set(ends)):
        raise Broken("something has ended twice")
    json.dumps(mind.dial.last.sent, ensure_ascii=False).encode()
    if any(isinstance(one, ToolCalled) and one.call == CallId("") for one in mind.told):
        raise Broken("a call without a name")


# --- the transcription ------------------------------------------------------------------------------


def _ear_frames() -> list[bytes]:
    kind = "conversation.item.input_audio_transcription"
    usage = {"type": "duration", "seconds": 2}
    return [
        frame(type="session.created", session={"id": "s"}),
        frame(type="session.updated", session={}),
        frame(type="input_audio_buffer.committed", item_id="i1", previous_item_id=None),
        frame(type=f"{kind}.delta", item_id="i1", delta="Hello "),
        frame(type=f"{kind}.completed", item_id="i1", transcript="Hello there.", usage=usage),
        frame(type="input_audio_buffer.cleared"),
        frame(type="input_audio_buffer.committed", item_id="i2", previous_item_id="i1"),
        frame(type=f"{kind}.failed", item_id="i2", error={"code": "server_error", "message": KEY}),
        frame(type="error", error={"type": "x", "code": "input_audio_buffer_commit_empty", "event_id": None}),
    ]


def _transcription(data: bytes) -> None:
    ear = Ear()
    ear.say(FIRST)
    ear.line.open()
    for place, part in enumerate(unpack(data)):
        ear.line.say(text(part))
        if place == 3:
            ear.say(SECOND)
        elif place == 5:
            ear.guess(SECOND)
            ear.port.drop(FIRST)
        ear.loop.clock.advance(0.5)
    writable(*ear.told, *ear.spent)
    finals = [one.segment for one in ear.told if isinstance(one, TranscriptReady) and one.final]
    if len(finals) != len(set(finals)):
        raise Broken("a segment has two finals")


TARGETS: Final = (
    Target(
        name="realtime",
        of="provider frames",
        feed=_conversation,
        seeds=_conversation_seeds,
        readers=(
            *(f"{_REALTIME}{one}.py" for one in ("wire", "session", "ledger", "question", "talk")),
            "actors/net/usage.py",
            "actors/net/reasons.py",
        ),
        form=Form.JSON,
        sequence=True,
        secrets=(KEY,),
    ),
    Target(
        name="transcription",
        of="provider frames",
        feed=_transcription,
        seeds=lambda: [pack(_ear_frames()), pack(_ear_frames()[:2] + _ear_frames()[:1:-1])],
        readers=tuple(
            f"actors/capture/live/{one}.py" for one in ("wire", "session", "pieces", "transcriber")
        ),
        form=Form.JSON,
        sequence=True,
        secrets=(KEY,),
    ),
)
