"""The text-to-speech dialect: what it answers, and what it does not forgive."""

from __future__ import annotations

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from tests.loopback.elevenlabs.client import AUTO, FLASH, SPEECH, Client, sound_of, talk
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.providers import Frame


def refused(server: ElevenLabs, status: int, code: str, query: dict[str, str], **more: str | None) -> None:
    async def nothing(_: Client) -> None:
        raise AssertionError("it was let in")

    with pytest.raises(InvalidStatus) as refusal:
        talk(server, nothing, query=query, **more)  # type: ignore[arg-type]
    assert refusal.value.response.status_code == status
    assert f'"{code}"'.encode() in (refusal.value.response.body or b"")


def ends(server: ElevenLabs, *frames: Frame, query: dict[str, str] = FLASH) -> tuple[list[Frame], int | None]:
    """What comes of some messages, up to a close."""
    found: list[tuple[list[Frame], int | None]] = []

    async def do(client: Client) -> None:
        for frame in frames:
            await client.say(**frame)
        heard, code, _ = await client.close_of()
        found.append((heard, code))

    talk(server, do, query=query)
    return found[0]


OPEN: Frame = {"text": " ", "context_id": "c1", "voice_settings": {"stability": 0.5}}


def test_flush_and_close_give_all_of_the_sound_and_exactly_one_final(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="Hello there. How are you? ", context_id="c1")
        await client.say(context_id="c1", flush=True)
        await client.say(context_id="c1", close_context=True)
        heard = await client.until("isFinal")
        assert len(sound_of(heard)) == (len("Hello there.") + len("How are you?")) * 60 * 48
        assert {frame["contextId"] for frame in heard} == {"c1"}
        assert [frame["isFinal"] for frame in heard] == [None] * (len(heard) - 1) + [True]
        await client.say(close_socket=True)
        assert await client.close_of() == ([], 1000, "")

    talk(server, do)
    assert not server.violations
    assert server.session().contexts == []
    assert server.characters == 27


def test_a_flush_alone_is_never_final(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="Hello. ", context_id="c1", flush=True)
        heard = [await client.hear()]
        while len(sound_of(heard)) < 6 * 60 * 48:
            heard.append(await client.hear())
        await client.open("c2")
        await client.say(context_id="c2", close_context=True)
        assert (await client.hear())["contextId"] == "c2"

    talk(server, do)
    assert server.session().contexts == ["c1"]


def test_in_auto_mode_each_text_is_spoken_at_once(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="One. ", context_id="c1")
        assert sound_of([await client.hear()])

    talk(server, do, query=AUTO)


def test_without_auto_mode_text_waits_for_the_schedule(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.say(text=" ", context_id="c1", generation_config={"chunk_length_schedule": [50]})
        await client.say(text="x" * 40 + " ", context_id="c1")
        await client.open("c2")
        await client.say(context_id="c2", close_context=True)
        assert (await client.hear())["contextId"] == "c2"
        await client.say(text="x" * 8 + ". ", context_id="c1")
        assert (await client.hear())["contextId"] == "c1"

    talk(server, do)


def test_the_times_of_characters_are_relative_to_their_chunk_and_lie_in_the_sound(server: ElevenLabs) -> None:
    text = "Hello there, this is one sentence. "
    server.manners.chunk_bytes = 4_801

    async def do(client: Client) -> None:
        await client.open()
        await client.say(text=text, context_id="c1", flush=True, close_context=True)
        heard = [frame for frame in await client.until("isFinal") if frame["audio"]]
        assert len(sound_of(heard[:1])) == 4_801
        said, at, last = "", 0.0, 0.0
        for frame in heard:
            begun, seconds = at, len(sound_of([frame])) / 48_000
            at += seconds
            alignment = frame["alignment"]
            assert frame["normalizedAlignment"] == alignment
            if not isinstance(alignment, dict):
                continue  # so short a chunk that no character begins in it
            said += "".join(alignment["chars"])
            assert all(0 <= start <= seconds * 1_000 for start in alignment["charStartTimesMs"])
            last = begun + (alignment["charStartTimesMs"][-1] + alignment["charDurationsMs"][-1]) / 1_000
        assert said == text
        assert last == pytest.approx(at, abs=0.02)

    talk(server, do, query=AUTO)


def test_without_sync_alignment_the_first_chunk_has_the_times_of_the_sentence(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="Hello there. ", context_id="c1", flush=True, close_context=True)
        heard = await client.until("isFinal")
        first = heard[0]["alignment"]
        assert isinstance(first, dict)
        assert "".join(first["chars"]) == "Hello there. "
        assert all(frame["alignment"] is None for frame in heard[1:])

    talk(server, do)


def test_alignments_can_be_left_out(server: ElevenLabs) -> None:
    server.manners.alignments = False

    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="Hello. ", context_id="c1", flush=True)
        assert (await client.hear())["alignment"] is None

    talk(server, do)


@pytest.mark.parametrize(("output_format", "factor"), [("pcm_48000", 2.0), ("pcm_16000", 2 / 3)])
def test_sound_has_the_rate_that_was_asked_for(server: ElevenLabs, output_format: str, factor: float) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="Hello. ", context_id="c1", flush=True, close_context=True)
        assert len(sound_of(await client.until("isFinal"))) == 6 * 60 * 48 * factor

    talk(server, do, query={**FLASH, "output_format": output_format})


def test_a_sixth_context_ends_the_socket(server: ElevenLabs) -> None:
    heard, code = ends(server, *({**OPEN, "context_id": f"c{at}"} for at in range(6)))
    assert (heard[0]["error"], heard[0]["code"], code) == ("max_active_conversations", 1008, 1008)
    assert server.violations == ["a sixth context was opened"]


def test_a_slot_is_free_when_its_final_went_out_and_no_sooner(server: ElevenLabs) -> None:
    server.manners.hold_finals = True

    async def do(client: Client) -> None:
        for at in range(5):
            await client.open(f"c{at}")
        await client.say(context_id="c0", close_context=True)
        await client.settle()
        session = server.session()
        assert len(session.contexts) == 5
        await asyncio.to_thread(session.release_finals)
        await client.until("isFinal")
        await client.open("c5")
        await client.open("c6")
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("max_active_conversations", 1008)

    talk(server, do)


@pytest.mark.parametrize(
    "stray",
    [{"flush": True}, {"text": ""}, {"close_context": True}, {"text": " ", "close_context": True}],
)
def test_a_stray_message_makes_a_context_and_is_noted(server: ElevenLabs, stray: Frame) -> None:
    server.manners.hold_finals = True

    async def do(client: Client) -> None:
        await client.say(context_id="stray", **stray)
        await client.settle()

    talk(server, do)
    assert server.session().contexts == ["stray"]
    assert server.violations == ["a message named a context that was not there, and so made one"]


def test_settings_after_the_first_message_end_the_socket(server: ElevenLabs) -> None:
    heard, code = ends(server, OPEN, OPEN)
    assert (heard[0]["error"], heard[0]["param"], code) == ("invalid_first_message", "voice_settings", 1008)
    assert server.violations


def test_what_is_said_to_a_closing_context_is_noted_and_ignored(server: ElevenLabs) -> None:
    server.manners.hold_finals = True

    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", close_context=True)
        await client.say(context_id="c1", text="More. ", flush=True)
        await client.settle()

    talk(server, do)
    assert server.violations == ["a message came for a context that was closed"]
    assert server.session().chunks == 0


def test_closing_without_a_flush_drops_what_has_not_begun_and_one_chunk_trails(server: ElevenLabs) -> None:
    server.manners.hold_after = 2

    async def do(client: Client) -> None:
        await client.open()
        await client.say(text="A sentence that is long enough for many chunks. ", context_id="c1")
        await client.say(text="Another one. ", context_id="c1")
        await asyncio.to_thread(server.session().wait_chunks, 2)
        await client.say(context_id="c1", close_context=True)
        await client.settle()
        await asyncio.to_thread(server.session().release)
        heard = await client.until("isFinal")
        assert len(sound_of(heard)) == 3 * 9_600

    talk(server, do, query=AUTO)


def test_what_was_flushed_sounds_to_its_end_although_its_context_is_closed(server: ElevenLabs) -> None:
    server.manners.hold_after = 1
    text = "A sentence that is long enough. And another one. "

    async def do(client: Client) -> None:
        await client.open()
        await client.say(text=text, context_id="c1", flush=True)
        await asyncio.to_thread(server.session().wait_chunks, 1)
        await client.say(context_id="c1", close_context=True)
        await client.say(close_socket=True)
        await client.settle()
        await asyncio.to_thread(server.session().release)
        heard, code, _ = await client.close_of()
        assert len(sound_of(heard)) == (len(text) - 2) * 60 * 48
        assert (heard[-1]["isFinal"], code) == (True, 1000)

    talk(server, do, query=AUTO)


def test_a_text_without_a_space_at_its_end_and_a_field_nobody_knows_are_noted(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.say(text="Hello.", context_id="c1", mood="merry")
        await client.settle()

    talk(server, do)
    assert server.violations == ["a message has no field mood", "a text did not end with a space"]


@pytest.mark.parametrize("raw", ["no json", "[]", '{"text": 5}', '{"voice_settings": {"speed": 3}}'])
def test_a_message_that_is_not_valid_ends_the_socket(server: ElevenLabs, raw: str) -> None:
    async def do(client: Client) -> None:
        await client.line.send(raw)
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("invalid_message", 1008)

    talk(server, do)
    assert server.violations


def test_an_unknown_voice_is_told_at_the_first_message(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("voice_not_found", 1008)

    talk(server, do, path="/v1/text-to-speech/nobody/multi-stream-input")


def test_silence_ends_the_socket_with_prose_and_a_code(server: ElevenLabs) -> None:
    server.manners.clock = 0.005

    async def do(client: Client) -> None:
        await client.open()
        heard, code, reason = await client.close_of()
        assert (heard[0]["error"], code) == ("input_timeout_exceeded", 1008)
        assert reason.startswith("Have not received a new text input within the timeout of 20.0 seconds.")

    talk(server, do)


def test_a_longer_inactivity_timeout_is_respected(server: ElevenLabs) -> None:
    server.manners.clock = 0.001

    async def do(client: Client) -> None:
        begun = asyncio.get_running_loop().time()
        await client.open()
        _, _, reason = await client.close_of()
        assert "180.0 seconds" in reason
        assert asyncio.get_running_loop().time() - begun >= 0.18

    talk(server, do, query={**FLASH, "inactivity_timeout": "180"})


def test_keep_alives_keep_only_their_own_context(server: ElevenLabs) -> None:
    server.manners.clock = 0.01

    async def do(client: Client) -> None:
        await client.open("kept")
        await client.open("left")
        heard: list[Frame] = []
        while not heard:
            try:
                async with asyncio.timeout(0.05):
                    heard.append(await client.hear())
            except TimeoutError:
                await client.say(text="", context_id="kept")
        assert (heard[0]["isFinal"], heard[0]["contextId"]) == (True, "left")

    talk(server, do)
    assert server.session().contexts == ["kept"]
    assert not server.violations


def test_a_key_may_come_with_the_first_message_and_must_be_right(server: ElevenLabs) -> None:
    async def keyed(client: Client) -> None:
        await client.say(text="Hello. ", context_id="c1", flush=True, xi_api_key=server.service.key)
        assert sound_of([await client.hear()])

    async def keyless(client: Client) -> None:
        await client.open()
        heard, code, _ = await client.close_of()
        assert (heard[0]["error"], code) == ("authentication_required", 1008)

    talk(server, keyed, key=None)
    talk(server, keyless, key=None)


def test_the_handshake_is_refused_as_the_vendor_does(server: ElevenLabs) -> None:
    refused(server, 401, "invalid_api_key", dict(FLASH), key="wrong")
    refused(server, 403, "unsupported_model", {"model_id": "eleven_v3"})
    refused(server, 403, "unsupported_model", {"model_id": "eleven_v4_turbo"})
    refused(server, 400, "model_not_found", {"model_id": "eleven_v9"})
    refused(server, 400, "invalid_parameters", {"output_format": "pcm_1"})
    refused(server, 400, "unsupported_output_format", {"output_format": "mp3_44100_128"})
    refused(server, 400, "invalid_parameters", {**FLASH, "inactivity_timeout": "181"})
    refused(server, 400, "invalid_parameters", {**FLASH, "auto_mode": "maybe"})
    refused(server, 400, "unsupported_language", {"language_code": "en", "output_format": "pcm_24000"})
    server.manners.forbidden_formats.add("pcm_48000")
    refused(server, 403, "output_format_not_allowed", {**FLASH, "output_format": "pcm_48000"})
    server.refuse_next(429, "too_many_concurrent_requests")
    refused(server, 429, "too_many_concurrent_requests", dict(FLASH))
    assert not server.sessions


def test_a_parameter_that_nobody_knows_is_ignored_and_noted(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.settle()

    talk(server, do, SPEECH, {**FLASH, "colour": "blue"})
    assert server.violations == ["text-to-speech has no parameter colour"]
