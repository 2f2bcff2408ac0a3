"""The text-to-dialogue dialect: introductions, turns and ends."""

from __future__ import annotations

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from tests.loopback.elevenlabs.catalogue import MODELS, Dialect
from tests.loopback.elevenlabs.client import DIALOGUE, FOURTH, VOICE, Client, sound_of, talk
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.providers import Frame

SENTENCE = "Hello. "
LONG = "This is a sentence that is much longer than forty characters. "


def line(text: str, voice: str = VOICE, *, new_turn: bool = True) -> list[Frame]:
    """The inputs of one message."""
    return [{"text": text, "voice_id": voice, "new_turn": new_turn}]


def ends(server: ElevenLabs, *frames: Frame, model: str = "eleven_v4_turbo") -> Frame:
    """The error with which some messages end the socket."""
    found: list[Frame] = []

    async def do(client: Client) -> None:
        for frame in frames:
            await client.say(**frame)
        heard, code, _ = await client.close_of()
        assert code == heard[-1]["code"] == 1008
        found.append(heard[-1])

    talk(server, do, DIALOGUE, {**FOURTH, "model_id": model})
    return found[0]


@pytest.mark.parametrize("model", [name for name, it in MODELS.items() if it.dialect is Dialect.DIALOGUE])
def test_every_flush_is_acknowledged_once_and_closing_is_final(server: ElevenLabs, model: str) -> None:
    async def do(client: Client) -> None:
        await client.open()
        for _ in range(2):
            await client.say(context_id="c1", inputs=line(SENTENCE))
            await client.say(context_id="c1", flush=True)
            heard = await client.until("is_final_audio_for_turn")
            assert len(sound_of(heard)) == 6 * 60 * 48
            assert heard[-1] == {"is_final_audio_for_turn": True, "context_id": "c1"}
        await client.say(context_id="c1", close_context=True)
        assert await client.hear() == {"is_final": True, "context_id": "c1"}
        await client.say(close_socket=True)
        assert await client.close_of() == ([], 1000, "")

    talk(server, do, DIALOGUE, {**FOURTH, "model_id": model})
    assert not server.violations
    assert server.session().contexts == []


def test_the_fields_are_snakes(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", inputs=line(SENTENCE), flush=True)
        heard = await client.hear()
        assert heard.keys() == {"audio", "alignment", "normalized_alignment", "context_id"}
        alignment = heard["alignment"]
        assert isinstance(alignment, dict)
        assert alignment.keys() == {"chars", "char_start_times_ms", "char_durations_ms"}
        assert heard["normalized_alignment"] is None

    talk(server, do, DIALOGUE, FOURTH)


def test_without_sync_alignment_there_is_none(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", inputs=line(SENTENCE), flush=True)
        heard = await client.until("is_final_audio_for_turn")
        assert all(frame["alignment"] is None for frame in heard[:-1])

    talk(server, do, DIALOGUE, {**FOURTH, "sync_alignment": "false"})


@pytest.mark.parametrize("enough", ["x" * 39 + " ", "a b c d e f g h "])
def test_text_is_held_until_there_are_forty_characters_or_eight_words(
    server: ElevenLabs, enough: str
) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", inputs=line("Too short. "))
        await client.open("c2")
        await client.say(context_id="c2", inputs=line(enough))
        assert (await client.hear())["context_id"] == "c2"

    talk(server, do, DIALOGUE, FOURTH)
    assert server.characters == len(enough)


def test_a_flush_of_nothing_is_acknowledged_as_well_and_after_what_was_before_it(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", inputs=line(LONG))
        await client.say(context_id="c1", flush=True)
        heard = await client.until("is_final_audio_for_turn")
        assert len(sound_of(heard)) == (len(LONG) - 1) * 60 * 48

    talk(server, do, DIALOGUE, FOURTH)


def test_a_new_turn_ends_the_segment_before_it(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", inputs=line("One. "))
        await client.say(context_id="c1", inputs=line("Two. "))
        assert sound_of([await client.hear()])

    talk(server, do, DIALOGUE, FOURTH)
    assert server.characters == len("One. ")


@pytest.mark.parametrize("discards", [True, False])
def test_closing_drops_flushed_batches_that_have_not_begun_or_else_says_them(
    server: ElevenLabs, discards: bool
) -> None:
    server.manners.discards = discards
    server.manners.hold_after = 1

    async def do(client: Client) -> None:
        await client.open()
        await client.say(context_id="c1", inputs=line(LONG), flush=True)
        await client.say(context_id="c1", inputs=line(LONG), flush=True)
        await asyncio.to_thread(server.session().wait_chunks, 1)
        await client.say(context_id="c1", close_context=True)
        await client.settle()
        await asyncio.to_thread(server.session().release)
        heard = await client.until("is_final")
        acknowledged = sum(bool(frame.get("is_final_audio_for_turn")) for frame in heard)
        if discards:  # what is being generated is not stopped at once: one chunk trails
            assert (len(sound_of(heard)), acknowledged) == (2 * 9_600, 0)
        else:
            assert (len(sound_of(heard)), acknowledged) == (2 * (len(LONG) - 1) * 60 * 48, 2)

    talk(server, do, DIALOGUE, FOURTH)
    assert server.session().contexts == []


def test_a_context_must_be_introduced_with_the_voices_that_its_model_allows(server: ElevenLabs) -> None:
    assert ends(server, {"context_id": "c1", "flush": True})["error"] == "missing_voices"
    assert ends(server, {"context_id": "c1", "keep_alive": True})["error"] == "missing_voices"
    assert ends(server, {"context_id": "c1", "voices": [VOICE, VOICE]})["error"] == "too_many_voices"
    assert ends(server, {"voices": [VOICE]})["error"] == "missing_context"
    assert len(server.violations) == 4
    assert ends(server, {"context_id": "c1", "voices": ["nobody"]})["error"] == "voice_not_found"
    eleven: Frame = {"context_id": "c1", "voices": [VOICE] * 11}
    assert ends(server, eleven, model="eleven_v3")["error"] == "too_many_voices"


def test_voices_and_settings_belong_into_the_first_message_only(server: ElevenLabs) -> None:
    first: Frame = {"context_id": "c1", "voices": [VOICE]}
    again = ends(server, first, first)
    assert (again["error"], again["param"]) == ("invalid_first_message", "voices")
    late: Frame = {"context_id": "c1", "voice_settings": {"stability": 0.5}}
    assert ends(server, first, late)["param"] == "voice_settings"


def test_a_line_in_a_voice_that_was_not_introduced_ends_the_socket(server: ElevenLabs) -> None:
    other = "JBFqnCBsd6RMkjVDRZzb"
    first: Frame = {"context_id": "c1", "voices": [VOICE]}
    assert (
        ends(server, first, {"context_id": "c1", "inputs": line("Hi. ", other)})["error"] == "unknown_voice"
    )


def test_a_sixth_context_ends_the_socket(server: ElevenLabs) -> None:
    contexts: list[Frame] = [{"context_id": f"c{at}", "voices": [VOICE]} for at in range(6)]
    assert ends(server, *contexts)["error"] == "max_active_conversations"


def test_settings_of_the_other_dialect_and_texts_without_a_space_are_noted(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.say(context_id="c1", voices=[VOICE], voice_settings={"similarity_boost": 0.5})
        await client.say(context_id="c1", inputs=line("Hello."))
        await client.settle()

    talk(server, do, DIALOGUE, FOURTH)
    assert server.violations == ["a message has no field similarity_boost", "a text did not end with a space"]


def test_a_context_that_is_left_alone_is_ended_unless_it_is_kept_alive(server: ElevenLabs) -> None:
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
                await client.say(context_id="kept", keep_alive=True)
        assert heard == [{"is_final": True, "context_id": "left"}]
        _, code, reason = await client.close_of()
        assert (code, "20.0 seconds" in reason) == (1008, True)

    talk(server, do, DIALOGUE, FOURTH)
    assert not server.violations


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"model_id": "eleven_flash_v2_5", "output_format": "pcm_24000"}, 403),
        ({**FOURTH, "apply_text_normalization": "auto"}, 400),
    ],
)
def test_the_handshake_is_refused_as_the_vendor_does(
    server: ElevenLabs, query: dict[str, str], status: int
) -> None:
    async def nothing(_: Client) -> None:
        raise AssertionError("it was let in")

    with pytest.raises(InvalidStatus) as refusal:
        talk(server, nothing, DIALOGUE, query)
    assert refusal.value.response.status_code == status


def test_parameters_of_the_other_dialect_are_ignored_and_noted(server: ElevenLabs) -> None:
    async def do(client: Client) -> None:
        await client.settle()

    talk(server, do, DIALOGUE, {**FOURTH, "auto_mode": "true"})
    assert server.violations == ["text-to-dialogue has no parameter auto_mode"]


def test_a_dialogue_socket_counts_for_as_long_as_it_is_open(server: ElevenLabs) -> None:
    server.manners.most_at_once = 1

    async def second(_: Client) -> None:
        raise AssertionError("it was let in")

    async def first(_: Client) -> None:
        with pytest.raises(InvalidStatus) as refusal:
            await asyncio.to_thread(talk, server, second, DIALOGUE, FOURTH)
        assert refusal.value.response.status_code == 429

    talk(server, first, DIALOGUE, FOURTH)
