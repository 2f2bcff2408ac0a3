"""Waiting sound comes out as it went in, in whole frames."""

from hypothesis import given
from hypothesis import strategies as st

from actors.playback.sound import Waiting
from messages.audio import FRAME_BYTES


def test_less_than_a_frame_waits_until_the_end() -> None:
    waiting = Waiting().put(b"").put(b"x" * 1_000)
    pcm, waiting = waiting.take(5, False)
    assert (len(pcm), waiting.size) == (FRAME_BYTES, 40)
    assert waiting.take(5, False)[0] == b""
    pcm, waiting = waiting.take(5, True)
    assert pcm == (b"x" * 40).ljust(FRAME_BYTES, b"\0")
    assert waiting == Waiting()


@given(st.lists(st.binary(max_size=3_000), max_size=8), st.integers(1, 10))
def test_nothing_is_lost_or_swapped(pieces: list[bytes], at_once: int) -> None:
    waiting = Waiting()
    for piece in pieces:
        waiting = waiting.put(piece)
    out = b""
    while waiting.size:
        pcm, waiting = waiting.take(at_once, True)
        assert 0 < len(pcm) <= at_once * FRAME_BYTES
        assert len(pcm) % FRAME_BYTES == 0
        out += pcm
    whole = b"".join(pieces)
    assert out.startswith(whole)
    assert len(out) - len(whole) < FRAME_BYTES
