"""The house's side of a crowd: its process, and a connected LiveVoiceLink for each of its rooms."""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection as PipeEnd
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar, cast

from actors.net.loop import IoLoop
from actors.switchboard import Switchboard
from actors.voice.live import LiveVoiceLink
from actors.voice.settings import VoiceSettings
from messages.audio import SoundSink
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.voice import LinkUp, VoicePortEvent
from tests.benchmarks.crowd import letters
from tests.benchmarks.crowd.letters import Counts
from tests.probe import Probe

PROGRAM: Final = (sys.executable, "-m", "tests.benchmarks.crowd.program")
ROOT: Final = Path(__file__).resolve().parents[3]
ANSWER_SECONDS: Final = 90.0
UP_SECONDS: Final = 20.0
GOODBYE_SECONDS: Final = 10.0

A = TypeVar("A", bound=letters.Answer)


class CrowdedLink:
    """One link to one room, connected; `link` is the product's own port and `news` what it has told."""

    def __init__(self, link: LiveVoiceLink, place: letters.Place) -> None:
        self.link = link
        self.room = RoomId(str(place.channel))
        self.people = tuple(PersonId(str(person)) for person in place.people)
        self.connection = Connection(1)
        self.news = Probe[VoicePortEvent]()
        self._utterances = 0

    @property
    def pid(self) -> int:
        """Of the media process."""
        pid = self.link.describe()["media_process"]
        assert isinstance(pid, int), "there is no media process"
        return pid

    def hear(self, person: PersonId, sink: SoundSink) -> None:
        """Open his ears for this person."""
        self.link.microphone(person, CaptureId(f"c{person}"), sink)

    def say(self, pcm: bytes) -> UtteranceId:
        """Say all of this in one utterance, which is ended; at most two seconds fit at once."""
        self._utterances += 1
        utterance = UtteranceId(f"u{self._utterances}")
        self.link.play(self.connection, utterance, pcm)
        self.link.end(self.connection, utterance)
        return utterance


class Crowd:
    """Use it as a context manager: `people` in each of so many `rooms`, who can talk for `seconds` on end.

    Packets are spread evenly over the 20 ms, up to `grain` seconds too early: a crowd that wakes less costs
    less. With `core` its process keeps to that one; with `settings` the links are made with those.
    """

    def __init__(
        self,
        rooms: int = 1,
        people: int = 8,
        *,
        seconds: float = 20.0,
        grain: float = 0.0005,
        core: int | None = None,
        settings: VoiceSettings | None = None,
    ) -> None:
        self._arguments = [
            str(rooms),
            str(people),
            str(seconds),
            str(grain),
            *([] if core is None else [str(core)]),
        ]
        self._settings = settings or VoiceSettings()
        self._answers: queue.SimpleQueue[letters.Answer] = queue.SimpleQueue()
        self._loop, self._switchboard = IoLoop(), Switchboard()
        self._links: list[CrowdedLink] = []
        self._lock = threading.Lock()
        self._arrivals: dict[int, list[float]] = {}
        self._counts: dict[int, Counts] = {}
        self._departures: dict[int, list[list[float]]] = {}

    # --- what a bench asks ------------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """Of its process."""
        return self._popen.pid

    @property
    def loop(self) -> IoLoop:
        """The loop that the links hang on."""
        return self._loop

    def links(self) -> list[CrowdedLink]:
        """One connected link for each room; the first call connects them, one after the other."""
        if not self._links:
            for crowded in self.ports():
                crowded.link.open(crowded.news.tell)
                crowded.link.connect(crowded.connection, crowded.room)
                crowded.news.expect(LinkUp, UP_SECONDS)
            self.settle()
        return self._links

    def ports(self) -> list[CrowdedLink]:
        """One link for each room that nobody has opened yet, for whoever connects it himself."""
        self._links = [CrowdedLink(self._port(), place) for place in self._open.places]
        return self._links

    def settle(self) -> None:
        """Once every link is up: wait until its group is whole, and let the people breathe in."""
        self._ask(letters.Settle(), letters.Done)

    def talk(self, on: bool, rooms: Sequence[int] | None = None, people: int | None = None) -> None:
        """The first so many, or all, of each room talk, or have ended with silence when this returns."""
        where = tuple(range(len(self._open.places)) if rooms is None else rooms)
        done = self._ask(letters.Talk(on=on, rooms=where, people=people), letters.Done)
        assert not done.breathless, "they had nothing more to say: give the crowd more seconds"

    def arrivals(self, room: int = 0) -> list[float]:
        """When his packets of sound came, by the kernel's clock made monotonic, since the last call."""
        self._report(room)
        return self._arrivals.pop(room, [])

    def counts(self, room: int = 0) -> Counts:
        """How many packets came of him since the last call."""
        self._report(room)
        return self._counts.pop(room, Counts())

    def departures(self, room: int = 0) -> list[list[float]]:
        """When each person's packets of sound left since the last call, in the order of `people`."""
        self._report(room)
        return self._departures.pop(room, [])

    # --- its life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._near, far = socket.socketpair()
        self._popen = subprocess.Popen(
            (*PROGRAM, str(far.fileno()), *self._arguments), pass_fds=(far.fileno(),), cwd=ROOT
        )
        far.close()
        self._end = cast("letters.ToCrowd", PipeEnd(os.dup(self._near.fileno())))
        self._reader = threading.Thread(target=self._read, name="crowd-news", daemon=True)
        self._loop.start()
        self._reader.start()
        try:
            self._open = self._answer(letters.Open)
        except BaseException:
            self.close()
            raise
        self._switchboard.attach(self)
        rooms = {RoomId(str(place.channel)): place.guild for place in self._open.places}
        self._switchboard.ready(self._open.user, rooms)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up everywhere and end its process."""
        for crowded in self._links:
            crowded.link.close()
        self._loop.stop(2.0)
        self._near.shutdown(socket.SHUT_RDWR)
        self._near.close()
        self._reader.join(GOODBYE_SECONDS)
        self._end.close()
        try:
            self._popen.wait(GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()

    # --- the account's side of the switchboard ------------------------------------------------------

    def dial(self, guild: int, channel: int) -> None:
        """Send op 4."""
        self._send(letters.Dial(guild=guild, channel=channel))

    def hang_up(self, guild: int) -> None:
        """Send op 4 without a channel."""
        self._send(letters.Dial(guild=guild, channel=None))

    # --- inside -------------------------------------------------------------------------------------

    def _port(self) -> LiveVoiceLink:
        return LiveVoiceLink(
            self._switchboard,
            self._loop,
            self._settings,
            ca_file=Path(self._open.ca_file),
            proxy="http://127.0.0.1:1",
        )

    def _report(self, room: int) -> None:
        traffic, before = (
            self._ask(letters.Report(room=room), letters.Traffic),
            self._counts.get(room, Counts()),
        )
        self._arrivals.setdefault(room, []).extend(traffic.arrivals)
        self._counts[room] = Counts(
            sound=before.sound + traffic.counts.sound,
            silence=before.silence + traffic.counts.silence,
            other=before.other + traffic.counts.other,
        )
        left = self._departures.setdefault(room, [[] for _ in traffic.departures])
        for known, more in zip(left, traffic.departures, strict=True):
            known.extend(more)

    def _send(self, order: letters.Order) -> None:
        with self._lock:
            self._end.send(order)

    def _ask(self, order: letters.Order, kind: type[A]) -> A:
        self._send(order)
        return self._answer(kind)

    def _answer(self, kind: type[A]) -> A:
        try:
            answer = self._answers.get(timeout=ANSWER_SECONDS)
        except queue.Empty:
            raise AssertionError("the crowd did not answer") from None
        assert isinstance(answer, kind), answer
        return answer

    def _read(self) -> None:
        while True:
            try:
                news = self._end.recv()
            except (EOFError, OSError):
                self._answers.put(letters.Failed(why="the crowd is gone"))
                return
            if isinstance(news, letters.State):
                self._switchboard.heard_state(news.guild, news.session, news.channel)
            elif isinstance(news, letters.Server):
                self._switchboard.heard_server(news.guild, news.token, news.endpoint)
            else:
                self._answers.put(news)
