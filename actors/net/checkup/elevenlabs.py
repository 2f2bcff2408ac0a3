"""What ElevenLabs says of a key, a voice and a model, and a sentence spoken by them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

import httpx
from elevenlabs import DialogueInput, VoiceSettings
from elevenlabs.client import AsyncElevenLabs
from elevenlabs.core.api_error import ApiError
from elevenlabs.core.request_options import RequestOptions
from elevenlabs.text_to_speech.client import OMIT

from actors.net.checkup.answers import Account, Offer, Sound
from actors.net.checkup.asking import collected
from actors.net.reasons import (
    TIMEOUT,
    UNAUTHORIZED,
    UNNAMED,
    UNREACHABLE,
    code_of,
    of_code,
    of_status,
)
from actors.net.sdk import ABORTED, BAD_FRAME, CONNECT_SECONDS
from actors.net.service import Service
from actors.net.ways import authorities, proxy_for, why_unreached

ONCE: Final[RequestOptions] = {"max_retries": 0}
FORMAT: Final = "pcm_24000"
_OTHER_DOOR: Final = (400, 403, 404, 405, 422)


def reason_of(error: Exception) -> str:
    """The reason that what the library raised stands for; nothing of its words is in it."""
    match error:
        case ApiError():
            return _of_refusal(error.status_code or 0, code_of(error.body))
        case httpx.TimeoutException():
            return TIMEOUT
        case httpx.RemoteProtocolError() | httpx.ReadError():
            return ABORTED
        case httpx.TransportError():
            return _unreached(error)
        case OSError():
            return UNREACHABLE
        case ValueError():
            return BAD_FRAME
        case _:
            return UNNAMED


def _unreached(error: httpx.TransportError) -> str:
    try:
        address = str(error.request.url)
    except RuntimeError:  # it was never sent
        return UNREACHABLE
    return why_unreached(error, address, httpx.ProxyError)


def _of_refusal(status: int, code: str | None) -> str:
    if status < 400:
        return BAD_FRAME
    plain = of_status(status, code)
    # A refusal that is not about the key has its own code, and the same status.
    return of_code(code) if plain == UNAUTHORIZED and code else plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be spoken, by whom, and how; `dialogue` is for the models that may take nothing else."""

    model: str
    voice: str
    text: str = field(repr=False)
    language: str | None
    stability: float
    similarity: float
    speed: float
    dialogue: bool


class ElevenLabsDesk:
    """One client; its coroutines are questions for `Asking.ask`, with its `reason_of`."""

    reason_of = staticmethod(reason_of)

    def __init__(self, service: Service, seconds: float) -> None:
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(seconds, connect=CONNECT_SECONDS),
            trust_env=False,
            proxy=proxy_for(service.base_url),
            verify=authorities(),
        )
        self._client = AsyncElevenLabs(
            base_url=service.base_url, api_key=service.key, httpx_client=self._http
        )

    async def close(self) -> None:
        """Let go of every connection."""
        await self._http.aclose()

    async def account(self) -> Account:
        """Ask what is left; a key may be allowed to speak and not to know this."""
        plan = await self._client.user.subscription.get(request_options=ONCE)
        left = int(plan.character_limit) - int(plan.character_count)
        extension = plan.max_credit_limit_extension
        more = extension not in (None, 0)
        return Account(left=left, of=int(plan.character_limit), may_exceed=more)

    async def name_of(self, voice: str) -> str:
        """What a voice is called, for people."""
        return str((await self._client.voices.get(voice, request_options=ONCE)).name or "")

    async def offer(self, model: str) -> Offer:
        """Look a model up in the list of those that the account may use."""
        models = await self._client.models.list(request_options=ONCE)
        found = [one for one in models if one.model_id == model]
        return Offer(speaks=found[0].can_do_text_to_speech is not False if found else None)

    async def speak(self, wish: Wish) -> Sound:
        """Have a short text spoken; raises ValueError for a sound that does not end."""
        try:
            return await collected(self._speech(wish))
        except ApiError as error:
            if not wish.dialogue or error.status_code not in _OTHER_DOOR:
                raise
        return await collected(self._dialogue(wish))

    async def _speech(self, wish: Wish) -> AsyncIterator[bytes]:
        manner = VoiceSettings(stability=wish.stability, similarity_boost=wish.similarity, speed=wish.speed)
        pieces = self._client.text_to_speech.stream(
            wish.voice,
            text=wish.text,
            model_id=wish.model,
            output_format=FORMAT,
            language_code=wish.language or OMIT,
            voice_settings=manner,
            request_options=ONCE,
        )
        async for piece in pieces:
            yield piece

    async def _dialogue(self, wish: Wish) -> AsyncIterator[bytes]:
        pieces = self._client.text_to_dialogue.stream(
            inputs=[DialogueInput(text=wish.text, voice_id=wish.voice)],
            model_id=wish.model,
            output_format=FORMAT,
            language_code=wish.language or OMIT,
            request_options=ONCE,
        )
        async for piece in pieces:
            yield piece
