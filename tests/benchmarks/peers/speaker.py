"""discord.py's own voice client on a line that is up: everything is its own but the handshake."""

import asyncio
import socket
import subprocess
from pathlib import Path
from types import SimpleNamespace

import davey
import discord
from discord.voice_state import ConnectionFlowState

ROOT = Path(__file__).parents[3]
USER, CHANNEL = 1, 7_000_000_000_000_001
MODE = "aead_xchacha20_poly1305_rtpsize"


class Silent:
    """The websocket, of which only op 5 is wanted."""

    async def speak(self, state: object) -> None:
        """Say nothing."""


def speaker(loop: asyncio.AbstractEventLoop, out: socket.socket, python: str) -> discord.VoiceClient:
    """Return a client that speaks on this socket, in a group that `python` of the project delivers for."""
    client = SimpleNamespace(_connection=SimpleNamespace(loop=loop, user=SimpleNamespace(id=USER)), loop=loop)
    channel = SimpleNamespace(id=CHANNEL, guild=SimpleNamespace(id=3))
    voice = discord.VoiceClient(client, channel)
    state = voice._connection
    state.socket, state.ws = out, Silent()
    state.ssrc, state.mode, state.secret_key = 1, MODE, [7] * 32
    state.dave_session, state.dave_protocol_version = _joined(python), 1
    state.state = ConnectionFlowState.connected
    return voice


def _joined(python: str) -> davey.DaveSession:
    session = davey.DaveSession(1, USER, CHANNEL)
    with subprocess.Popen(
        [python, "-m", "tests.benchmarks.pacing.delivery"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as delivery:

        def say(op: int, body: bytes) -> None:
            print(op, body.hex(), file=delivery.stdin, flush=True)

        say(26, session.get_serialized_key_package())
        while not session.ready:
            op, body = next(delivery.stdout).split()
            if (answer := _read(session, int(op), bytes.fromhex(body))) is not None:
                say(28, answer)
        delivery.stdin.close()
    return session


def _read(session: davey.DaveSession, op: int, body: bytes) -> bytes | None:
    match op:
        case 25:
            session.set_external_sender(body)
        case 27:
            kinds = davey.ProposalsOperationType
            made = session.process_proposals(kinds.revoke if body[0] else kinds.append, body[1:])
            return None if made is None else made.commit + (made.welcome or b"")
        case 29:
            session.process_commit(body[2:])
        case 30:
            session.process_welcome(body[2:])
    return None
