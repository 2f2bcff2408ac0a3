"""One lent ear in the test's own hand: what it was sent, what it told, and the provider's part."""

from __future__ import annotations

import base64
from typing import TypeAlias

from actors.capture.decisions import Ask
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.settings import CaptureSettings
from actors.net.service import Service
from messages.capture import (
    CapturePortEvent,
    ListenerLost,
    ListenerSpent,
    TranscriptFailed,
    TranscriptReady,
)
from messages.ids import Connection, SegmentId
from tests.actors.net.by_hand import HandDial, HandLine, HandLoop

ONE, TWO = Connection(1), Connection(2)
FIRST, SECOND = SegmentId("ear.1"), SegmentId("ear.2")
TENTH = b"\x01\x02" * 2400
"""100 ms of sound: the least that may be committed."""
SERVICE = Service(base_url="https://api.example.com/v1", key="the-key")
_TRANSCRIPTION = "conversation.item.input_audio_transcription"


_Told: TypeAlias = TranscriptReady | TranscriptFailed | ListenerLost


class Ear:
    """A transcriber that is open and connected, on a loop and a dial by hand."""

    def __init__(
        self,
        settings: CaptureSettings | None = None,
        *,
        loop: HandLoop | None = None,
        listeners: Listeners | None = None,
    ) -> None:
        self.loop, self.dial = loop or HandLoop(), HandDial()
        self.told: list[_Told] = []
        self.spent: list[ListenerSpent] = []
        self.port = LiveTranscriber(
            self.loop,
            self.dial,
            SERVICE,
            settings or CaptureSettings(),
            listeners or Listeners(25),
            ("Clankie",),
        )
        self.port.open(self._take)
        self.port.connect(ONE)

    @property
    def line(self) -> HandLine[object]:
        return self.dial.last

    def _take(self, event: CapturePortEvent) -> None:
        if isinstance(event, ListenerSpent):
            self.spent.append(event)
        else:
            self.told.append(event)

    # --- the core's part

    def begin(self, segment: SegmentId = FIRST, connection: Connection = ONE) -> None:
        self.port.begin(connection, segment)

    def hear(self, tenths: int = 2, segment: SegmentId = FIRST) -> None:
        for _ in range(tenths):
            self.port.append(segment, TENTH)

    def guess(self, segment: SegmentId = FIRST) -> None:
        self.port.ask(segment, Ask.GUESS, False)

    def final(self, segment: SegmentId = FIRST, *, settled: bool = False) -> None:
        self.port.ask(segment, Ask.FINAL, settled)

    def say(self, segment: SegmentId = FIRST, connection: Connection = ONE) -> None:
        """A whole segment, whose final is awaited."""
        self.begin(segment, connection)
        self.hear(5, segment)
        self.final(segment)

    # --- the provider's part

    def stand(self) -> None:
        """The line stands, and the session is as it was asked to be."""
        self.line.open()
        self.line.come(type="session.created", session={"id": "s"})
        self.line.come(type="session.updated", session={})

    def committed(self, item: str) -> None:
        self.line.come(type="input_audio_buffer.committed", item_id=item, previous_item_id=None)

    def cleared(self) -> None:
        self.line.come(type="input_audio_buffer.cleared")

    def more(self, item: str, text: str) -> None:
        self.line.come(type=f"{_TRANSCRIPTION}.delta", item_id=item, delta=text)

    def written(self, item: str, text: str) -> None:
        self.line.come(type=f"{_TRANSCRIPTION}.completed", item_id=item, transcript=text)

    def failed(self, item: str, code: str = "server_error") -> None:
        self.line.come(type=f"{_TRANSCRIPTION}.failed", item_id=item, error={"code": code, "message": "no"})

    def refused(self, code: str, order: str | None = None) -> None:
        self.line.come(type="error", error={"type": "x", "code": code, "message": "no", "event_id": order})

    # --- what was seen

    def sent(self) -> list[str]:
        """The kinds of frame sent since the last time: `append` once for all that follow each other."""
        kinds = list[str]()
        for frame in self.line.take():
            kind = str(frame["type"]).removeprefix("input_audio_buffer.")
            if not (kind == "append" and kinds[-1:] == ["append"]):
                kinds.append(kind)
        return kinds

    def sound(self) -> bytes:
        """All the sound that was sent since the last time."""
        frames = self.line.take()
        return b"".join(base64.b64decode(str(frame["audio"])) for frame in frames if "audio" in frame)

    def orders(self, kind: str = "commit") -> list[str]:
        """The names of the commits (or clears) that were sent since the last time."""
        return [str(f["event_id"]) for f in self.line.take() if f["type"] == f"input_audio_buffer.{kind}"]

    def news(self) -> list[tuple[str, str]]:
        """What was told since the last time: "final" or "partial" and what, "failed" or "lost" and why."""
        told, self.told[:] = list(self.told), []
        return [_short(event) for event in told]


def _short(event: _Told) -> tuple[str, str]:
    match event:
        case TranscriptReady(text=text, final=final):
            return "final" if final else "partial", text
        case TranscriptFailed(reason=reason):
            return "failed", reason
        case ListenerLost(reason=reason):
            return "lost", reason


def heard(settings: CaptureSettings | None = None, tenths: int = 5) -> Ear:
    """An ear whose line stands, and that has sent some sound of its first segment, which is taken."""
    ear = Ear(settings)
    ear.begin()
    ear.stand()
    ear.hear(tenths)
    ear.line.take()
    return ear
