"""A transcription: sound is appended and committed, and comes back as words, in whatever order it likes."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from aiohttp import web

from tests.loopback.discord.body import Body, Json
from tests.loopback.openai.config import LIVE_MODELS
from tests.loopback.openai.growing import Growing
from tests.loopback.openai.hearing import Deaf, Hearing
from tests.loopback.openai.refusals import PROSE, wrong
from tests.loopback.openai.session import Habits, Session, new_id, unknown_event
from tests.loopback.providers import Ground

BYTES_A_MILLISECOND: Final = 48
LARGEST_APPEND: Final = 15 << 20
SHORTEST_COMMIT_MS: Final = 100
LIVE_SECONDS: Final = 0.6
_EVENT = "conversation.item.input_audio_transcription"


class Listener(Session):
    """A session of /v1/realtime?intent=transcription; see Session and Socket for what goes wrong with it.

    `live`: whether it listens while sound comes, as the live models do. If not, a test says what is heard
    meanwhile with `delta`.
    """

    def __init__(
        self, ground: Ground, request: web.Request, habits: Habits, hearing: Hearing, *, live: bool
    ) -> None:
        super().__init__(ground, request, habits, None)
        self.appended_ms = 0
        """Everything that was ever appended, which is what would be billed."""
        self.written_ms = 0
        """What was written down."""
        self.committed: list[str] = []
        """The items that were committed, in order."""
        self.held: list[str] = []
        """The items whose words are known and wait for `release` (Habits.hold_transcripts)."""
        self._hearing = hearing
        self._live = live
        self._sound = bytearray()
        self._item = new_id("item")
        self._growing = Growing()
        self._listened_to = 0
        self._listening = False
        self._outcomes: dict[str, tuple[Growing, str | Deaf, float]] = {}

    @property
    def model(self) -> str:
        """The model that it was told to write with, if any."""
        return Body(self.config).body("audio").body("input").body("transcription").text("model")

    @property
    def buffered_ms(self) -> int:
        """What is appended and neither committed nor cleared."""
        return len(self._sound) // BYTES_A_MILLISECOND

    # --- for a test, from any thread -----------------------------------------------------------------

    def delta(self, text: str) -> None:
        """Say that this was heard just now in what is being appended."""
        self._ground.run(lambda: self._tell(self._item, text))

    def release(self, *places: int) -> None:
        """Send the transcripts that are held, in this order of their places in `held`, or all of them."""

        def change() -> None:
            names = [self.held[place] for place in places] if places else list(self.held)
            for name in names:
                self.held.remove(name)
                self._conclude(name)

        self._ground.run(change)

    # --- events -------------------------------------------------------------------------------------

    def take(self, event: Body) -> None:
        """Deal with one event of the client's; raises Refused."""
        match event.text("type"):
            case "session.update":
                self.update(event.body("session"))
            case "input_audio_buffer.append":
                self._append(event)
            case "input_audio_buffer.commit":
                self._commit()
            case "input_audio_buffer.clear":
                self._begin_item()
                self.emit("input_audio_buffer.cleared")
            case kind:
                raise unknown_event(kind)

    def _append(self, event: Body) -> None:
        try:
            sound = base64.b64decode(event.text("audio"), validate=True)
        except binascii.Error:
            raise wrong("Invalid 'audio': not base64.", "audio", "invalid_value") from None
        if not sound or len(sound) % 2:
            raise wrong("Invalid 'audio': expected whole samples.", "audio", "invalid_value")
        if len(sound) > LARGEST_APPEND:
            raise wrong("Invalid 'audio': more than 15 MiB.", "audio", "string_above_max_length")
        self._sound += sound
        self.appended_ms += len(sound) // BYTES_A_MILLISECOND
        self._listen()

    def _commit(self) -> None:
        if self.buffered_ms < SHORTEST_COMMIT_MS:
            raise wrong(
                "Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, "
                f"but buffer only has {self.buffered_ms:.2f}ms of audio.",
                None,
                "input_audio_buffer_commit_empty",
            )
        if not self.model:
            self.break_rule(wrong("Sound was committed that no model was to write down."))
        name, growing, sound = self._item, self._growing, bytes(self._sound)
        previous = self.committed[-1] if self.committed else None
        self.committed.append(name)
        self._begin_item()
        item = _user_item(name)
        self.emit("input_audio_buffer.committed", item_id=name, previous_item_id=previous)
        self.emit("conversation.item.added", item=item, previous_item_id=previous)
        self.emit("conversation.item.done", item=item, previous_item_id=previous)
        if not self.model:
            return
        seconds = len(sound) / BYTES_A_MILLISECOND / 1000
        self._hearing.ask(sound, lambda outcome: self._heard(name, growing, outcome, seconds))

    def _begin_item(self) -> None:
        self._sound.clear()
        self._item, self._growing, self._listened_to = new_id("item"), Growing(), 0

    # --- words ----------------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Hear once more what is not committed yet, if there is enough of it that is new."""
        enough = len(self._sound) - self._listened_to >= LIVE_SECONDS * 1000 * BYTES_A_MILLISECOND
        if not (self._live and enough and self.model in LIVE_MODELS) or self._listening:
            return
        if not self._hearing.idle:  # a final must never wait for more than one partial
            return
        self._listening, self._listened_to = True, len(self._sound)
        name, growing = self._item, self._growing

        def heard(outcome: str | Deaf) -> None:
            self._listening = False
            if name == self._item and isinstance(outcome, str) and (fresh := growing.heard(outcome)):
                self._delta(name, fresh)
            self._listen()

        self._hearing.ask(bytes(self._sound), heard)

    def _heard(self, name: str, growing: Growing, outcome: str | Deaf, seconds: float) -> None:
        if self.habits.failing_transcripts:
            outcome = Deaf(self.habits.failing_transcripts.popleft())
        self._outcomes[name] = (growing, outcome, seconds)
        if self.habits.hold_transcripts:
            self.held.append(name)
        else:
            self._conclude(name)

    def _conclude(self, name: str) -> None:
        growing, outcome, seconds = self._outcomes.pop(name)
        if isinstance(outcome, Deaf):
            error = {"type": "server_error", "code": str(outcome), "message": PROSE, "param": None}
            self.emit(f"{_EVENT}.failed", item_id=name, content_index=0, error=error)
            return
        if fresh := growing.finally_heard(outcome):
            self._delta(name, fresh)
        known: Json = {} if self.model in LIVE_MODELS else {"languages": []}
        self.written_ms += round(1000 * seconds)
        usage = {"type": "duration", "seconds": seconds}
        self.emit(
            f"{_EVENT}.completed", item_id=name, content_index=0, transcript=outcome, usage=usage, **known
        )

    def _tell(self, name: str, text: str) -> None:
        self._growing.said(text)
        self._delta(name, text)

    def _delta(self, name: str, text: str) -> None:
        self.emit(f"{_EVENT}.delta", item_id=name, content_index=0, delta=text)


def _user_item(name: str) -> Json:
    content = [{"type": "input_audio", "transcript": None}]
    return {
        "id": name,
        "object": "realtime.item",
        "type": "message",
        "status": "completed",
        "role": "user",
        "content": content,
    }
