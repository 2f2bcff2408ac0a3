"""The unmodified discord.py, with its own voice client, is one of the people in the room."""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Iterator

import davey
import pytest

from actors.audio.opus import OpusDecoder, load_opus
from tests.loopback.discord.account import discord, logged_in
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice import rtp
from tests.loopback.discord.voice.library import hang_up, join
from tests.loopback.discord.voice.record import Kind
from tests.loopback.discord.voice.tones import pitch, tone
from tests.loopback.discord.voice.wire import XCHACHA


class Tone(discord.AudioSource):
    """A tone in the library's own shape: 20 ms of 48 kHz stereo at a time."""

    def __init__(self, hertz: float, seconds: float) -> None:
        self._hertz = hertz
        self._places = iter(range(0, round(48_000 * seconds), 960))

    def read(self) -> bytes:
        start = next(self._places, None)
        if start is None:
            return b""
        samples = array("h")
        for place in range(start, start + 960):
            samples.extend([round(9_000 * math.sin(2 * math.pi * self._hertz * place / 48_000))] * 2)
        return samples.tobytes()


class Ears:
    """What the library's voice client receives, opened with its own keys."""

    def __init__(self, voice: discord.VoiceClient, speaker: int) -> None:
        self.frames: list[bytes] = []
        self.trouble: list[str] = []
        self._state = voice._connection
        self._speaker = speaker
        self._state.add_socket_listener(self._came)

    def pcm(self) -> bytes:
        """House sound."""
        decoder = OpusDecoder()
        try:
            return b"".join(map(decoder.decode, self.frames))
        finally:
            decoder.close()

    def close(self) -> None:
        """Listen no more; the library notices that with the next packet, and else only after 30 s."""
        self._state.remove_socket_listener(self._came)

    def _came(self, datagram: bytes) -> None:
        clear = rtp.parse(datagram)
        if clear is None:
            return
        opened = rtp.cipher(self._state.mode, bytes(self._state.secret_key)).open(clear.clear, datagram)
        frame = rtp.strip(clear, opened or b"")
        session = self._state.dave_session
        if frame != rtp.SILENCE and session:
            try:
                self.frames.append(session.decrypt(self._speaker, davey.MediaType.audio, frame))
            except ValueError as error:
                self.trouble.append(str(error))


@pytest.fixture
def server() -> Iterator[Discord]:
    with Discord() as opened:
        yield opened


@pytest.fixture
def _opus() -> None:
    """The library looks for libopus only in the system; where there is none, it takes the house's."""
    if not discord.opus.is_loaded():
        discord.opus.load_opus(load_opus()._name)


@pytest.mark.usefixtures("_opus")
def test_the_library_hears_and_is_heard_encrypted_from_end_to_end(server: Discord) -> None:
    guild = server.guild("Home")
    room = guild.voice("General")
    ada, bert = (Participant(server.voice, guild.member(name)) for name in ("Ada", "Bert"))
    for one in (ada, bert):
        one.join(room)
    with logged_in(server) as account:
        voice = join(account, room.id)
        codes = {ada.wait_for_group(bert.id, server.user), bert.wait_for_group(ada.id, server.user)}
        ears, over = Ears(voice, ada.id), threading.Event()

        voice.play(Tone(660, 0.4), after=lambda _error: over.set())
        assert ada.speak(tone(440, 0.4)).result(5) == 0
        assert over.wait(5)
        for one in (ada, bert):
            one.wait_for_sound(server.user, 20)
        server.wait(lambda: len(ears.frames) >= 20, what="everything that Ada said")
        codes.add(voice.voice_privacy_code or "")
        ears.close()
        hang_up(server, account, voice)

    record = server.voice.record(server.user)
    assert pitch(ada.pcm(server.user)) == pytest.approx(660, abs=5)
    assert pitch(bert.pcm(server.user)) == pytest.approx(660, abs=5)
    assert pitch(ears.pcm()) == pytest.approx(440, abs=5)
    assert not ears.trouble
    assert len(codes) == 1
    assert "" not in codes
    assert record.mode == XCHACHA
    assert (record.count(Kind.DAVE), record.count(Kind.PLAIN)) == (20, 0)
    assert record.leaked() == []
    assert record.repeated_counters() == 0
    assert ada.plain_frames == bert.plain_frames == 0
