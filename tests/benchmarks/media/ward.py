"""One stay's mouth over a real link: playback, voice and a media process, in a crowd that hears him."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from actors.base import Life, Worker
from actors.clock import SystemClock
from actors.playback.actor import Playback
from actors.playback.settings import PlaybackSettings
from actors.voice.actor import Voice
from actors.voice.live import LiveVoiceLink
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, PersonId, RoomId, StayId, TurnId, UtteranceId
from messages.lifecycle import Ending
from messages.playback import EndSpeech, PlaybackMessage, QueueSound, QueueSpeech
from messages.stay import LinkReady
from messages.voice import OpenLink, VoiceMessage
from supervisors.address import Address
from tests.benchmarks.crowd import Crowd, letters

PATIENCE_SECONDS: Final = 20.0
STOP_SECONDS: Final = 3.0
STAY: Final = StayId("ward")

K = TypeVar("K")


class Noted:
    """A neighbour who writes down when he was told what; any thread may tell him."""

    def __init__(self) -> None:
        self._came: list[tuple[float, object]] = []
        self._changed = threading.Condition()

    def tell(self, message: object, /) -> None:
        """Note it."""
        at = time.monotonic()
        with self._changed:
            self._came.append((at, message))
            self._changed.notify_all()

    def expect(self, kind: type[K], wanted: Callable[[K], bool] = lambda _: True) -> tuple[float, K]:
        """When the next one came of this kind that is wanted, and itself; all before it is forgotten."""
        found: list[tuple[float, K]] = []

        def look() -> bool:
            for place, (at, message) in enumerate(self._came):
                if isinstance(message, kind) and wanted(message):
                    found.append((at, message))
                    del self._came[: place + 1]
                    return True
            return False

        with self._changed:
            assert self._changed.wait_for(look, PATIENCE_SECONDS), f"no {kind.__name__} came"
        return found[0]


class Watched(LiveVoiceLink):
    """A link that knows when it was last ordered to be silent."""

    cut_at = 0.0

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        """Note it."""
        self.cut_at = time.monotonic()
        super().cut(connection, utterance)


class Ward(Crowd):
    """A crowd of one room. He comes when told to, and playback and the voice room stand above his link."""

    def __init__(self, people: int, program: Sequence[str]) -> None:
        super().__init__(people=people)
        self._program = tuple(program)
        self.clock = SystemClock()
        self._workers: list[Worker[Any]] = []
        self.stay, self.floor, self.nobody = Noted(), Noted(), Noted()
        self.voice, self.playback = Address[VoiceMessage](), Address[PlaybackMessage]()

    @property
    def ca_file(self) -> Path:
        """Whom its Discord is vouched for by."""
        return Path(self._open.ca_file)

    @property
    def pid(self) -> int:
        """Of the media process."""
        pid = self.link.describe()["media_process"]
        assert isinstance(pid, int), "there is no media process"
        return pid

    @property
    def people(self) -> tuple[PersonId, ...]:
        """Everybody else."""
        return tuple(PersonId(str(person)) for person in self._open.places[0].people)

    def enter(self) -> float:
        """Have him come in; the seconds until sound flows."""
        self.link = Watched(
            self._switchboard,
            self.loop,
            VoiceSettings(),
            ca_file=self.ca_file,
            proxy="http://127.0.0.1:1",
            program=self._program,
        )
        self.clock.start()
        self._live(self._mouth(), self.playback)
        self._live(self._throat(), self.voice)
        began = time.monotonic()
        self.voice.tell(OpenLink(room=RoomId(str(self._open.places[0].channel))))
        at, _ = self.stay.expect(LinkReady)
        return at - began

    def settle(self) -> None:
        """Until everybody's group is whole."""
        self._ask(letters.Settle(), letters.Done)

    def say(self, utterance: UtteranceId, pcm: bytes) -> None:
        """Have him say all of this."""
        self.playback.tell(QueueSpeech(utterance=utterance, turn=TurnId("t")))
        self.playback.tell(QueueSound(utterance=utterance, pcm=pcm))
        self.playback.tell(EndSpeech(utterance=utterance))

    def close(self) -> None:
        """Let him go, then everybody else."""
        for worker in reversed(self._workers):
            worker.life.ask_to_stop(Ending.SHUTDOWN, STOP_SECONDS)
            worker.life.wait_gone(STOP_SECONDS)
        self.clock.stop(STOP_SECONDS)
        super().close()

    def _live(self, worker: Worker[Any], address: Address[Any]) -> None:
        worker.life.begin(worker)
        assert worker.life.wait_opened(PATIENCE_SECONDS), "an actor did not open"
        address.bind(worker.actor_ref)
        self._workers.append(worker)

    def _mouth(self) -> Playback:
        return Playback(
            Life.alone("playback"),
            stay_id=STAY,
            voice=self.voice,
            tts=self.nobody,
            floor=self.floor,
            realtime=self.nobody,
            stay=self.nobody,
            evidence=self.nobody,
            clock=self.clock,
            settings=PlaybackSettings(),
        )

    def _throat(self) -> Voice:
        return Voice(
            Life.alone("voice"),
            stay_id=STAY,
            stay=self.stay,
            playback=self.playback,
            evidence=self.nobody,
            clock=self.clock,
            port=self.link,
            settings=VoiceSettings(),
        )


def stamped(stamps: Path) -> tuple[str, ...]:
    """The program of a media process that writes down here when it was silent."""
    return (sys.executable, "-m", "tests.benchmarks.media.stamped", str(stamps))
