"""A client without opinions, with which this ElevenLabs is tried."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Mapping

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.providers import Frame

SECONDS = 5.0
VOICE = "21m00Tcm4TlvDq8ikWAM"
SPEECH = f"/v1/text-to-speech/{VOICE}/multi-stream-input"
DIALOGUE = "/v1/text-to-dialogue/multi-stream-input"
FLASH = {"model_id": "eleven_flash_v2_5", "output_format": "pcm_24000"}
AUTO = {**FLASH, "auto_mode": "true", "sync_alignment": "true"}
FOURTH = {"model_id": "eleven_v4_turbo", "output_format": "pcm_24000", "sync_alignment": "true"}


class Client:
    """One websocket, as it is."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line

    async def say(self, **frame: object) -> None:
        """Send a message."""
        await self.line.send(json.dumps(frame))

    async def hear(self) -> Frame:
        """Return the next frame."""
        return dict(json.loads(await self.line.recv()))

    async def until(self, key: str) -> list[Frame]:
        """Return all the frames up to the first in which `key` is true."""
        heard = [await self.hear()]
        while not heard[-1].get(key):
            heard.append(await self.hear())
        return heard

    async def close_of(self) -> tuple[list[Frame], int | None, str]:
        """Return what still comes, and then the close code and its reason; None for an abort."""
        heard: list[Frame] = []
        try:
            while True:
                heard.append(await self.hear())
        except ConnectionClosed as closed:
            return heard, *_close(closed)

    async def open(self, context: str = "c1") -> None:
        """Introduce a context, in the words of the dialect."""
        if self.line.request is not None and "dialogue" in self.line.request.path:
            await self.say(context_id=context, voices=[VOICE], voice_settings={"stability": 0.5})
        else:
            await self.say(text=" ", context_id=context, voice_settings={"stability": 0.5})

    async def settle(self) -> None:
        """Wait until everything that was said has been dealt with."""
        await (await self.line.ping())


def _close(closed: ConnectionClosed) -> tuple[int | None, str]:
    return (None, "") if closed.rcvd is None else (closed.rcvd.code, closed.rcvd.reason)


Talk = Callable[[Client], Awaitable[None]]


def talk(
    server: ElevenLabs,
    do: Talk,
    path: str = SPEECH,
    query: Mapping[str, str] = FLASH,
    key: str | None = "",
) -> None:
    """Connect, do something and close, within the deadline; `key` None is without one."""
    shown = server.service.key if key == "" else key
    headers = {} if shown is None else {"xi-api-key": shown}

    async def run() -> None:
        line = connect(
            server.service.socket(path, query),
            additional_headers=headers,
            proxy=None,
            compression=None,
            ping_interval=None,
            close_timeout=0.3,
        )
        async with asyncio.timeout(SECONDS), line as opened:
            await do(Client(opened))

    asyncio.run(run())


def sound_of(frames: list[Frame]) -> bytes:
    """All the sound in some frames."""
    return b"".join(base64.b64decode(str(frame["audio"])) for frame in frames if frame.get("audio"))
