"""The voice room with its real link: a process that dies in the middle of a sentence costs a second."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from actors.base import Life
from actors.clock import SystemClock
from actors.voice.actor import Voice
from actors.voice.live import LiveVoiceLink
from messages.evidence import EvidenceMessage
from messages.ids import CaptureId, PersonId, RoomId, StayId, UtteranceId
from messages.playback import PlaybackMessage
from messages.stay import LinkDegraded, LinkPrivate, LinkReady, StayMessage
from messages.voice import EndSound, OpenLink, OpenMicrophone, PlaySound, SoundFailed, SoundStarted
from tests.actors.voice.live.world import Sink, U, V, World, world
from tests.loopback.discord.voice.tones import pitch, tone
from tests.probe import Probe


class House:
    """A voice room that runs, on its own link to the loopback Discord."""

    def __init__(self, here: World) -> None:
        self.stay, self.playback = Probe[StayMessage](), Probe[PlaybackMessage]()
        self.clock = SystemClock()
        self.clock.start()
        self.port = LiveVoiceLink(here.switchboard, here.loop, here.settings, ca_file=here.discord.ca_file)
        self.room = Voice.start(
            Life.alone("voice"),
            stay_id=StayId("s1"),
            stay=self.stay,
            playback=self.playback,
            evidence=Probe[EvidenceMessage](),
            clock=self.clock,
            port=self.port,
            settings=here.settings,
        )

    def say(self, utterance: UtteranceId, seconds: float) -> None:
        pcm = tone(660, seconds)
        for at in range(0, len(pcm), 9_600):
            self.room.tell(PlaySound(utterance=utterance, pcm=pcm[at : at + 9_600]))
        self.room.tell(EndSound(utterance=utterance))

    def close(self) -> None:
        self.room.stop(timeout=3.0)
        self.clock.stop(1.0)


@pytest.fixture
def here() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture
def house(here: World) -> Iterator[House]:
    house = House(here)
    yield house
    house.close()


def test_a_process_that_is_killed_in_mid_sentence_costs_a_second_and_no_consent(
    here: World, house: House
) -> None:
    ada, sink = here.person("Ada"), Sink()
    house.room.tell(OpenLink(room=RoomId(str(here.room.id))))
    house.stay.expect(LinkReady, 10.0)
    house.room.tell(OpenMicrophone(person=PersonId(str(ada.id)), capture=CaptureId("c1"), sink=sink))
    ada.wait_for_group(here.discord.user)
    house.say(U, 2.0)
    house.playback.expect(SoundStarted, 5.0)
    pid = house.port.describe()["media_process"]
    assert isinstance(pid, int)
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    assert house.stay.expect(LinkDegraded).reason == "media_process"
    assert house.playback.expect(SoundFailed).reason == "media_process"
    house.stay.expect(LinkReady, 10.0)
    house.say(V, 0.4)
    started = house.playback.expect(SoundStarted, 5.0)
    assert started.utterance == V
    # 1.5 s on a machine that is not busy with other tests.
    assert started.at - began < 4.0
    ada.wait_for_group(here.discord.user)
    ada.speak(tone(440, 0.4))
    sink.wait(20)
    assert pitch(sink.pcm) == pytest.approx(440, abs=5)
    assert house.stay.expect(LinkPrivate).privacy_code
