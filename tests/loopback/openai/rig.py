"""OpenAI's ear and mind with their server, for tests of what faults leave behind."""

from __future__ import annotations

import json
from typing import Final

from actors.capture.decisions import Ask
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.settings import CaptureSettings
from actors.net.cable import Limits
from actors.realtime.items import Heard, Said
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.settings import RealtimeSettings
from messages.audio import FRAME_BYTES
from messages.capture import ListenerLost, ListenerSpent, TranscriptReady
from messages.ids import Connection, ResponseId, SegmentId, UtteranceId
from messages.realtime import ConversationLost, ModelSpent, ResponseEnded, ResponseEnding, ResponseText
from tests.actors.realtime.live.dialogue import SEED, brief, line
from tests.loopback.openai.conversation import Conversation
from tests.loopback.openai.mind import HELD, Asked, Reply
from tests.loopback.openai.server import OpenAi
from tests.loopback.openai.transcription import Listener
from tests.loopback.providers import Ground, Parting
from tests.loopback.rig import LATE, MUCH, MUCH_TEXT, PATIENCE, PROSE, Rig

FRAMES: Final = 15


class EarRig(Rig):
    """The ear that OpenAI lends, while somebody speaks."""

    fine = (TranscriptReady, ListenerSpent)

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(limits)
        self.server = OpenAi(hear=lambda _: "Hello there.")
        self.listeners = Listeners(2)

    @property
    def ground(self) -> Ground:
        return self.server.ground

    @property
    def listener(self) -> Listener:
        """The server's end, as what it is."""
        assert isinstance(self.socket, Listener)
        return self.socket

    def serve(self) -> None:
        self.server.__enter__()
        settings = CaptureSettings()
        self.port = LiveTranscriber(
            self.io, self.dial, self.server.service, settings, self.listeners, ("Clankie",)
        )
        self.port.open(self.told.tell)

    def stop_serving(self) -> None:
        self.server.close()
        assert self.server.violations == [], self.server.violations

    def connect(self) -> None:
        self.port.connect(Connection(self.connection))

    def say(self) -> None:
        self._hear(FRAMES)

    def reached(self) -> None:
        listener = self.listener
        self.server.until(lambda: listener.buffered_ms > 0)

    def sounding(self) -> None:
        self.reached()
        listener = self.listener
        listener.delta("Hel")
        self._item = listener._item
        while self.told.expect(TranscriptReady, PATIENCE).segment != self._segment:
            pass

    def drop(self) -> None:
        self.port.drop(self._segment)

    def dropped(self) -> None:
        self.listener.wait_for("input_audio_buffer.clear", PATIENCE)

    def whole(self) -> None:
        self.server.habits.hold_transcripts = False
        self._hear(FRAMES)
        self.port.ask(self._segment, Ask.FINAL, False)
        while not (ready := self.told.expect(TranscriptReady, PATIENCE)).final:
            pass
        assert (ready.connection, ready.segment) == (self.connection, self._segment)
        assert ready.text == "Hello there."

    def pour(self) -> None:
        self.port.append(self._segment, bytes(MUCH))

    def go_on(self) -> None:
        self.told.clear()
        kind = "conversation.item.input_audio_transcription.delta"
        late = {"type": kind, "item_id": self._item, "content_index": 0, "delta": LATE}
        self.listener.send(late)
        self.whole()
        assert {one.segment for one in self.told.received() if isinstance(one, TranscriptReady)} == {
            self._segment
        }

    def refuse(self) -> None:
        self.listener.complain_of("insufficient_quota")
        self.listener.close(1008, PROSE)

    def complaint(self) -> str:
        return complaint()

    def idle(self) -> None:
        self.listener.close(1001, PROSE)

    def when_left(self, parting: Parting) -> None:
        self.socket.parting = parting

    def lost(self, reason: str) -> ListenerLost:
        return ListenerLost(connection=Connection(self.connection), reason=reason)

    def held_by_server(self) -> list[str]:
        open_ones = [one for one in self.server.listeners if not one.over]
        return [
            *(name for one in open_ones for name in one.held),
            *("sound" for one in open_ones if one.buffered_ms),
        ]

    def held_by_port(self) -> list[str]:
        session = self.port._session
        assert self.listeners.open == (session is not None)
        return [] if session is None else list(session._segments)

    def close(self) -> None:
        self.port.close()

    @property
    def _segment(self) -> SegmentId:
        return SegmentId(f"ear.{self.number}")

    def _hear(self, frames: int) -> None:
        self.next_number()
        self.port.begin(Connection(self.connection), self._segment)
        for _ in range(frames):
            self.port.append(self._segment, b"\1\0" * (FRAME_BYTES // 2))


class OwingRig(EarRig):
    """The same ear, while words of somebody who has finished are awaited."""

    def say(self) -> None:
        self.server.habits.hold_transcripts = True
        super().say()
        self.port.ask(self._segment, Ask.FINAL, False)

    def reached(self) -> None:
        self.server.until(lambda: self.listener.held)

    def sounding(self) -> None:
        self.reached()

    def dropped(self) -> None:
        """The server is told nothing of it; its words are dropped when they come."""
        self.listener.release()

    def go_on(self) -> None:
        self.told.clear()
        self.listener.release()
        self.whole()
        assert {one.segment for one in self.told.received() if isinstance(one, TranscriptReady)} == {
            self._segment
        }

    def pour(self) -> None:
        self._hear(1)
        super().pour()


class MindRig(Rig):
    """The conversation with OpenAI's Realtime."""

    fine = (ResponseText, ModelSpent)

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(limits)
        self.server = OpenAi(think=self._think)
        self._holds = False

    @property
    def ground(self) -> Ground:
        return self.server.ground

    @property
    def conversation(self) -> Conversation:
        """The server's end, as what it is."""
        assert isinstance(self.socket, Conversation)
        return self.socket

    def serve(self) -> None:
        self.server.__enter__()
        self.port = LiveConversation(self.io, self.dial, self.server.service, RealtimeSettings())
        self.port.open(self.told.tell)

    def stop_serving(self) -> None:
        self.server.close()
        assert self.server.violations == [], self.server.violations

    def connect(self) -> None:
        self.port.connect(Connection(self.connection), SEED)

    def say(self) -> None:
        self._holds = True
        self._ask()

    def reached(self) -> None:
        self.conversation.wait_held()

    def sounding(self) -> None:
        self.reached()
        self.conversation.go_on()
        self._item = str(self.conversation.history.all[-1]["id"])
        while self.told.expect(ResponseText, PATIENCE).response != self._response:
            pass

    def drop(self) -> None:
        self.port.cancel(Connection(self.connection), self._response)
        said = Said(utterance=UtteranceId(f"t{self.number}-speech"), text="One", interrupted=True)
        self.port.add(Connection(self.connection), said)

    def dropped(self) -> None:
        self.conversation.wait_for("response.cancel", PATIENCE)

    def whole(self) -> None:
        self._holds = False
        self._ask()
        ended = self.told.expect(ResponseEnded, PATIENCE)
        assert (ended.connection, ended.response) == (self.connection, self._response)
        assert ended.ending is ResponseEnding.COMPLETED

    def pour(self) -> None:
        self.port.add(Connection(self.connection), Heard(line=line(MUCH_TEXT)))

    def go_on(self) -> None:
        conversation = self.conversation
        self.told.clear()
        frame = {"response_id": conversation.responses[-1].id, "item_id": self._item, "delta": LATE}
        conversation.send({"type": "response.output_text.delta", **frame})
        self.whole()
        texts = [one for one in self.told.received() if isinstance(one, ResponseText)]
        assert {one.response for one in texts} == {self._response}

    def refuse(self) -> None:
        self.conversation.complain_of("insufficient_quota")
        self.conversation.close(1008, PROSE)

    def complaint(self) -> str:
        return complaint()

    def idle(self) -> None:
        self.conversation.close(1001, PROSE)

    def when_left(self, parting: Parting) -> None:
        self.socket.parting = parting

    def lost(self, reason: str) -> ConversationLost:
        return ConversationLost(connection=Connection(self.connection), reason=reason)

    def idle_news(self) -> list[object]:
        """Its end is always told: what was said on it must be told to the next one."""
        return [self.lost("session_expired")]

    def reopen(self) -> None:
        self.connect_anew()

    def bad_news(self) -> list[object]:
        return [
            one
            for one in super().bad_news()
            if not (isinstance(one, ResponseEnded) and one.ending is ResponseEnding.COMPLETED)
        ]

    def held_by_server(self) -> list[str]:
        return [one.active.id for one in self.server.conversations if not one.over and one.active is not None]

    def held_by_port(self) -> list[str]:
        if (talk := self.port._talk) is None:
            return []
        return [one.response for one in (talk._session._asked, talk._session._next) if one is not None]

    def close(self) -> None:
        self.port.close()

    @property
    def _response(self) -> ResponseId:
        return ResponseId(f"t{self.number}-1")

    def _ask(self) -> None:
        self.next_number()
        self.port.respond(Connection(self.connection), self._response, brief(f"t{self.number}"))

    def _think(self, _: Asked) -> Reply:
        return Reply(pieces=("One ", "two ", "three"), pause=HELD if self._holds else 0.0)


def complaint() -> str:
    """An error frame with prose."""
    return json.dumps({"type": "error", "error": {"code": "insufficient_quota", "message": PROSE}})
