"""People talk to each other through the loopback Discord: encrypted, in time, and whatever the line does."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator

import numpy as np
import pytest

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import RATE, frames
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice.faults import Moment, Weather
from tests.loopback.discord.voice.record import Kind
from tests.loopback.discord.voice.wire import AES, XCHACHA, Op


def tone(hertz: float, seconds: float) -> bytes:
    """House sound."""
    count = round(RATE * seconds)
    return array(
        "h", (round(9_000 * math.sin(2 * math.pi * hertz * i / RATE)) for i in range(count))
    ).tobytes()


def pitch(pcm: bytes) -> float:
    """The strongest frequency of house sound in Hz."""
    sound = np.frombuffer(pcm, dtype="<i2").astype(float)
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    return float(np.argmax(spectrum)) * RATE / len(sound)


def packets(hertz: float, seconds: float) -> list[bytes]:
    """The Opus packets of a tone."""
    encoder = OpusEncoder()
    try:
        return [encoder.encode(frame) for frame in frames(tone(hertz, seconds))]
    finally:
        encoder.close()


@pytest.fixture
def discord() -> Iterator[Discord]:
    with Discord() as opened:
        yield opened


def people(discord: Discord, *names: str, modes: tuple[str, ...] = (AES,)) -> list[Participant]:
    """New people in one guild's one room."""
    guild = discord.guild("Home")
    room = guild.voice("General")
    made = [Participant(discord.voice, guild.member(name), modes=modes) for name in names]
    for one in made:
        one.join(room)
    for one in made:
        one.wait_for_group(*(other.id for other in made))
    return made


@pytest.mark.parametrize("mode", [AES, XCHACHA])
def test_two_people_hear_each_other_and_the_server_hears_neither(discord: Discord, mode: str) -> None:
    ada, bert = people(discord, "Ada", "Bert", modes=(mode,))

    said = ada.speak(tone(440, 0.4)), bert.speak(tone(660, 0.4))

    assert [one.result(5) for one in said] == [0, 0]
    bert.wait_for_sound(ada.id, 20)
    ada.wait_for_sound(bert.id, 20)
    assert pitch(bert.pcm(ada.id)) == pytest.approx(440, abs=5)
    assert pitch(ada.pcm(bert.id)) == pytest.approx(660, abs=5)
    assert ada.privacy_code == bert.privacy_code != ""
    for one in (ada, bert):
        assert one.record.mode == mode
        assert (one.record.count(Kind.DAVE), one.record.count(Kind.SILENCE)) == (20, 5)
        assert one.record.leaked() == []
        assert one.record.repeated_counters() == one.record.repeated_sequences() == 0
        assert set(one.record.steps()) == {(1, 960)}
        assert not one.unreadable
        assert not one.group_errors
