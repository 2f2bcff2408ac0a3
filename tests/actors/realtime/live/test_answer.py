"""What a model writes is put together, whatever server cut it into pieces, and only the answer is spoken."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some
from openai.types.chat import ChatCompletionChunk

from actors.net.plain import plain
from actors.realtime.live.answer import MOST_CHARACTERS, Answer, Asides
from actors.realtime.live.chunks import MOST_CALLS, CallPiece, Piece, read
from messages.realtime import ResponseEnding

THOUGHT = (
    "Hm. <think>They greet me.</think>\n\nHello <there>, <thinking>so what</thinking>1 < 2 </think>x <thi"
)


def spoken(answer: Answer, *texts: str) -> list[str]:
    """What is to be spoken after each piece, and at the end."""
    return [*(answer.take(Piece(text=text)) for text in texts), answer.rest()]


@given(some.lists(some.integers(min_value=0, max_value=len(THOUGHT)), max_size=12))
def test_thoughts_are_not_spoken_wherever_the_text_is_cut(cuts: list[int]) -> None:
    asides, places = Asides(), [0, *sorted(cuts), len(THOUGHT)]
    pieces = [THOUGHT[start:end] for start, end in pairwise(places)]
    passed = "".join(asides.take(piece) for piece in pieces) + asides.rest()
    assert passed == "Hm. \n\nHello <there>, 1 < 2 x <thi"


def test_a_thought_that_never_ends_is_never_spoken() -> None:
    assert spoken(Answer(), "<think>", "well, <", "/thin") == ["", "", "", ""]


def test_text_is_spoken_as_it_comes() -> None:
    assert spoken(Answer(), "Hel", "lo. ", "How", "") == ["Hel", "lo. ", "How", "", ""]


@pytest.mark.parametrize("written", ["(silence)", "\n", "*silent*", " (Silence)\n", "[silence]."])
def test_the_word_for_silence_is_not_spoken(written: str) -> None:
    answer = Answer()
    assert "".join(spoken(answer, *written)) == ""
    assert answer.text == ""


def test_an_opening_in_brackets_waits_until_it_is_known_not_to_be_silence() -> None:
    answer = Answer()
    assert spoken(answer, "(", "sigh", ") ", "Fine.") == ["", "", "(sigh) ", "Fine.", ""]
    assert answer.text == "(sigh) Fine."


def test_an_answer_without_end_is_refused() -> None:
    answer = Answer()
    answer.take(Piece(text="x" * MOST_CHARACTERS))
    with pytest.raises(ValueError, match="without end"):
        answer.take(Piece(calls=(CallPiece(index=0, tool="t", arguments="x"),)))


# --- calls ----------------------------------------------------------------------------------------


def called(*pieces: CallPiece) -> tuple[tuple[str, str], ...]:
    answer = Answer()
    for piece in pieces:
        answer.take(Piece(calls=(piece,)))
    return answer.verdict("tool_calls").calls


def test_calls_are_put_together_by_their_index() -> None:
    assert called(
        CallPiece(index=0, id="a", tool="one"),
        CallPiece(index=1, id="b", tool="two", arguments="{"),
        CallPiece(index=0, arguments='{"x"'),
        CallPiece(index=1, arguments="}"),
        CallPiece(index=0, arguments=":1}"),
    ) == (("one", '{"x":1}'), ("two", "{}"))


def test_whole_calls_that_share_an_index_are_told_apart() -> None:
    one, two = CallPiece(index=0, id="a", tool="t", arguments="{}"), CallPiece(index=0, id="b", tool="t")
    assert called(one, two, CallPiece(index=0, id="b", arguments="[]")) == (("t", "{}"), ("t", "[]"))
    nameless = CallPiece(tool="t", arguments="{}")
    assert called(nameless, nameless) == (("t", "{}"), ("t", "{}"))


def test_a_call_of_no_tool_is_none() -> None:
    assert called(CallPiece(index=0, id="a", arguments="{}")) == ()


def test_nobody_makes_so_many_calls() -> None:
    with pytest.raises(ValueError, match="too many"):
        called(*(CallPiece(index=index, tool="t") for index in range(MOST_CALLS + 1)))


def test_calls_count_only_when_the_answer_is_whole() -> None:
    answer = Answer()
    answer.take(Piece(text="Well.", calls=(CallPiece(index=0, tool="t"),)))
    for finish in ("stop", "tool_calls", "function_call", "eos"):
        verdict = answer.verdict(finish)
        assert (verdict.ending, verdict.calls) == (ResponseEnding.COMPLETED, (("t", ""),))
    answer.take(Piece(text="Well."))
    for finish in ("length", "content_filter"):
        cut = answer.verdict(finish)
        assert (cut.ending, cut.reason, cut.calls) == (ResponseEnding.COMPLETED, "", ())


def test_an_answer_that_was_all_thought_or_was_withheld_has_failed() -> None:
    for finish, reason in (
        ("length", "max_output_tokens"),
        ("content_filter", "content_filter"),
        ("Oh, I am sorry!", "provider_error"),
    ):
        verdict = Answer().verdict(finish)
        assert (verdict.ending, verdict.reason) == (ResponseEnding.FAILED, reason)


def test_a_call_that_was_written_down_is_made_and_not_spoken() -> None:
    answer = Answer()
    pieces = (
        "Let me see. <tool",
        '_call>\n{"name": "ask_clankie",',
        ' "arguments": {"request": "x"}}</tool_call>',
    )
    assert spoken(answer, *pieces) == ["Let me see. ", "", "", ""]
    assert answer.verdict("stop").calls == (("ask_clankie", '{"request": "x"}'),)
    answer = Answer()
    assert "".join(spoken(answer, '{"name": "voice_', 'leave", "arguments": {}}')) == ""
    assert answer.verdict("stop").calls == (("voice_leave", "{}"),)
    assert answer.verdict("length").calls == ()


def test_a_call_that_was_made_is_not_made_again_because_it_was_written_down() -> None:
    answer = Answer()
    answer.take(Piece(text='{"name": "voice_leave"}', calls=(CallPiece(index=0, tool="voice_leave"),)))
    assert answer.rest() == ""
    assert answer.verdict("stop").calls == (("voice_leave", ""),)


def test_a_call_that_was_only_thought_of_is_none() -> None:
    answer = Answer()
    thought = '<think>Or <tool_call>{"name": "voice_leave"}</tool_call>? No.</think>Hello.'
    assert "".join(spoken(answer, *thought)) == "Hello."
    assert answer.verdict("stop").calls == ()


# --- chunks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chunk",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [{}]},
        {"choices": [{"delta": None, "finish_reason": None}], "usage": {"total_tokens": 1}},
        {"choices": [{"delta": {"content": None, "tool_calls": None, "reasoning_content": None}}]},
        {"choices": [{"delta": {"tool_calls": []}, "finish_reason": ""}]},
    ],
)
def test_a_chunk_may_bring_nothing(chunk: dict[str, object]) -> None:
    assert read(chunk) == read(ChatCompletionChunk.construct(None, **chunk)) == Piece()


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_are_progress_and_nothing_else(field: str) -> None:
    chunk = {"choices": [{"delta": {"content": "", field: "hm"}}]}
    assert read(chunk) == read(ChatCompletionChunk.construct(None, **chunk)) == Piece(thought=True)
    assert read(chunk).is_progress
    assert not Piece().is_progress


def test_a_chunk_is_read_as_the_library_gives_it() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}, "type": "function"}
    chunk = {"choices": [{"delta": {"content": "x", "tool_calls": [call]}, "finish_reason": "stop"}]}
    expected = Piece(text="x", calls=(CallPiece(index=0, id="a", tool="t", arguments="{}"),), finish="stop")
    assert read(ChatCompletionChunk.construct(None, **chunk)) == expected
    assert read(chunk) == expected


@given(some.text(some.characters() | some.characters(categories=["Cs"])))
def test_half_a_letter_never_passes(text: str) -> None:
    function = {"name": text, "arguments": text}
    chunk = {
        "choices": [
            {
                "delta": {"content": text, "tool_calls": [{"id": text, "function": function}]},
                "finish_reason": text,
            }
        ]
    }
    piece = read(ChatCompletionChunk.construct(None, **chunk))
    (made,) = piece.calls
    assert (piece.text + piece.finish + made.id + made.tool + made.arguments).encode() == 5 * plain(
        text
    ).encode()


@pytest.mark.parametrize("chunk", [None, [], "x", {"choices": 1}, {"choices": [{"delta": {"content": [1]}}]}])
def test_what_is_no_chunk_is_refused(chunk: object) -> None:
    with pytest.raises(ValueError, match="validation error"):
        read(chunk)
