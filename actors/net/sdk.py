"""OpenAI's library: imported late, made off the thread that owns the sockets, and kept from talking."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Final

from actors.net.loop import CLOSING
from actors.net.reasons import TIMEOUT, UNNAMED, UNREACHABLE, is_known, of_code, of_status
from actors.net.service import Service
from actors.net.ways import authorities, proxy_for, why_unreached

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ABORTED: Final = "aborted"
BAD_FRAME: Final = "bad_frame"
NOT_INSTALLED: Final = "not_installed"

CONNECT_SECONDS: Final = 5.0
KEEP_SECONDS: Final = 60.0
"""How long an unused connection is kept, so that the next sentence need not shake hands first."""
MOST_CONNECTIONS: Final = 16
PARTING_SECONDS: Final = 0.1
"""What has its answer already may end by itself so long: cancelled just then, it leaves sockets open."""
_STATUS: Final = re.compile("[45][0-9][0-9]")
_TALKATIVE: Final = ("openai", "httpx2", "httpcore2")


def warm() -> None:
    """Import what takes a second and 64 MB, so that nobody waits for it later; raises ImportError."""
    import openai.resources.audio
    import openai.resources.chat

    # Somebody's OPENAI_LOG, or a root logger that wants everything, must not bring prompts into a log.
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    _ = (openai.resources.audio.AsyncSpeech, openai.resources.chat.AsyncCompletions)


def openai_client(service: Service, read_seconds: float) -> AsyncOpenAI:
    """Make a client for one event loop; takes about a tenth of a second, and much longer before `warm`.

    It tries once, follows no redirect, waits `read_seconds` for each piece of an answer, and goes the way
    of actors.net.ways; of the environment it takes nothing else. Raises ImportError, or NoWay.
    """
    warm()
    import httpx2
    import openai

    patience = openai.Timeout(read_seconds, connect=CONNECT_SECONDS)
    http = openai.DefaultAsyncHttpxClient(
        trust_env=False,
        proxy=proxy_for(service.base_url),
        verify=authorities(),
        follow_redirects=False,
        timeout=patience,
        limits=httpx2.Limits(max_connections=MOST_CONNECTIONS, keepalive_expiry=KEEP_SECONDS),
    )
    client = openai.AsyncOpenAI(
        api_key=service.key or "none",
        base_url=service.base_url,
        max_retries=0,
        timeout=patience,
        # Nothing small that grows without end as it is unpacked.
        default_headers={"Accept-Encoding": "identity"},
        http_client=http,
    )
    client.organization = client.project = client.admin_api_key = None
    return client


class LazyClient:
    """The client of one port, made in a thread when it is first wanted, and what is under way with it.

    All of it is for the I/O thread, and nothing of it waits but `get`.
    """

    def __init__(self, service: Service, read_seconds: float) -> None:
        self._service, self._read_seconds = service, read_seconds
        self._making: asyncio.Task[AsyncOpenAI] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def prepare(self) -> asyncio.Task[AsyncOpenAI]:
        """Begin to make the client."""
        if self._making is None:
            making = asyncio.to_thread(openai_client, self._service, self._read_seconds)
            self._making = asyncio.get_running_loop().create_task(making)
            self._making.add_done_callback(_seen)
        return self._making

    async def get(self) -> AsyncOpenAI:
        """Return the client once it is there; raises ImportError where the library is not installed."""
        return await asyncio.shield(self.prepare())

    def run(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Begin something that ends with this client at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Break off what is under way, then let go of every connection; nothing may be begun afterwards."""
        self.run(self._let_go(tuple(self._tasks))).set_name(CLOSING)

    async def _let_go(self, working: tuple[asyncio.Task[None], ...]) -> None:
        try:
            if working:
                await asyncio.wait(working, timeout=PARTING_SECONDS)
            for task in working:
                task.cancel()
            if waited_for := (*working, *([self._making] if self._making else [])):
                await asyncio.wait(waited_for)
        finally:
            made = self._making
            if made is not None and made.done() and not made.cancelled() and made.exception() is None:
                await made.result().close()


def _seen(making: asyncio.Task[AsyncOpenAI]) -> None:
    """Whoever gets the client hears why there is none; if nobody does, that is no news."""
    if not making.cancelled():
        making.exception()


def reason_of(error: Exception) -> str:
    """The reason that what the library raised stands for; nothing of its words is in it."""
    if isinstance(error, ImportError):
        return NOT_INSTALLED
    if isinstance(error, TimeoutError):
        return TIMEOUT
    if isinstance(error, OSError):  # one of a certificate is a ValueError, too
        return why_unreached(error, "")
    if isinstance(error, ValueError):
        return BAD_FRAME
    return _of_library(error)


def _of_library(error: Exception) -> str:
    import httpx2
    import openai

    match error:
        case openai.APITimeoutError() | httpx2.TimeoutException():
            return TIMEOUT
        case openai.APIConnectionError():
            broken = isinstance(error.__cause__, httpx2.RemoteProtocolError | httpx2.ReadError)
            return ABORTED if broken else why_unreached(error, str(error.request.url), httpx2.ProxyError)
        case httpx2.RemoteProtocolError() | httpx2.ReadError():
            return ABORTED
        case httpx2.TransportError():
            return UNREACHABLE
        case openai.APIResponseValidationError():
            return BAD_FRAME
        case openai.APIStatusError():
            return _of_refusal(error.status_code, (error.code, error.type))
        case openai.APIError():
            return _of_event((error.code, error.type))
        case _:
            return UNNAMED


def _of_refusal(status: int, codes: tuple[object, ...]) -> str:
    """A provider names the cause in the code, or in the type, or not at all."""
    known = (code for code in codes if isinstance(code, str) and is_known(code))
    return of_status(status, next(known, None))


def _of_event(codes: tuple[object, ...]) -> str:
    """An error in the midst of an answer has no status, though some servers write one as its code."""
    named = [code for code in codes if isinstance(code, str) and code]
    if not named:
        return UNNAMED
    if named[0].isdecimal():
        return of_status(int(named[0])) if _STATUS.fullmatch(named[0]) else UNNAMED
    return of_code(named[0])
