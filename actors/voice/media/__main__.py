"""`python -m actors.voice.media FD` speaks for whoever holds the other end of FD, until it is let go."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import ssl
import sys
import traceback
from collections.abc import Mapping
from typing import Final, NoReturn

from actors.audio.opus import NoOpus, opus_version
from actors.seclusion import close_memory
from actors.voice.media import ipc, mail
from actors.voice.media.cipher import AES_GCM, KEY_BYTES, Cipher
from actors.voice.media.dave import DaveGroup
from actors.voice.media.priority import rise
from actors.voice.media.process import MediaProcess
from actors.voice.media.web import Network

BEGIN_SECONDS: Final = 5.0
GOODBYE_SECONDS: Final = 0.3
OTHER_LANGUAGE: Final = 65
BROKEN: Final = 70


def main() -> None:
    """Read who to be from the pipe, say hello, and live until the parent is gone."""
    close_memory()
    # Ctrl-C reaches the whole group of the terminal: the parent decides when this process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end = socket.socket(fileno=int(sys.argv[1]))
    begin = _begin(end)
    if begin is None:
        _leave(OTHER_LANGUAGE)
    tls = ssl.create_default_context(cafile=begin.ca_file)
    asyncio.run(_live(end, begin, tls))


def _begin(end: socket.socket) -> mail.Begin | None:
    end.settimeout(BEGIN_SECONDS)
    try:
        letter = ipc.decode(end.recv(ipc.MOST_BYTES))
    except (OSError, ipc.Garbled):
        return None
    return letter if isinstance(letter, mail.Begin) and letter.version == ipc.VERSION else None


async def _live(end: socket.socket, begin: mail.Begin, tls: ssl.SSLContext) -> NoReturn:
    loop = asyncio.get_running_loop()
    over: asyncio.Future[bool] = loop.create_future()
    network = Network(tls=tls, proxy=begin.proxy, webs=set())
    process = MediaProcess(
        end,
        begin,
        network=network,
        make_group=lambda call: DaveGroup(user=call.user, channel=call.channel),
        ended=lambda polite: None if over.done() else over.set_result(polite),
    )
    loop.set_exception_handler(lambda _loop, context: _complain(process, context))
    opus = _opus(begin.opus_library)
    # Loads its library now, and not when somebody is speaking.
    Cipher(AES_GCM, bytes(KEY_BYTES))
    gc.freeze()
    process.tell(mail.Hello(version=ipc.VERSION, priority=rise(), opus=opus))
    polite = await over
    if polite and network.webs:
        await asyncio.wait([web.task for web in network.webs], timeout=GOODBYE_SECONDS)
    _leave(0)


def _opus(path: str | None) -> str:
    try:
        return opus_version(path)
    except NoOpus:
        return ""


def _complain(process: MediaProcess, context: Mapping[str, object]) -> None:
    """What nobody caught: in a task it is told, in the loop's own work it is the end of this process."""
    failure = context.get("exception")
    where = ""
    if isinstance(failure, BaseException):
        frames = traceback.extract_tb(failure.__traceback__)[-3:]
        where = f"{type(failure).__name__} at " + " < ".join(f"{f.name}:{f.lineno}" for f in reversed(frames))
    process.tell(mail.Note(text=f"{context.get('message', '')!s:.120}: {where}"))
    if "handle" in context:
        _leave(BROKEN)


def _leave(code: int) -> NoReturn:
    """End now: there is nothing to tidy that the system does not tidy, and no thread may hold this up."""
    os._exit(code)


if __name__ == "__main__":
    main()
