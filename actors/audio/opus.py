"""Opus straight to and from 24 kHz mono, through a library that never lets go of the GIL."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Final

from actors.audio.models import package_folder
from actors.audio.pcm import FRAME_SECONDS, RATE, SAMPLE_BYTES

_APPLICATION_AUDIO: Final = 2049
_SET_BITRATE: Final = 4002
_SET_COMPLEXITY: Final = 4010
_RESET_STATE: Final = 4028
_LENGTH_IS_WRONG: Final = -1
_LARGEST_PACKET: Final = 4000
_LONGEST_PACKET_SECONDS: Final = 0.12


class NoOpus(Exception):
    """No libopus can be loaded; the text says what to install."""


class BadPacket(Exception):
    """Bytes that are not an Opus packet. The decoder remains usable."""


@functools.cache
def load_opus(path: str | None = None) -> ctypes.PyDLL:
    """libopus from `path`, else from the system, else from inside the installed `av` package; or NoOpus.

    PyDLL, not CDLL: the calls take microseconds, getting the GIL back from a busy thread takes milliseconds.
    """
    for candidate in [path] if path else _candidates():
        try:
            library = ctypes.PyDLL(candidate)
            _declare(library)
        except (OSError, AttributeError):
            continue
        return library
    if path:
        raise NoOpus(f"{path} is not a loadable libopus")
    raise NoOpus("libopus was not found. Install it (Debian: apt install libopus0), or run: pip install av")


def _candidates() -> Iterator[str]:
    if sys.platform == "linux":
        yield "libopus.so.0"  # find_library would start ldconfig and a compiler to learn just this name
    elif found := ctypes.util.find_library("opus"):
        yield found
    if folder := package_folder("av"):
        for libraries in (folder.parent / "av.libs", folder / ".dylibs"):
            yield from map(str, sorted(libraries.glob("libopus[-.]*")))


def _declare(library: ctypes.PyDLL) -> None:
    number, state, text = ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
    pointer = ctypes.POINTER(number)
    for name, returned, arguments in (
        ("opus_get_version_string", text, ()),
        ("opus_strerror", text, (number,)),
        ("opus_encoder_create", state, (number, number, number, pointer)),
        ("opus_encoder_destroy", None, (state,)),
        ("opus_encoder_ctl", number, (state, number)),
        ("opus_encode", number, (state, text, number, text, number)),
        ("opus_decoder_create", state, (number, number, pointer)),
        ("opus_decoder_destroy", None, (state,)),
        ("opus_decoder_ctl", number, (state, number)),
        ("opus_decode", number, (state, text, number, text, number, number)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = returned, arguments


def opus_version(path: str | None = None) -> str:
    """Such as "libopus 1.6.1"; raises NoOpus."""
    return str(load_opus(path).opus_get_version_string(), "ascii")


class _Codec:
    """Native memory with one owner: freed by `close`, or with the object, and never twice."""

    def __init__(self, library: ctypes.PyDLL, state: int, destroy: Callable[[ctypes.c_void_p], None]) -> None:
        self._library = library
        self._state: ctypes.c_void_p | None = ctypes.c_void_p(state)
        self._free = weakref.finalize(self, destroy, self._state)

    def close(self) -> None:
        """Free the native memory; a second call does nothing, any other use afterwards is a ValueError."""
        self._state = None
        self._free()

    @property
    def _alive(self) -> ctypes.c_void_p:
        if self._state is None:
            raise ValueError("this codec is closed")
        return self._state

    def _explain(self, code: int) -> str:
        return str(self._library.opus_strerror(code), "ascii")


class OpusEncoder(_Codec):
    """One stream of s16le PCM to Opus packets; for one thread at a time.

    Complexity 5 costs half the CPU of libopus' own 9. Raises NoOpus, and ValueError for what Opus cannot do.
    """

    def __init__(
        self,
        rate: int = RATE,
        channels: int = 1,
        bitrate: int = 64_000,
        complexity: int = 5,
        *,
        path: str | None = None,
    ) -> None:
        library, code = load_opus(path), ctypes.c_int()
        state = library.opus_encoder_create(rate, channels, _APPLICATION_AUDIO, ctypes.byref(code))
        if not state:
            raise ValueError(f"Opus has no encoder for {rate} Hz and {channels} channels")
        super().__init__(library, state, library.opus_encoder_destroy)
        self._sample_bytes = SAMPLE_BYTES * channels
        self._packet = ctypes.create_string_buffer(_LARGEST_PACKET)
        self._order(_SET_BITRATE, bitrate)
        self._order(_SET_COMPLEXITY, complexity)

    def encode(self, pcm: bytes) -> bytes:
        """One packet from one frame of 2.5, 5, 10, 20, 40 or 60 ms; any other length is a ValueError."""
        count, odd = divmod(len(pcm), self._sample_bytes)
        length = (
            _LENGTH_IS_WRONG
            if odd
            else self._library.opus_encode(self._alive, pcm, count, self._packet, _LARGEST_PACKET)
        )
        if length < 0:
            raise ValueError(f"{len(pcm)} bytes are no Opus frame: {self._explain(length)}")
        return ctypes.string_at(self._packet, length)

    def reset(self) -> None:
        """Begin a new stream, as after a pause."""
        self._library.opus_encoder_ctl(self._alive, _RESET_STATE)

    def _order(self, request: int, value: int) -> None:
        code = self._library.opus_encoder_ctl(self._alive, request, ctypes.c_int(value))
        if code < 0:
            self.close()
            raise ValueError(f"Opus refuses {value}: {self._explain(code)}")


class OpusDecoder(_Codec):
    """Opus packets of one speaker, mono or stereo, to mono s16le PCM at `rate`; for one thread at a time.

    Raises NoOpus, and ValueError for a rate that Opus does not know.
    """

    def __init__(self, rate: int = RATE, *, path: str | None = None) -> None:
        library, code = load_opus(path), ctypes.c_int()
        state = library.opus_decoder_create(rate, 1, ctypes.byref(code))
        if not state:
            raise ValueError(f"Opus has no decoder for {rate} Hz")
        super().__init__(library, state, library.opus_decoder_destroy)
        self._room = round(rate * _LONGEST_PACKET_SECONDS)
        self._concealed = round(rate * FRAME_SECONDS)
        self._pcm = ctypes.create_string_buffer(self._room * SAMPLE_BYTES)
        self._sound = memoryview(self._pcm)
        self._decode = library.opus_decode

    def decode(self, packet: bytes | None) -> bytes:
        """The sound of one packet (2.5 to 120 ms), or 20 ms of concealment for None, a packet that was lost.

        Raises BadPacket, after which the next packet decodes as if this one had not come.
        """
        if packet:
            count = self._decode(self._alive, packet, len(packet), self._pcm, self._room, 0)
        elif packet is None:
            count = self._decode(self._alive, None, 0, self._pcm, self._concealed, 0)
        else:
            raise BadPacket("a packet has at least one byte")
        if count < 0:
            raise BadPacket(self._explain(count))
        return self._sound[: count * SAMPLE_BYTES].tobytes()

    def reset(self) -> None:
        """Forget the past of the stream, as before a new speaker or after a long pause."""
        self._library.opus_decoder_ctl(self._alive, _RESET_STATE)
