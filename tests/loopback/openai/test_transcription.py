"""The real SDK has sound written down by this OpenAI, and each rule of it answers as it should."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator, Mapping

import pytest

from tests.loopback.discord.body import Body
from tests.loopback.openai.clients import Client, beside, talk
from tests.loopback.openai.growing import Growing
from tests.loopback.openai.hearing import Deaf, Hear, in_turn
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.server import OpenAi

EVENT = "conversation.item.input_audio_transcription"


@pytest.fixture
def server() -> Iterator[OpenAi]:
    with OpenAi() as server:
        yield server


async def write_with(client: Client, model: str = "gpt-live-transcribe") -> None:
    """Say which model is to write."""
    heard = {"transcription": {"model": model}, "turn_detection": None}
    await client.send("session.update", session={"type": "transcription", "audio": {"input": heard}})
    await client.until("session.updated")


async def commit(client: Client, milliseconds: int = 200) -> str:
    """Append so much, commit it, and return the item."""
    await client.append(milliseconds)
    await client.send("input_audio_buffer.commit")
    return (await client.until("input_audio_buffer.committed")).text("item_id")


def texts(client: Client, item: str) -> list[str]:
    """The deltas of an item so far."""
    deltas = [one for one in client.came if one.text("type") == f"{EVENT}.delta"]
    return [one.text("delta") for one in deltas if one.text("item_id") == item]


def test_what_is_committed_is_written_down(server: OpenAi) -> None:
    server.hearing.hear = in_turn(["What time is it?", ""])

    async def do(client: Client) -> None:
        await write_with(client)
        first = await commit(client, 240)
        done = await client.until(f"{EVENT}.completed")
        assert done.text("item_id") == first
        assert done.text("transcript") == "What time is it?"
        assert done.body("usage").fields == {"type": "duration", "seconds": 0.24}
        assert texts(client, first) == ["What time is it?"]
        await client.append(120)
        await client.send("input_audio_buffer.commit")
        assert (await client.until("input_audio_buffer.committed")).text("previous_item_id") == first
        assert (await client.until(f"{EVENT}.completed")).text("transcript") == ""

    talk(server, do, None)
    listener = server.listener()
    assert listener.appended_ms == 360
    assert listener.buffered_ms == 0
    assert len(listener.committed) == 2
    assert listener.wait_for("input_audio_buffer.append") == {
        "type": "input_audio_buffer.append",
        "audio": 240 * 48,
    }
    assert server.violations == []


def test_less_than_100_ms_cannot_be_committed_and_stays(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await write_with(client)
        await client.append(80)
        error = await client.refused("input_audio_buffer.commit")
        assert error.text("code") == "input_audio_buffer_commit_empty"
        assert "Expected at least 100ms" in error.text("message")
        await commit(client, 20)

    talk(server, do, None)
    assert len(server.violations) == 1


def test_what_is_cleared_is_forgotten_but_was_appended(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await write_with(client)
        await client.append(500)
        await client.send("input_audio_buffer.clear")
        await client.until("input_audio_buffer.cleared")

    talk(server, do, None)
    assert server.listener().buffered_ms == 0
    assert server.listener().appended_ms == 500


@pytest.mark.parametrize("audio", ["no base64!", "", base64.b64encode(b"odd").decode(), None])
def test_sound_that_is_none_is_refused(server: OpenAi, audio: str | None) -> None:
    async def do(client: Client) -> None:
        assert (await client.refused("input_audio_buffer.append", audio=audio)).text("param") == "audio"

    talk(server, do, None)


def test_more_than_15_mib_at_once_is_refused(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await client.append((15 << 20) // 48 + 1)
        assert (await client.until("error")).body("error").text("code") == "string_above_max_length"

    talk(server, do, None)


def test_a_transcription_answers_nothing(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await client.refused("response.create")

    talk(server, do, None)


def test_a_commit_that_nobody_is_to_write_down_is_a_broken_rule(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await commit(client)

    talk(server, do, None)
    assert len(server.violations) == 1


def test_a_transcription_fails_by_its_item(server: OpenAi) -> None:
    def deaf(_: bytes) -> str:
        raise Deaf("audio_unintelligible")

    server.hearing.hear = deaf
    server.habits.failing_transcripts.append("rate_limit_exceeded")

    async def do(client: Client) -> None:
        await write_with(client)
        for code in ("rate_limit_exceeded", "audio_unintelligible"):
            item = await commit(client)
            failed = await client.until(f"{EVENT}.failed")
            assert failed.text("item_id") == item
            assert failed.body("error").text("code") == code
            assert failed.body("error").text("message") == PROSE

    talk(server, do, None)


def test_transcripts_come_in_the_order_that_a_test_wants(server: OpenAi) -> None:
    server.hearing.hear = in_turn(["one", "two", "three"])
    server.habits.hold_transcripts = True

    async def do(client: Client) -> None:
        await write_with(client)
        items = [await commit(client) for _ in range(3)]
        listener = server.listener()
        await beside(lambda: server.until(lambda: len(listener.held) == 3))
        listener.release(2, 0)
        listener.release()
        done: list[Body] = [await client.until(f"{EVENT}.completed") for _ in range(3)]
        assert [one.text("item_id") for one in done] == [items[2], items[0], items[1]]
        assert [one.text("transcript") for one in done] == ["three", "one", "two"]

    talk(server, do, None)


def test_words_that_a_test_says_early_belong_to_the_item_of_the_next_commit(server: OpenAi) -> None:
    server.hearing.hear = in_turn(["stop it now"])

    async def do(client: Client) -> None:
        await write_with(client)
        await client.append(200)
        await beside(lambda: server.until(lambda: server.listener().buffered_ms))
        server.listener().delta("stop")
        await client.until(f"{EVENT}.delta")
        item = await commit(client)
        await client.until(f"{EVENT}.completed")
        assert texts(client, item) == ["stop", " it now"]

    talk(server, do, None)


def by_length(texts: Mapping[int, str]) -> Hear:
    """Hear a text by how many milliseconds the sound lasts: that of the longest that is not longer."""

    def hear(sound: bytes) -> str:
        return texts[max(length for length in texts if length * 48 <= len(sound))]

    return hear


def test_a_live_model_tells_while_sound_comes_what_it_heard_twice() -> None:
    hear = by_length({600: "Hello", 1200: "Hello there.", 1800: "Hello there my friend"})

    async def do(client: Client) -> None:
        await write_with(client)
        await client.append(600)
        await client.append(600)
        assert (await client.until(f"{EVENT}.delta")).text("delta") == "Hello"
        await client.append(600)
        assert (await client.until(f"{EVENT}.delta")).text("delta") == " there"
        item = await commit(client, 600)
        await client.until(f"{EVENT}.completed")
        assert "".join(texts(client, item)) == "Hello there my friend"

    with OpenAi(hear=hear, live=True) as server:
        talk(server, do, None)


def test_nobody_waits_for_more_than_one_hearing_that_is_not_final() -> None:
    heard: list[int] = []
    go = threading.Event()

    def hear(sound: bytes) -> str:
        heard.append(len(sound) // 48)
        assert go.wait(5.0)
        return "word"

    async def do(client: Client) -> None:
        await write_with(client)
        for _ in range(4):
            await client.append(600)
        await commit(client, 600)
        go.set()
        await client.until(f"{EVENT}.completed")

    with OpenAi(hear=hear, live=True) as server:
        talk(server, do, None)
    assert heard == [600, 3000]


def test_nobodys_words_so_far_hold_up_another_listener() -> None:
    heard: list[int] = []
    begun, go = threading.Event(), threading.Event()

    def hear(sound: bytes) -> str:
        heard.append(len(sound) // 48)
        begun.set()
        assert go.wait(5.0)
        return "word"

    with OpenAi(hear=hear, live=True) as server:

        async def other(client: Client) -> None:
            await write_with(client)
            await client.append(700)
            await commit(client, 100)
            go.set()
            await client.until(f"{EVENT}.completed")

        async def do(client: Client) -> None:
            await write_with(client)
            await client.append(600)
            await beside(begun.wait)
            await beside(lambda: talk(server, other, None))

        talk(server, do, None)
    assert heard == [600, 800]


def test_of_what_was_cleared_nothing_more_is_told() -> None:
    begun, go = threading.Event(), threading.Event()
    texts = iter(["Hello", "Hello there", ""])

    def hear(_: bytes) -> str:
        text = next(texts)
        if text == "Hello there":
            begun.set()
            assert go.wait(5.0)
        return text

    async def do(client: Client) -> None:
        await write_with(client)
        await client.append(600)
        await client.append(600)
        await beside(begun.wait)
        await client.send("input_audio_buffer.clear")
        await client.until("input_audio_buffer.cleared")
        go.set()
        await commit(client, 100)
        await client.until(f"{EVENT}.completed")
        assert f"{EVENT}.delta" not in [event.text("type") for event in client.came]

    with OpenAi(hear=hear, live=True) as server:
        talk(server, do, None)


def test_what_was_told_stays_told_and_only_agreement_is_told() -> None:
    growing = Growing()
    assert growing.heard("I scream") == ""
    assert growing.heard("ice cream for") == ""
    assert growing.heard("Ice cream, for all.") == "Ice cream, for"
    assert growing.heard("ice cream for all") == " all"
    assert growing.heard("nice cream for all of us") == ""
    assert growing.finally_heard("Nice cream for all of us.") == " of us."
