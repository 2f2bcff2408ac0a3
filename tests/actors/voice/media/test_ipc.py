"""Whatever is written can be read again, and whatever is no letter is refused with a reason."""

import dataclasses
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.voice.media import mail
from actors.voice.media.ipc import HEADER, LONGEST_WORD, MOST_BYTES, MOST_FRAMES, Garbled, decode, encode
from actors.voice.media.mail import Cut, Heard, Letter, Note, Sound, Voices, VoiceServer
from messages.audio import FRAME_BYTES

NUMBERS = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(max_size=200)
VALUES: dict[object, st.SearchStrategy[object]] = {
    "int": NUMBERS,
    "float": st.floats(allow_nan=False),
    "bool": st.booleans(),
    "str": TEXTS,
    "str | None": st.none() | TEXTS,
    "int | None": st.none() | NUMBERS,
}
PLAIN = [kind for kind in typing.get_args(mail.Letter) if kind not in {Sound, Voices}]
SHOWN = st.text(st.characters(categories=["L", "N", "P"]), max_size=LONGEST_WORD)
"""What the house is told may be shown; what the process is told need not be."""
TOLD: dict[object, st.SearchStrategy[object]] = {
    **VALUES,
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "str": SHOWN,
}
SHORT = st.integers(0, 2**32 - 1)
LONG = st.integers(0, 2**64 - 1)
FRAMES = st.binary(min_size=FRAME_BYTES, max_size=FRAME_BYTES)
HEARD = st.builds(
    Heard,
    user=LONG,
    pcm=FRAMES,
    at=st.integers(0, 2**50).map(lambda nanoseconds: nanoseconds / 1e9),
    timestamp=SHORT,
    concealed=st.booleans(),
)


def values(kind: object) -> dict[object, st.SearchStrategy[object]]:
    return TOLD if kind in typing.get_args(mail.News) else VALUES


LETTERS: st.SearchStrategy[Letter] = st.one_of(
    *(st.builds(kind, **{f.name: values(kind)[f.type] for f in dataclasses.fields(kind)}) for kind in PLAIN),
    st.builds(Sound, connection=SHORT, utterance=SHORT, pcm=st.binary(min_size=1, max_size=9_600)),
    st.builds(Voices, frames=st.lists(HEARD, min_size=1, max_size=MOST_FRAMES).map(tuple)),
)


@given(LETTERS)
def test_what_is_written_is_read_again(letter: Letter) -> None:
    message = encode(letter)
    assert 0 < len(message) <= MOST_BYTES
    assert decode(message) == letter


@given(st.binary(max_size=200))
def test_bytes_that_are_no_letter_are_garbled_and_nothing_worse(message: bytes) -> None:
    try:
        decode(message)
    except Garbled:
        return


@given(LETTERS, st.data())
def test_a_letter_that_was_cut_off_or_went_on_is_garbled(letter: Letter, data: st.DataObject) -> None:
    message = encode(letter)
    if not isinstance(letter, Sound):
        with pytest.raises(Garbled):
            decode(message + b"\0")
    short = message[: data.draw(st.integers(0, len(message) - 1))]
    try:
        assert decode(short) != letter
    except Garbled:
        return


def test_news_that_could_not_be_shown_is_garbled() -> None:
    for news in (
        mail.Secured(connection=1, privacy_code="1" * (LONGEST_WORD + 1)),
        mail.Lost(connection=1, plan="fresh", reason="line one\nline two"),
        Note(text="\x1b[2J"),
        mail.Spoken(
            connection=1, utterance=1, what="started", frames=0, dropped=0, at=float("nan"), reason=""
        ),
    ):
        with pytest.raises(Garbled, match="shown"):
            decode(encode(news))
    assert decode(encode(Note(text="x" * 1_000))) == Note(text="x" * 1_000)


def test_sound_that_does_not_fit_is_refused_where_it_is_written() -> None:
    for pcm in (b"", bytes(MOST_FRAMES * FRAME_BYTES + 2)):
        with pytest.raises(ValueError, match="do not fit"):
            encode(Sound(connection=1, utterance=1, pcm=pcm))
    with pytest.raises(ValueError, match="too long"):
        encode(Note(text="x" * MOST_BYTES))


def test_sound_that_says_another_length_than_it_has_is_garbled() -> None:
    message = encode(Sound(connection=1, utterance=1, pcm=bytes(2 * FRAME_BYTES)))
    with pytest.raises(Garbled, match="not 2 frames"):
        decode(message[:-FRAME_BYTES])
    with pytest.raises(Garbled, match="no letter of kind 200"):
        decode(b"\xc8" + encode(Cut(connection=1, utterance=1))[1:])


def test_a_secret_is_not_shown() -> None:
    assert "hush" not in repr(VoiceServer(connection=1, token="hush", endpoint="localhost:1"))


def test_the_header_has_twenty_bytes() -> None:
    assert HEADER.size == 20


def test_frames_that_do_not_fit_are_refused_by_writer_and_reader() -> None:
    one = Heard(user=1, pcm=bytes(FRAME_BYTES), at=0.0, timestamp=0, concealed=False)
    for count in (0, MOST_FRAMES + 1):
        with pytest.raises(ValueError, match="do not fit"):
            encode(Voices(frames=(one,) * count))
        letter = encode(Voices(frames=(one,)))
        header, frame = letter[: HEADER.size], letter[HEADER.size :]
        with pytest.raises(Garbled, match=f"not {count} frames"):
            decode(header[:2] + count.to_bytes(2, "little") + header[4:] + frame * count)


def test_what_was_heard_is_not_shown() -> None:
    assert "hush" not in repr(Heard(user=1, pcm=b"hush", at=0.0, timestamp=0, concealed=False))
