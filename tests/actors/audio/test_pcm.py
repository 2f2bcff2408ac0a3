"""House sound: levels, ramps, frames and files."""

import os
import struct
import subprocess
import sys
import wave
from pathlib import Path

import pytest

from actors.audio import pcm
from actors.audio.pcm import FRAME_BYTES, SILENCE, UnreadableSound


def tone(amplitude: int, count: int = 480) -> bytes:
    return struct.pack(f"<{count}h", *(amplitude if i % 2 else -amplitude for i in range(count)))


def wav(path: Path, rate: int, channels: int, width: int, content: bytes) -> Path:
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(width)
        sound.setframerate(rate)
        sound.writeframes(content)
    return path


def test_a_frame_is_twenty_milliseconds() -> None:
    assert pcm.seconds(SILENCE) == pytest.approx(pcm.FRAME_SECONDS)
    assert len(SILENCE) == FRAME_BYTES == 2 * pcm.FRAME_SAMPLES


@pytest.mark.parametrize(("amplitude", "level"), [(32767, 0.0), (16384, -6.02), (328, -40.0), (0, -120.0)])
def test_levels_are_decibels_below_full_scale(amplitude: int, level: float) -> None:
    assert pcm.rms_dbfs(tone(amplitude)) == pytest.approx(level, abs=0.05)
    assert pcm.peak_dbfs(tone(amplitude)) == pytest.approx(level, abs=0.05)


def test_the_level_of_nothing_is_the_floor() -> None:
    assert pcm.rms_dbfs(b"") == pcm.peak_dbfs(b"") == pcm.FLOOR_DBFS


def test_the_lowest_sample_is_full_scale_and_not_an_overflow() -> None:
    assert pcm.peak_dbfs(struct.pack("<h", -32768)) == 0.0


def test_a_ramp_goes_from_its_first_gain_to_its_last() -> None:
    faded = pcm.samples(pcm.ramp(tone(10_000), 1.0, 0.0))
    assert abs(faded[0]) == 10_000
    assert faded[-1] == 0
    assert abs(faded[240]) == pytest.approx(5_000, abs=50)


def test_a_ramp_that_is_too_loud_stays_inside_sixteen_bits() -> None:
    assert set(pcm.samples(pcm.ramp(tone(30_000), 2.0, 2.0))) == {-32768, 32767}


def test_a_ramp_of_one_changes_nothing() -> None:
    sound = tone(1234)
    assert pcm.ramp(sound, 1.0, 1.0) is sound


def test_half_a_frame_is_filled_up_with_silence() -> None:
    cut = list(pcm.frames(tone(5, 720)))
    assert [len(frame) for frame in cut] == [FRAME_BYTES, FRAME_BYTES]
    assert b"".join(cut) == tone(5, 720) + bytes(480)


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    pcm.write_wav(tmp_path / "a.wav", tone(77))
    assert pcm.read_wav(tmp_path / "a.wav") == tone(77)


def test_two_channels_become_their_average(tmp_path: Path) -> None:
    path = wav(tmp_path / "a.wav", 24_000, 2, 2, struct.pack("<4h", 100, 300, -32768, -32768))
    assert list(pcm.samples(pcm.read_wav(path))) == [200, -32768]


def test_another_rate_keeps_its_length_in_seconds(tmp_path: Path) -> None:
    path = wav(tmp_path / "a.wav", 44_100, 1, 2, tone(900, 44_100))
    assert pcm.seconds(pcm.read_wav(path)) == pytest.approx(1.0, abs=0.001)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("absent.wav", None, "no such file"),
        ("text.wav", b"these are words, not sound", "not a readable WAV"),
        ("empty.wav", b"", r"not a readable WAV \(it ends too early\)"),
        ("cut.wav", b"RIFF\x24\x00\x00\x00WAVEfmt ", "not a readable WAV"),
    ],
)
def test_a_file_that_is_no_sound_says_why(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableSound, match=why) as failed:
        pcm.read_wav(tmp_path / name)
    assert failed.value.path == tmp_path / name


def test_eight_bits_are_refused_in_words(tmp_path: Path) -> None:
    path = wav(tmp_path / "a.wav", 24_000, 1, 1, bytes(100))
    with pytest.raises(UnreadableSound, match="has 8 bits a sample; 16 are needed"):
        pcm.read_wav(path)


def test_a_file_without_a_rate_is_refused(tmp_path: Path) -> None:
    path = wav(tmp_path / "a.wav", 24_000, 1, 2, bytes(100))
    header = bytearray(path.read_bytes())
    header[24:28] = bytes(4)
    path.write_bytes(header)
    with pytest.raises(UnreadableSound, match="is at 0 Hz; 4000 to 192000 Hz can be read"):
        pcm.read_wav(path)


def test_what_is_no_file_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.wav")
    for path in (tmp_path / "pipe.wav", tmp_path, Path("/dev/zero")):
        with pytest.raises(UnreadableSound, match="a folder, a pipe or a device"):
            pcm.read_wav(path)


def test_a_file_that_is_too_large_or_too_long_is_refused_from_its_header(tmp_path: Path) -> None:
    path = wav(tmp_path / "a.wav", 4_000, 1, 2, bytes(2 * 4_000 * 601))
    with pytest.raises(UnreadableSound, match="lasts 601 s, and at most 600 s are read"):
        pcm.wav_seconds(path)
    os.truncate(path, 2_000_000_000)
    with pytest.raises(UnreadableSound, match="has 2000 MB, and at most 100 MB are read"):
        pcm.wav_seconds(path)


def test_a_file_without_a_frame_is_refused_and_another_says_how_long_it_is(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSound, match="has no sound in it"):
        pcm.read_wav(wav(tmp_path / "a.wav", 24_000, 1, 2, b""))
    assert pcm.wav_seconds(wav(tmp_path / "b.wav", 8_000, 2, 2, bytes(8_000))) == 0.25


def test_without_soxr_the_house_rate_is_the_only_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soxr", None)
    pcm.write_wav(tmp_path / "a.wav", tone(7))
    assert pcm.read_wav(tmp_path / "a.wav") == tone(7)
    with pytest.raises(UnreadableSound, match="without the soxr package only 24000 Hz"):
        pcm.read_wav(wav(tmp_path / "b.wav", 16_000, 1, 2, bytes(100)))


def test_nothing_heavy_is_imported_before_a_port_opens() -> None:
    code = """
import sys
from actors.audio import melody, models, opus, pcm, pipe, pool, resample, vad, voice, whisper
heavy = {"numpy", "soxr", "onnxruntime", "ctranslate2", "av", "hibari", "tokenizers"}
print(sorted(heavy & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert ran.stdout.strip() == "[]"
