"""OpenAI over HTTP: models, chat completions, a voice and an ear, with every trouble that a test orders."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Final, TypeAlias

from aiohttp import web

from tests.loopback.discord.body import Body, Json, decode
from tests.loopback.openai import chat, responses, responses_rules, speech
from tests.loopback.openai.faults import Exchange, Fault, Outflow
from tests.loopback.openai.minds import Brains, asked_of
from tests.loopback.openai.refusals import Refused, no_model, wrong, wrong_key
from tests.loopback.openai.responses_asked import captain_asked
from tests.loopback.providers import Ground

# fmt: off
MODELS: Final = (
    "gpt-realtime-2.1", "gpt-realtime-2.1-mini", "gpt-live-transcribe", "gpt-realtime-whisper",
    "gpt-transcribe", "gpt-4o-mini-tts", "gpt-6-luna", "gpt-6.1-sol",
)
# fmt: on
KEPT: Final = 1_000
EXCHANGE: Final = web.RequestKey("exchange", Exchange)
Answer: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Rest:
    """The HTTP side of one server; its lists are for reading, and grow while others wait (`ground.until`)."""

    def __init__(self, ground: Ground, key: str, brains: Brains) -> None:
        self.brains = brains
        self.models: list[str] = list(MODELS)
        self.lists_models = True
        """Whether it has an address for models at all; not every server that speaks this does."""
        self.takes_tools = True
        """Whether its models can call functions."""
        self.takes_stream_options = True
        """Whether it can say in a stream what was used; not every server of chat completions can."""
        self.billed: deque[Json] = deque(maxlen=KEPT)
        """What each answer of chat and responses has used, whether it was told or not."""
        self.thinks = True
        """Whether its responses begin with a thought."""
        self.unsupported: set[str] = set()
        """The parameters of a response that its models do not know."""
        self.exchanges: deque[Exchange] = deque(maxlen=KEPT)
        self.chats: deque[Json] = deque(maxlen=KEPT)
        """The bodies that came to /chat/completions, refused or not."""
        self.responses: deque[Json] = deque(maxlen=KEPT)
        """The bodies that came to /responses, refused or not."""
        self.speeches: deque[Json] = deque(maxlen=KEPT)
        """The bodies that came to /audio/speech."""
        self.recordings: deque[speech.Recording] = deque(maxlen=KEPT)
        """What came to /audio/transcriptions."""
        self._ground, self._key = ground, key
        self._faults: deque[Fault] = deque()

    @property
    def base_url(self) -> str:
        """What the SDK is pointed at."""
        return f"http://127.0.0.1:{self._ground.port}/v1"

    def next(self, *faults: Fault) -> None:
        """Give the next streamed answers (of chat, responses and speech) this trouble, one each, in order."""
        self._ground.run(lambda: self._faults.extend(faults))

    def mount(self) -> None:
        """Put every address below /v1 into the ground's application."""
        router = self._ground.application.router
        router.add_get("/v1/models", self._open(self._list_models))
        router.add_get("/v1/models/{id}", self._open(self._show_model))
        router.add_post("/v1/chat/completions", self._open(self._chat))
        router.add_post("/v1/responses", self._open(self._respond))
        router.add_post("/v1/audio/speech", self._open(self._speak))
        router.add_post("/v1/audio/transcriptions", self._open(self._write_down))

    def _open(self, answer: Answer) -> Answer:
        """Let in who has the key, and remember everybody."""

        async def opened(request: web.Request) -> web.StreamResponse:
            request[EXCHANGE] = exchange = Exchange(method=request.method, path=request.path)
            with self._ground.changing():
                self.exchanges.append(exchange)
            try:
                response = await self._answered(request, answer)
                exchange.status = response.status
                gone = request.transport is None or request.transport.is_closing()
                exchange.dropped = gone and not exchange.last_sent
                return response
            except asyncio.CancelledError:
                exchange.dropped = not exchange.last_sent
                raise
            except ConnectionError:
                exchange.dropped = True
                return web.Response(status=499)
            finally:
                with self._ground.changing():
                    pass

        return opened

    async def _answered(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        authorization = request.headers.get("Authorization", "")
        if self._key and authorization != f"Bearer {self._key}":
            return wrong_key(authorization).response()
        if (refusal := await self._ground.refusal(request)) is not None:
            return refusal
        try:
            return await answer(request)
        except Refused as refused:
            if refused.status == 400:
                self._ground.break_rule(refused.message)
            return refused.response()

    # --- models -----------------------------------------------------------------------------------

    async def _list_models(self, _: web.Request) -> web.Response:
        self._have_models()
        return web.json_response({"object": "list", "data": [_model(name) for name in self.models]})

    async def _show_model(self, request: web.Request) -> web.Response:
        self._have_models()
        return web.json_response(_model(self._known(request.match_info["id"])))

    def _have_models(self) -> None:
        if not self.lists_models:
            raise Refused(404, None, "Not Found")

    def _known(self, name: str) -> str:
        if name not in self.models:
            raise no_model(name)
        return name

    def _bill(self, usage: Json) -> None:
        with self._ground.changing():
            self.billed.append(usage)

    def _check_tools(self, body: Body) -> None:
        if not self.takes_tools and "tools" in body:
            raise wrong(f"{body.text('model')} does not support tools", "tools")

    # --- chat -------------------------------------------------------------------------------------

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = decode(await request.read())
        with self._ground.changing():
            self.chats.append(dict(body.fields))
        chat.check(body)
        self._known(body.text("model"))
        self._check_tools(body)
        if not self.takes_stream_options and "stream_options" in body:
            return wrong("Unrecognized request argument supplied: stream_options").response()
        reply = await asyncio.to_thread(self.brains.think, asked_of(body))
        answer = chat.completion(body, reply.pieces, reply.calls, reply.incomplete)
        self._bill(chat.usage_of(answer))
        trouble = Refused(500, reply.failure, "Ordered by a test") if reply.failure else None
        if not body.flag("stream"):
            if trouble is not None:
                raise trouble
            return web.json_response(chat.whole(answer))
        usage = body.body("stream_options").flag("include_usage")
        events = list(chat.chunks(answer, usage=usage and trouble is None))
        if trouble is not None:
            events[-1:] = [{"error": trouble.body()}]
        last = b"" if trouble is not None else b"data: [DONE]\n\n"
        return await self._stream(request, map(speech.event, events), "text/event-stream", last, reply.pause)

    # --- responses --------------------------------------------------------------------------------

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        body = decode(await request.read())
        with self._ground.changing():
            self.responses.append(dict(body.fields))
        responses_rules.check(body, self.models, self.unsupported)
        self._check_tools(body)
        reply = await asyncio.to_thread(self.brains.captain, captain_asked(body))
        answer = responses.made(body, reply, thinks=self.thinks)
        self._bill(responses.usage_of(answer))
        if body.flag("stream"):
            events = iter(responses.stream(answer))
            return await self._stream(request, events, "text/event-stream", b"", reply.pause)
        if answer.ending == "error":
            raise Refused(500, answer.code, "Ordered by a test")
        return web.json_response(responses.whole(answer))

    # --- speech -----------------------------------------------------------------------------------

    async def _speak(self, request: web.Request) -> web.StreamResponse:
        body = decode(await request.read())
        with self._ground.changing():
            self.speeches.append(dict(body.fields))
        self._known(body.text("model"))
        speech.check_speech(body)
        sound = speech.blocks(self.brains.speak(body.text("input")))
        if body.text("stream_format") == "sse":
            events = map(speech.delta, sound)
            return await self._stream(request, events, "text/event-stream", speech.DONE)
        if body.text("response_format") == "wav":
            return await self._stream(request, _before(speech.wav_header(), sound), "audio/wav")
        return await self._stream(request, sound, "audio/pcm")

    async def _write_down(self, request: web.Request) -> web.Response:
        form = await request.post()
        fields: dict[str, list[str]] = {}
        for name, value in form.items():
            if isinstance(value, str):
                fields.setdefault(name.removesuffix("[]"), []).append(value)
        file = form.get("file")
        if not isinstance(file, web.FileField):
            raise wrong("Missing required parameter: 'file'.", "file", "missing_required_parameter")
        if self._known(fields.get("model", [""])[0]) not in speech.WRITERS:
            raise wrong("This model does not write down files.", "model", "unsupported_value")
        sound = speech.sound_of(file.file.read(), file.filename)
        seconds = len(sound) / speech.RATE / 2
        with self._ground.changing():
            self.recordings.append(speech.Recording(fields=fields, name=file.filename, seconds=seconds))
        text = await asyncio.to_thread(self.brains.hear, sound)
        match fields.get("response_format", ["json"])[0]:
            case "json":
                usage = {"type": "duration", "seconds": seconds}
                return web.json_response({"text": text, "usage": usage})
            case "text":
                return web.Response(text=f"{text}\n", content_type="text/plain")
            case other:
                raise wrong(f"'{other}' is not compatible.", "response_format", "unsupported_value")

    async def _stream(
        self, request: web.Request, pieces: Iterator[bytes], kind: str, last: bytes = b"", pause: float = 0.0
    ) -> web.StreamResponse:
        fault = self._faults.popleft() if self._faults else Fault(first_seconds=pause, between_seconds=pause)
        outflow = Outflow(request, request[EXCHANGE], fault, {"Content-Type": kind})
        return await outflow.send(_one_by_one(pieces), last)


def _model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 1_780_000_000, "owned_by": "system"}


def _before(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from pieces


async def _one_by_one(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Fetch each piece in a thread of its own: whoever makes them may take his time."""
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece
