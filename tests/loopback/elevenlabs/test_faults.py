"""Everything that this ElevenLabs can do wrong, on demand."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest

from tests.loopback.elevenlabs.client import (
    AUTO,
    DIALOGUE,
    FLASH,
    FOURTH,
    SPEECH,
    VOICE,
    Client,
    sound_of,
    talk,
)
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.elevenlabs.session import Session
from tests.loopback.elevenlabs.sound import sentences
from tests.loopback.humming import hum
from tests.loopback.providers import Parting

BOTH = pytest.mark.parametrize(("path", "query"), [(SPEECH, FLASH), (DIALOGUE, FOURTH)])
LONG = "A sentence that is long enough for many chunks of sound. "


async def speaking(server: ElevenLabs, client: Client) -> Session:
    """Say something of which only the first chunk comes."""
    server.manners.hold_after = 1
    await client.open()
    if client.line.request is not None and "dialogue" in client.line.request.path:
        await client.say(context_id="c1", inputs=[{"text": LONG, "voice_id": VOICE}], flush=True)
    else:
        await client.say(text=LONG, context_id="c1", flush=True)
    assert sound_of([await client.hear()])
    return server.session()


@BOTH
def test_an_error_frame_with_prose_and_its_close_come_in_the_middle_of_speech(
    server: ElevenLabs, path: str, query: dict[str, str]
) -> None:
    async def do(client: Client) -> None:
        session = await speaking(server, client)
        session.fail("quota_exceeded", f"no more of: {LONG}" * 3)
        heard, code, reason = await client.close_of()
        assert (heard[0]["error"], code) == ("quota_exceeded", 1008)
        assert LONG in str(heard[0]["message"])
        assert LONG in reason

    talk(server, do, path, query)


@BOTH
@pytest.mark.parametrize("code", [1000, 1011, None])
def test_it_closes_or_breaks_in_the_middle_of_speech(
    server: ElevenLabs, path: str, query: dict[str, str], code: int | None
) -> None:
    async def do(client: Client) -> None:
        session = await speaking(server, client)
        if code is None:
            session.abort()
        else:
            session.close(code, "prose that must not surface")
        assert (await client.close_of())[1] == code

    talk(server, do, path, query)


def test_frames_that_are_no_json_or_binary_or_of_nobody_can_be_sent(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.settle()
        session = server.session()
        session.send_text("{")
        session.send_binary(b"\0\1")
        session.send({"surprise": True})
        session.send_audio("nobody", bytes(5))
        session.send_final("c1")
        assert await client.line.recv() == "{"
        assert await client.line.recv() == b"\0\1"
        assert await client.hear() == {"surprise": True}
        heard = await client.hear()
        assert (heard["contextId"], sound_of([heard])) == ("nobody", bytes(5))
        assert (await client.hear())["isFinal"]
        assert session.contexts == ["c1"]

    talk(server, do)


@BOTH
def test_a_client_that_closes_may_be_answered_with_an_error(
    server: ElevenLabs, path: str, query: dict[str, str]
) -> None:
    server.parting = Parting(frames=(json.dumps({"error": "late"}),), code=1008, reason="prose")

    async def do(client: Client) -> None:
        await speaking(server, client)

    talk(server, do, path, query)
    server.session().wait_over()
    assert server.session().closed_by_client == 1000


def test_close_socket_may_be_ignored(server: ElevenLabs) -> None:
    server.manners.ignores_close_socket = True

    async def do(client: Client) -> None:
        await client.open()
        await client.say(close_socket=True)
        await client.settle()

    talk(server, do)
    assert server.session().closed_by_client == 1000
    assert {"close_socket": True} in server.session().received


def test_a_frozen_one_answers_nothing_and_sends_nothing(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        session = await speaking(server, client)
        session.freeze()
        session.release()
        session.send_audio("c1")
        pong = await client.line.ping()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await pong

    talk(server, do)


def test_a_stalled_one_still_speaks(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        session = await speaking(server, client)
        session.stall()
        session.release()
        assert sound_of([await client.hear()])

    talk(server, do)


def test_a_final_may_be_late(server: ElevenLabs) -> None:
    server.manners.final_seconds = 0.05

    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", close_context=True)
        await client.settle()
        assert server.session().contexts == ["c1"]
        await client.until("isFinal")
        assert server.session().contexts == []

    talk(server, do)


def test_an_idle_end_comes_when_it_is_called_for(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.settle()
        server.session().fall_idle()
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("input_timeout_exceeded", 1008)

    talk(server, do)


def test_a_quota_that_is_used_up_ends_the_socket_with_the_text_in_its_prose(server: ElevenLabs) -> None:
    server.manners.character_limit = 5

    async def do(client: Client) -> None:
        await client.open()
        await client.say(text=LONG, context_id="c1", flush=True)
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("quota_exceeded", 1008)
        assert LONG in str(heard[0]["message"])

    talk(server, do)
    assert server.characters == 0


def test_more_speech_at_once_than_the_plan_has_ends_the_socket(server: ElevenLabs) -> None:
    server.manners.most_at_once = 1

    async def do(client: Client) -> None:
        await speaking(server, client)
        await client.open("c2")
        await client.say(text="Me too. ", context_id="c2", flush=True)
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("too_many_concurrent_requests", 1008)

    talk(server, do)


def test_sound_may_come_late_and_slowly(server: ElevenLabs) -> None:
    server.manners.first_chunk_seconds = 0.05
    server.manners.times_real = 10.0

    async def do(client: Client) -> None:
        begun = asyncio.get_running_loop().time()
        await client.open()
        await client.say(text="Ten times faster. ", context_id="c1", flush=True, close_context=True)
        await client.until("isFinal")
        assert asyncio.get_running_loop().time() - begun >= 0.05 + 17 * 0.06 / 10

    talk(server, do)


def test_any_voice_can_be_put_in_and_is_heard_sentence_by_sentence() -> None:
    asked: list[str] = []
    first_heard = threading.Event()

    def voice(text: str) -> Iterator[bytes]:
        if asked:  # the first sentence is out before the second one is asked for
            assert first_heard.wait(5)
        asked.append(text)
        yield from hum(text)

    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="One. Two! Three", context_id="c1", flush=True, close_context=True)
        await client.hear()
        first_heard.set()
        await client.until("isFinal")

    with ElevenLabs(speak=voice) as server:
        talk(server, do, query=AUTO)
    assert asked == ["One. ", "Two! ", "Three"]


def test_a_text_is_cut_after_its_sentences_and_nothing_is_lost() -> None:
    text = "It costs 3.50 euros… Really?! Yes.\nWell "
    assert "".join(sentences(text)) == text
    assert sentences(text) == ["It costs 3.50 euros… ", "Really?! ", "Yes.\n", "Well "]
    assert not sentences("  ")
    assert not list(hum(" "))


def test_after_an_error_nothing_more_is_read(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.line.send("[]")
        await client.line.send("[]")
        frames, code, _ = await client.close_of()
        assert (len(frames), code) == (1, 1008)

    talk(server, do)
    assert server.violations == ["a message was not valid"]
