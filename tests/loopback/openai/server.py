"""A whole OpenAI on 127.0.0.1, as far as this house speaks to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self, TypeVar

from aiohttp import web

from actors.net.service import Service
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.humming import hum
from tests.loopback.openai.config import CONVERSATION_MODELS
from tests.loopback.openai.conversation import Conversation
from tests.loopback.openai.hearing import Hear, Hearing
from tests.loopback.openai.mind import Asked, Reply, Think, nothing
from tests.loopback.openai.minds import Brains
from tests.loopback.openai.refusals import PROSE, no_model, wrong_key
from tests.loopback.openai.rest import Rest
from tests.loopback.openai.session import Habits, Session
from tests.loopback.openai.transcription import Listener
from tests.loopback.providers import Ground

T = TypeVar("T")
KEY: Final = "sk-loopback-c0ffee"
NO_SUCH_MODEL = 4_000
"""The code of the close that follows a model that does not exist."""


class OpenAi:
    """Use it as a context manager; a client reaches it with `service`, and nothing else.

    `conversations` and `listeners` are its sockets, `rest` is its HTTP side, `habits` and `ground` are how
    it behaves from then on: `ground.refuse_next`, `ground.parting`, `ground.until`. With `live` the live
    models listen while sound comes, which asks `hear` again and again for the same sound.
    """

    def __init__(
        self,
        *,
        think: Think = nothing,
        hear: Hear = lambda _: "",
        live: bool = False,
        brains: Brains | None = None,
        key: str = KEY,
        session_seconds: float | None = None,
    ) -> None:
        self.ground = Ground("openai")
        self.key = key
        self.think = think
        self.live = live
        self.models = list(CONVERSATION_MODELS)
        """The models that converse."""
        self.habits = Habits()
        if session_seconds is not None:
            self.habits.session_seconds = session_seconds
        self.rest = Rest(self.ground, key, brains or Brains(think=self._think, speak=hum, hear=hear))
        self.hearing = Hearing(self.ground, hear)
        """Whoever listens; its `hear` may be replaced."""
        self._listeners: list[Listener] = []
        self._conversations: list[Conversation] = []
        self.ground.application.router.add_get("/v1/realtime", self._serve)
        self.rest.mount()

    # --- what a client needs -----------------------------------------------------------------------

    @property
    def service(self) -> Service:
        """Where it is, and its key."""
        return Service(base_url=f"http://127.0.0.1:{self.ground.port}/v1", key=self.key)

    # --- what a test sees and does ------------------------------------------------------------------

    @property
    def violations(self) -> list[str]:
        """The rules of OpenAI that were broken."""
        return self.ground.violations

    @property
    def conversations(self) -> Sequence[Conversation]:
        """Every conversation that was ever opened, in order."""
        return self._conversations

    @property
    def listeners(self) -> Sequence[Listener]:
        """Every transcription that was ever opened, in order."""
        return self._listeners

    def conversation(self, place: int = -1, seconds: float = DEADLINE_SECONDS) -> Conversation:
        """The conversation of this place in order of opening, once it is there."""
        return self._wait_for(self._conversations, place, seconds)

    def listener(self, place: int = -1, seconds: float = DEADLINE_SECONDS) -> Listener:
        """The transcription of this place in order of opening, once it is there."""
        return self._wait_for(self._listeners, place, seconds)

    def until(self, predicate: Callable[[], T], seconds: float = DEADLINE_SECONDS, what: str = "that") -> T:
        """Wait until something is true and return it; see Ground.until."""
        return self.ground.until(predicate, seconds, what)

    # --- its life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self.ground.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every connection, the listener, the loop and both threads."""
        try:
            self.hearing.close()
        finally:
            self.ground.close()

    # --- inside -------------------------------------------------------------------------------------

    def _wait_for(self, sessions: Sequence[T], place: int, seconds: float) -> T:
        enough = place + 1 if place >= 0 else -place
        self.until(lambda: len(sessions) >= enough, seconds, f"session {place}")
        return sessions[place]

    def _think(self, asked: Asked) -> Reply:
        return self.think(asked)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        authorization = request.headers.get("Authorization", "")
        if authorization != f"Bearer {self.key}":
            return wrong_key(authorization).response()
        if (refused := await self.ground.refusal(request)) is not None:
            return refused
        model = request.query.get("model")
        if model is None and request.query.get("intent") == "transcription":
            return await self._listen(request)
        if model not in self.models:
            return await self._turn_away(Session(self.ground, request, self.habits, model), model or "")
        return await self._converse(request, model)

    async def _converse(self, request: web.Request, model: str) -> web.StreamResponse:
        session = Conversation(self.ground, request, self.habits, model, self._think)
        with self.ground.changing():
            self._conversations.append(session)
        return await session.run()

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        session = Listener(self.ground, request, self.habits, self.hearing, live=self.live)
        with self.ground.changing():
            self._listeners.append(session)
        return await session.run()

    async def _turn_away(self, session: Session, model: str) -> web.StreamResponse:
        """The handshake is answered first, and the refusal is an event like any other."""
        await session.open()
        session.complain(no_model(model))
        session.close(NO_SUCH_MODEL, f"invalid_request_error.model_not_found {PROSE}")
        return await session.serve(lambda _: None)
