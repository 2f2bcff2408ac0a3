"""From a provider's first bytes to his first packet, through everybody who has a hand in it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from loguru import logger

from actors.playback.actor import Playback
from actors.playback.settings import PlaybackSettings
from actors.realtime.actor import Realtime
from actors.tts.actor import Tts
from actors.voice.actor import Voice
from actors.voice.settings import VoiceSettings
from messages.audio import SoundSink
from messages.floor import Trigger
from messages.ids import CaptureId, Connection, LineId, PersonId, RoomId, TurnId
from messages.lifecycle import Scalar
from messages.mailbox import Mailbox
from messages.people import Line, LineSource
from messages.playback import PlaybackMessage
from messages.realtime import TurnAsked
from messages.voice import LinkUp, MicrophoneCount, VoicePortEvent
from tests.benchmarks.bench import tell
from tests.benchmarks.crowd import Crowd, CrowdedLink
from tests.benchmarks.figures import percentile
from tests.benchmarks.scene import ANNA, STAY, Cloud, Mouth

ANSWERS: Final = 10
PREBUFFER_SECONDS, SENTENCE_SECONDS = 0.02, 0.06
"""What he waits for on purpose is not measured: as little as can be set."""
LINE: Final = Line(
    id=LineId("l"), person=ANNA, text="Clankie, hello!", source=LineSource.SPOKEN, began=0.0, ended=1.0
)


class Standing:
    """The product's own link as the voice room's port; it is up before anybody connects."""

    def __init__(self, one: CrowdedLink) -> None:
        self._one, self._events = one, one.news.tell
        link = one.link
        self.play, self.end, self.cut, self.gain, self.hold = (
            link.play,
            link.end,
            link.cut,
            link.gain,
            link.hold,
        )
        self.describe: Callable[[], Mapping[str, Scalar]] = link.describe

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        """Report there from now on."""
        self._events = events
        self._one.link.open(events)

    def connect(self, connection: Connection, room: RoomId) -> None:
        """It is up."""
        assert connection == self._one.connection
        self._events(LinkUp(connection=connection, encryption="dave"))

    def disconnect(self, connection: Connection) -> None:
        """The crowd does."""

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """Nobody speaks."""

    def close(self) -> tuple[MicrophoneCount, ...]:
        """The crowd does."""
        return ()


class Speaking(Mouth):
    """Conversation, synthesizer and playback, with a voice room that really sends."""

    def __init__(self, cloud: Cloud, port: Standing) -> None:
        self._port = port
        super().__init__(cloud)

    def _voice(self, playback: Mailbox[PlaybackMessage]) -> Voice:
        return self._cloud.live(
            lambda life: Voice(
                life,
                stay_id=STAY,
                stay=self._nobody,
                playback=playback,
                evidence=self._nobody,
                clock=self._cloud.clock,
                port=self._port,
                settings=VoiceSettings(),
            )
        )

    def _playback(self, voice: Voice, tts: Tts, realtime: Realtime) -> Playback:
        return self._cloud.live(
            lambda life: Playback(
                life,
                stay_id=STAY,
                voice=voice.here,
                tts=tts.here,
                floor=self.floor,
                realtime=realtime.here,
                stay=self._nobody,
                evidence=self._nobody,
                clock=self._cloud.clock,
                settings=PlaybackSettings(prebuffer_seconds=PREBUFFER_SECONDS),
            )
        )


def _answer(cloud: Cloud, mouth: Speaking, number: int) -> float:
    """Two sentences, until he has said them; the moment at which the provider had the first."""
    line = replace(LINE, id=LineId(f"l{number}"))
    mouth.realtime.here.tell(TurnAsked(turn=TurnId(f"t{number}"), trigger=Trigger.ADDRESS, lines=(line,)))
    conversation = cloud.openai.conversation()
    conversation.wait_held()
    conversation.go_on()
    had = cloud.speaker.asked.wait()
    conversation.go_on(to_the_end=True)
    cloud.speaker.asked.wait()
    mouth.floor.came.wait()
    return had


def main() -> None:
    """Measure once; the first answer, which opens the lines, does not count."""
    logger.remove()
    with Crowd(rooms=1, people=2, seconds=1.0) as crowd, Cloud() as cloud:
        (one,) = crowd.links()
        mouth = Speaking(cloud, Standing(one))
        cloud.speaker.lasts(SENTENCE_SECONDS)
        had = [_answer(cloud, mouth, number) for number in range(ANSWERS + 1)][1:]
        came = crowd.arrivals()
    took = [1_000 * (came[bisect(came, at)] - at) for at in had]
    tell({"p50": percentile(took, 50), "slowest": max(took)})


if __name__ == "__main__":
    main()
