"""The plain requests: who there is to speak with, what is left of the money, and speech in one answer."""

from __future__ import annotations

from collections import deque

from aiohttp import web
from pydantic import ValidationError

from tests.loopback.elevenlabs import shapes
from tests.loopback.elevenlabs.asked import Refused, rate_of
from tests.loopback.elevenlabs.catalogue import DEFAULT_MODELS, MODELS, Dialect
from tests.loopback.elevenlabs.place import Place
from tests.loopback.elevenlabs.sound import at_rate
from tests.loopback.elevenlabs.wire import SpeechRequest
from tests.loopback.providers import Frame, pause

KEPT = 1_000
_PARAMETERS = {"output_format", "enable_logging", "optimize_streaming_latency"}


class Rest:
    """The handlers of everything that is no websocket."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.requests: deque[Frame] = deque(maxlen=KEPT)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Say which handler is for which path."""
        router.add_get("/v1/voices", self._voices)
        router.add_get("/v1/voices/{voice}", self._voice)
        router.add_get("/v1/models", self._models)
        router.add_get("/v1/user", self._user)
        router.add_get("/v1/user/subscription", self._subscription)
        router.add_post("/v1/text-to-speech/{voice}", self._speak)
        router.add_post("/v1/text-to-speech/{voice}/stream", self._speak)

    async def _voices(self, _: web.Request) -> web.Response:
        return web.json_response(shapes.voices(self._place.voices))

    async def _voice(self, request: web.Request) -> web.Response:
        voice = self._known(request)
        return web.json_response(shapes.voice(voice, self._place.voices[voice]))

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response(shapes.models())

    async def _user(self, _: web.Request) -> web.Response:
        place = self._place
        return web.json_response(shapes.user(place.characters, place.manners.character_limit))

    async def _subscription(self, _: web.Request) -> web.Response:
        place = self._place
        return web.json_response(shapes.subscription(place.characters, place.manners.character_limit))

    async def _speak(self, request: web.Request) -> web.StreamResponse:
        voice, place = self._known(request), self._place
        for name in request.query.keys() - _PARAMETERS:
            place.break_rule(f"{request.path} has no parameter {name}")
        output_format = request.query.get("output_format", "mp3_44100_128")
        rate = rate_of(output_format)
        asked = self._asked(await request.text())
        frame: Frame = asked.model_dump(exclude_none=True)
        self.requests.append({**frame, "path": request.path, "output_format": output_format, "voice": voice})
        if output_format in place.manners.forbidden_formats:
            raise Refused(403, "output_format_not_allowed", "Your plan does not include this format.")
        if place.crowded:
            raise Refused(429, "too_many_concurrent_requests", "Too many concurrent requests.")
        if not place.charge(asked.text):
            raise Refused(401, "quota_exceeded", f"This request exceeds your quota: '{asked.text}'.")
        return await self._stream(request, asked.text, rate)

    async def _stream(self, request: web.Request, text: str, rate: int) -> web.StreamResponse:
        place = self._place
        response = web.StreamResponse(headers={"content-type": "audio/pcm"})
        place.generating += 1
        try:
            await pause(place.manners.first_chunk_seconds)
            await response.prepare(request)
            async for _, pcm in place.spoken(text):
                sound, size = at_rate(pcm, rate), place.manners.chunk_bytes
                for at in range(0, len(sound), size):
                    await response.write(sound[at : at + size])
            await response.write_eof()
        finally:
            place.generating -= 1
        return response

    def _known(self, request: web.Request) -> str:
        voice = request.match_info["voice"]
        if voice not in self._place.voices:
            raise Refused(404, "voice_not_found", f"A voice with the voice_id {voice} was not found.")
        return voice

    def _asked(self, body: str) -> SpeechRequest:
        try:
            asked = SpeechRequest.model_validate_json(body)
        except ValidationError:
            raise Refused(422, "invalid_parameters", "The body is not valid.") from None
        for part in (asked, asked.voice_settings):
            for name in (part and part.model_extra) or ():
                self._place.break_rule(f"a request for speech has no field {name}")
        model_id = asked.model_id or DEFAULT_MODELS[Dialect.SPEECH]
        if model_id not in MODELS:
            raise Refused(400, "model_not_found", f"A model with model ID {model_id} does not exist")
        if asked.language_code and not MODELS[model_id].knows_languages:
            raise Refused(400, "unsupported_language", f"{model_id} does not take a language_code")
        return asked
