"""Words are cut where their letters end, whatever the provider makes of the rest."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actors.tts.live.timing import Sound, Track, Words
from actors.tts.live.wire import Letter

TEXT = st.text(alphabet="ab 5.-!é\n", min_size=1, max_size=40)


def letters(text: str) -> list[Letter]:
    return [Letter(sign=sign, end=10.0 * (at + 1)) for at, sign in enumerate(text)]


def told(text: str, aligned: str) -> list[tuple[str, float]]:
    return list(Words(text).tell(letters(aligned)))


def test_a_word_ends_with_its_last_letter_keeps_its_signs_and_the_text_ends_with_its_last_sign() -> None:
    assert told("One, two.", " One, two. ") == [("One,", 40.0), ("two.", 90.0), ("", 100.0)]
    assert told("One two", "ONE two") == [("One", 30.0), ("two", 70.0), ("", 70.0)]


def test_signs_that_stand_alone_belong_to_the_word_before_them_or_the_first_one_behind() -> None:
    assert told("Well — yes…", "Well — yes") == [("Well —", 40.0), ("yes…", 100.0)]
    assert told("… no.", "… no") == [("… no.", 40.0)]


@pytest.mark.parametrize(
    ("text", "aligned", "words"),
    [
        ("It costs 5.30 now.", "It costs five thirty now. ", ["It", "costs", "5.30 now.", ""]),
        ("Buy 5 km of it.", "Buy five kilometers of it.", ["Buy", "5 km of", "it.", ""]),
        ("1 2 3 4 5 go on.", "one two three four five go on.", []),
        ("It is 5.", "It is five.", ["It", "is"]),
        ("It is 5 now", "It is five now ", ["It", "is", "5 now", ""]),
        ("Take 5 please.", "Take five please. ", ["Take", "5 please.", ""]),
        ("I'm sure I am.", "I'm sure I am.", ["I'm", "sure", "I", "am.", ""]),
        ("At 5.5 5.", "At 5.5 5.", ["At", "5.5", "5.", ""]),
        ("A **bold** 🎉 move.", "A bold move.", ["A", "**bold** 🎉", "move.", ""]),
        ("a apple a", "a apple a", ["a", "apple", "a", ""]),
        ("He is, is he.", "Heis,ishe.", ["He", "is,", "is", "he.", ""]),
    ],
)
def test_what_is_said_otherwise_than_written_ends_with_the_next_word_that_is_the_same(
    text: str, aligned: str, words: list[str]
) -> None:
    assert [word for word, _ in told(text, aligned)] == words


@pytest.mark.parametrize(
    ("text", "aligned"), [("It is 5 now.", "It is fifty-five no"), ("1 is one.", "one ")]
)
def test_a_text_that_sounds_longer_than_it_was_written_is_not_covered_early(text: str, aligned: str) -> None:
    words = Words(text)
    list(words.tell(letters(aligned)))
    assert not words.covered


@example("5.5 5.", 2)
@given(TEXT, st.integers(0, 40))
def test_a_text_said_as_it_was_written_is_told_whole_and_covered_at_its_last_sign(
    text: str, cut: int
) -> None:
    words = Words(text)
    before = list(words.tell(letters(text[:cut])))
    assert not words.covered or not any(sign.isalnum() for sign in text[cut:])
    pieces = [piece for piece, _ in (*before, *words.tell(letters(text[cut:])))]
    if any(sign.isalnum() for sign in text):
        assert " ".join(pieces).split() == text.split()
        assert words.covered


def test_sound_is_cut_where_a_word_ends() -> None:
    track = Track()
    track.mark("One", 1.0)
    track.mark("two", 1.5)
    pcm = bytes(range(96))
    assert track.feed(pcm) == [Sound(pcm[:48], "One"), Sound(pcm[48:72], "two"), Sound(pcm[72:], "")]


def test_a_word_may_end_in_a_later_chunk_and_the_next_one_counts_from_its_own_beginning() -> None:
    track = Track()
    track.mark("One", 2.0)
    assert track.feed(bytes(48)) == [Sound(bytes(48), "")]
    assert track.ahead == 48
    track.mark("two", 1.5)
    assert track.feed(bytes(72)) == [Sound(bytes(48), "One"), Sound(bytes(24), "two")]
    assert track.ahead == 0


def test_words_that_end_at_once_or_out_of_order_end_together() -> None:
    track = Track()
    track.mark("One", 1.0)
    track.mark("two", 0.5)
    assert track.feed(bytes(48)) == [Sound(bytes(48), "One two")]
    track.mark("three", 0.0)
    assert track.feed(bytes(4)) == [Sound(bytes(2), "three"), Sound(bytes(2), "")]


def test_words_nobody_asks_for_any_more_are_not_told() -> None:
    track = Track()
    track.mark("One", 1.0)
    track.forget_marks()
    assert track.feed(bytes(96)) == [Sound(bytes(96), "")]


@given(st.lists(st.tuples(st.binary(max_size=9), st.integers(0, 3)), max_size=12))
def test_of_sound_in_any_pieces_not_a_byte_is_lost_and_no_sample_is_cut(
    chunks: list[tuple[bytes, int]],
) -> None:
    track, given_out = Track(), bytearray()
    for pcm, marks in chunks:
        for number in range(marks):
            track.mark(f"w{number}", 0.05 * number)
        for sound in track.feed(pcm):
            assert sound.pcm
            assert len(sound.pcm) % 2 == 0
            given_out += sound.pcm
    whole = b"".join(pcm for pcm, _ in chunks)
    assert given_out == whole[: len(whole) // 2 * 2]
