"""CPU of a frame on its way out, as discord.py's own player sends it; argument: the project's Python."""

import asyncio
import socket
import sys
import time

import discord
from speaker import speaker
from speech import frames
from telling import tell

SECONDS, PASSES = 8.0, 3


async def main(python: str) -> None:
    """Measure once."""
    nobody = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    nobody.bind(("127.0.0.1", 0))
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.connect(nobody.getsockname())
    voice = speaker(asyncio.get_running_loop(), out, python)
    voice.encoder = discord.opus.Encoder()
    speech = frames(SECONDS)
    for frame in speech:
        voice.send_audio_packet(frame)
    began = time.thread_time()
    for frame in speech * PASSES:
        voice.send_audio_packet(frame)
    tell({"us": 1e6 * (time.thread_time() - began) / (PASSES * len(speech))})


asyncio.run(main(sys.argv[1]))
