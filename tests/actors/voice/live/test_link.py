"""He hears and is heard, encrypted from end to end, through a process of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from messages.voice import LinkSecured, LinkUp, MicrophoneCount, SoundDrained, SoundStarted
from messages.ids import PersonId
from tests.actors.voice.live.world import ONE, U, World, world
from tests.loopback.discord.voice.tones import pitch, tone


@pytest.fixture
def here() -> Iterator[World]:
    with world() as made:
        yield made


def test_he_hears_who_may_be_heard_and_everybody_hears_him(here: World) -> None:
    ada = here.person("Ada")
    assert here.connect() == LinkUp(connection=ONE, encryption="dave")
    code = ada.wait_for_group(here.discord.user)
    assert here.news.expect(LinkSecured).privacy_code == code
    sink = here.hear(ada)
    ada.speak(tone(440, 0.6))
    here.say(tone(660, 0.6))
    assert here.news.expect(SoundStarted, 5.0).utterance == U
    assert here.news.expect(SoundDrained, 5.0).frames == 30
    ada.wait_for_sound(here.discord.user, 30)
    sink.wait(30)
    assert pitch(sink.pcm) == pytest.approx(440, abs=5)
    assert pitch(ada.pcm(here.discord.user)) == pytest.approx(660, abs=5)
    assert ada.plain_frames == 0
