"""Opus through ctypes: what comes back is what went in, and no bytes from outside can hurt the process."""

import ctypes
import ctypes.util
import gc
import random
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.audio import opus, pcm
from actors.audio.opus import BadPacket, NoOpus, OpusDecoder, OpusEncoder
from actors.audio.pcm import FRAME_BYTES, SILENCE
from tests import models
from tests.speech.clips import HUMAN, error_rate


@pytest.fixture
def decoder() -> OpusDecoder:
    return OpusDecoder()


def test_the_library_names_its_version() -> None:
    assert opus.opus_version().startswith("libopus 1.")


def test_the_library_keeps_the_gil() -> None:
    assert isinstance(opus.load_opus(), ctypes.PyDLL)


def test_a_file_that_is_no_libopus_is_not_replaced_by_another() -> None:
    with pytest.raises(NoOpus, match="is not a loadable libopus"):
        opus.load_opus(__file__)


def test_without_any_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opus, "_candidates", lambda: iter(()))
    with pytest.raises(NoOpus, match="pip install av"):
        opus.load_opus.__wrapped__(None)


def test_the_library_is_looked_for_in_the_system_and_then_in_av(monkeypatch: pytest.MonkeyPatch) -> None:
    system, *packaged = opus._candidates()
    assert system == "libopus.so.0"
    assert all("av.libs/libopus-" in path for path in packaged)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes.util, "find_library", {"opus": "/opt/lib/libopus.dylib"}.get)
    assert next(opus._candidates()) == "/opt/lib/libopus.dylib"
    monkeypatch.setattr(ctypes.util, "find_library", {}.get)
    monkeypatch.setattr(opus, "package_folder", lambda _: None)
    assert not list(opus._candidates())


def test_words_survive_the_round_trip(decoder: OpusDecoder) -> None:
    encoder = OpusEncoder()
    heard: list[tuple[str, str]] = []
    for clip in HUMAN[:5]:
        packets = [encoder.encode(frame) for frame in pcm.frames(pcm.read_wav(clip.path))]
        assert max(map(len, packets)) <= 400
        heard.append((clip.words, models.whisper().transcribe(b"".join(map(decoder.decode, packets))).text))
    assert error_rate(heard) <= 0.15


def test_a_stereo_packet_is_heard_in_mono(decoder: OpusDecoder) -> None:
    encoder = OpusEncoder(channels=2)
    assert len(decoder.decode(encoder.encode(bytes(2 * FRAME_BYTES)))) == FRAME_BYTES


def test_a_48_khz_packet_is_heard_at_24_khz(decoder: OpusDecoder) -> None:
    assert len(decoder.decode(OpusEncoder(rate=48_000).encode(bytes(2 * FRAME_BYTES)))) == FRAME_BYTES


def test_a_lost_packet_becomes_twenty_milliseconds(decoder: OpusDecoder) -> None:
    assert decoder.decode(None) == SILENCE


def test_concealment_continues_the_voice_and_fades(decoder: OpusDecoder) -> None:
    encoder = OpusEncoder()
    for frame in list(pcm.frames(pcm.read_wav(HUMAN[0].path)))[:60]:
        decoder.decode(encoder.encode(frame))
    levels = [pcm.rms_dbfs(decoder.decode(None)) for _ in range(20)]
    assert levels[0] > -50
    assert levels[-1] < levels[0] - 20


def test_after_a_reset_nothing_of_the_voice_is_left(decoder: OpusDecoder) -> None:
    encoder = OpusEncoder()
    for frame in list(pcm.frames(pcm.read_wav(HUMAN[0].path)))[:60]:
        decoder.decode(encoder.encode(frame))
    decoder.reset()
    encoder.reset()
    assert decoder.decode(None) == SILENCE
    assert pcm.rms_dbfs(decoder.decode(encoder.encode(SILENCE))) < -80


def test_discords_silence_packet_is_silence(decoder: OpusDecoder) -> None:
    assert decoder.decode(b"\xf8\xff\xfe") == SILENCE


def test_an_empty_packet_is_bad(decoder: OpusDecoder) -> None:
    with pytest.raises(BadPacket, match="at least one byte"):
        decoder.decode(b"")


@given(st.binary(min_size=1, max_size=1500))
def test_any_bytes_are_sound_or_a_bad_packet(packet: bytes) -> None:
    decoder = OpusDecoder()
    try:
        heard = decoder.decode(packet)
    except BadPacket:
        return
    finally:
        decoder.close()
    assert 120 <= len(heard) <= 6 * FRAME_BYTES


def test_a_storm_of_garbage_does_not_deafen_the_decoder(decoder: OpusDecoder) -> None:
    chance, encoder = random.Random(7), OpusEncoder()
    bad = 0
    for frame in list(pcm.frames(pcm.read_wav(HUMAN[0].path)))[:200]:
        packet = bytearray(encoder.encode(frame))
        packet[chance.randrange(len(packet))] = chance.randrange(256)
        for candidate in (bytes(packet), chance.randbytes(chance.randrange(1, 200)), bytes(packet[:3])):
            try:
                decoder.decode(candidate)
            except BadPacket:
                bad += 1
    assert bad > 0
    decoder.reset()
    assert len(decoder.decode(encoder.encode(SILENCE))) == FRAME_BYTES


@pytest.mark.parametrize("count", [0, 1, FRAME_BYTES - 1, FRAME_BYTES + 2, 20 * FRAME_BYTES])
def test_a_length_that_opus_does_not_know_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} bytes are no Opus frame"):
        OpusEncoder().encode(bytes(count))


def test_settings_that_opus_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError, match="44100 Hz"):
        OpusEncoder(rate=44_100)
    with pytest.raises(ValueError, match="44100 Hz"):
        OpusDecoder(rate=44_100)
    with pytest.raises(ValueError, match="Opus refuses 11"):
        OpusEncoder(complexity=11)


def test_a_higher_bitrate_makes_larger_packets() -> None:
    frames = list(pcm.frames(pcm.read_wav(HUMAN[0].path)))[:50]
    sizes = [sum(len(encoder.encode(f)) for f in frames) for encoder in map(_at, (16_000, 32_000, 96_000))]
    assert all(small < large for small, large in pairwise(sizes))


def _at(bitrate: int) -> OpusEncoder:
    return OpusEncoder(bitrate=bitrate)


def test_memory_is_freed_once_whoever_frees_it() -> None:
    freed: list[int] = []
    codec = opus._Codec(opus.load_opus(), 4096, lambda state: freed.append(state.value or 0))
    codec.close()
    codec.close()
    del codec
    gc.collect()
    assert freed == [4096]
    forgotten = opus._Codec(opus.load_opus(), 8192, lambda state: freed.append(state.value or 0))
    del forgotten
    gc.collect()
    assert freed == [4096, 8192]


def test_a_closed_codec_is_of_no_further_use(decoder: OpusDecoder) -> None:
    encoder = OpusEncoder()
    encoder.close()
    decoder.close()
    for use in (lambda: encoder.encode(SILENCE), encoder.reset, lambda: decoder.decode(None), decoder.reset):
        with pytest.raises(ValueError, match="closed"):
            use()
