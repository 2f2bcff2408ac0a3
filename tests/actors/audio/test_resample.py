"""The streaming resampler has no seams."""

import math
import struct

import pytest

from actors.audio import pcm
from actors.audio.resample import Quality, Resampler


def sine(rate: int, hertz: float, seconds: float) -> bytes:
    count = round(rate * seconds)
    return struct.pack(
        f"<{count}h", *(round(16_000 * math.sin(2 * math.pi * hertz * i / rate)) for i in range(count))
    )


@pytest.mark.parametrize("quality", ["HQ", "LQ", "QQ"])
@pytest.mark.parametrize(("source", "target"), [(24_000, 16_000), (16_000, 24_000), (48_000, 24_000)])
def test_frame_by_frame_is_as_long_as_the_whole(source: int, target: int, quality: Quality) -> None:
    resampler, sound = Resampler(source, target, quality), sine(source, 440, 1.0)
    step = source // 25
    out = (
        b"".join(resampler.feed(sound[at : at + step]) for at in range(0, len(sound), step))
        + resampler.flush()
    )
    assert len(out) == pytest.approx(2 * target, abs=8)
    inside = out[target // 5 * 2 : -target // 5 * 2]
    assert pcm.rms_dbfs(inside) == pytest.approx(pcm.rms_dbfs(sound), abs=0.2)


def test_frame_by_frame_is_the_same_as_at_once() -> None:
    sound = sine(24_000, 1000, 0.5)
    pieces, whole = Resampler(24_000, 16_000), Resampler(24_000, 16_000)
    cut = b"".join(pieces.feed(frame) for frame in pcm.frames(sound)) + pieces.flush()
    once = whole.feed(sound) + whole.flush()
    assert max(abs(a - b) for a, b in zip(pcm.samples(cut), pcm.samples(once), strict=True)) <= 1


def test_after_a_reset_the_old_stream_is_not_heard() -> None:
    resampler = Resampler(16_000, 24_000)
    resampler.feed(sine(16_000, 440, 0.1))
    resampler.reset()
    assert not any(resampler.feed(bytes(3200)) + resampler.flush())
