"""A stream that nobody wants any more ends on both sides: no task here, no open connection there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Final, Self

import pytest

from actors.realtime.items import Said
from actors.realtime.live.chat import ChatMind
from actors.realtime.settings import RealtimeSettings
from actors.tts.live.openai import OpenAiVoice
from actors.tts.settings import TtsSettings
from messages.ids import Connection, ResponseId, UtteranceId
from messages.realtime import ResponseEnded, ResponseEnding, ResponseText
from messages.tts import SoundMade, UnitSpoken
from tests.actors.realtime.live.dialogue import SEED, brief
from tests.loopback.humming import hum
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.mind import Reply, pieces_of
from tests.loopback.openai.minds import Brains
from tests.loopback.openai.server import OpenAi
from tests.loopback.providers import Ground
from tests.loopback.rig import OURS, PATIENCE, SOON, Traces
from tests.probe import Probe

ONE: Final = Connection(1)
TWELVE: Final = 12


class Stream(Traces):
    """A port over HTTP and its server; what it says begins, and does not go on until it is dropped."""

    def __init__(self) -> None:
        super().__init__()
        think = Reply(pieces=pieces_of("One two three four."))
        brains = Brains(think=lambda _: think, speak=hum, hear=lambda _: "")
        self.server = OpenAi(brains=brains)
        self.told: Probe[object] = Probe()
        self.number = 0

    def __enter__(self) -> Self:
        self.io.start()
        self.server.__enter__()
        self.ground.run(lambda: self.ground.loop.set_default_executor(ThreadPoolExecutor(2, f"{OURS}brain")))
        self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        try:
            assert self.io.stop(PATIENCE)
        finally:
            self.server.close()
        assert self.server.violations == [], self.server.violations

    @property
    def ground(self) -> Ground:
        return self.server.ground

    def connections(self) -> int:
        """How many connections there are, in the server's view."""
        runner = self.ground._runner
        assert runner is not None
        assert runner.server is not None
        return len(runner.server.connections)

    def interrupted(self) -> None:
        """Say something and drop it as soon as something of it has come."""
        self.server.rest.next(Fault(stall_after=3))
        self.say()
        self.sounds()
        self.drop()
        self.server.until(lambda: self.server.rest.exchanges[-1].dropped, SOON)

    @abstractmethod
    def begin(self) -> None:
        """Make the port and open it."""

    @abstractmethod
    def say(self) -> None:
        """Ask for something, which has the next number."""

    @abstractmethod
    def sounds(self) -> None:
        """Wait until something of it has come."""

    @abstractmethod
    def drop(self) -> None:
        """Nobody wants it any more."""

    @abstractmethod
    def ended(self) -> None:
        """Wait until all of what was asked for last has come."""

    @abstractmethod
    def ends(self) -> list[int]:
        """The numbers of all that came to its end."""

    @abstractmethod
    def close(self) -> None:
        """Close the port."""


class ChatStream(Stream):
    """A mind behind chat completions."""

    def begin(self) -> None:
        settings = RealtimeSettings(provider="chat", model="gpt-6-luna")
        self.port = ChatMind(self.io, self.server.service, settings)
        self.port.open(self.told.tell)
        self.port.connect(ONE, SEED)

    def say(self) -> None:
        self.number += 1
        self.port.respond(ONE, self._response, brief(f"t{self.number}"))

    def sounds(self) -> None:
        while self.told.expect(ResponseText, PATIENCE).response != self._response:
            pass

    def drop(self) -> None:
        self.port.cancel(ONE, self._response)
        self.port.add(ONE, Said(utterance=UtteranceId(f"t{self.number}-speech"), text="One"))

    def ended(self) -> None:
        while (end := self.told.expect(ResponseEnded, PATIENCE)).response != self._response:
            pass
        assert end.ending is ResponseEnding.COMPLETED

    def ends(self) -> list[int]:
        ends = [one for one in self.told.received() if isinstance(one, ResponseEnded)]
        return [int(end.response[1:].partition("-")[0]) for end in ends]

    def close(self) -> None:
        self.port.close()

    @property
    def _response(self) -> ResponseId:
        return ResponseId(f"t{self.number}-1")


class SpeechStream(Stream):
    """The voice of OpenAI."""

    def begin(self) -> None:
        self.port = OpenAiVoice(self.io, self.server.service, TtsSettings())
        self.port.open(self.told.tell)

    def say(self) -> None:
        self.number += 1
        self.port.speak(ONE, self._utterance, 0, "Hello there.", True)

    def sounds(self) -> None:
        while self.told.expect(SoundMade, PATIENCE).utterance != self._utterance:
            pass

    def drop(self) -> None:
        self.port.forget(ONE, self._utterance)

    def ended(self) -> None:
        while self.told.expect(UnitSpoken, PATIENCE).utterance != self._utterance:
            pass

    def ends(self) -> list[int]:
        return [int(one.utterance[1:]) for one in self.told.received() if isinstance(one, UnitSpoken)]

    def close(self) -> None:
        self.port.close()

    @property
    def _utterance(self) -> UtteranceId:
        return UtteranceId(f"u{self.number}")


@pytest.fixture(params=[ChatStream, SpeechStream], ids=lambda kind: kind.__name__)
def stream(request: pytest.FixtureRequest) -> Iterator[Stream]:
    assert issubclass(request.param, Stream)
    with request.param() as stream:
        stream.say()
        stream.ended()
        stream.rests()
        yield stream


def test_a_stream_that_was_dropped_is_over_on_both_sides(stream: Stream) -> None:
    stream.interrupted()
    told = len(stream.told.received())
    stream.rests()
    stream.settles(stream.connections, 0)
    assert len(stream.told.received()) == told


def test_whoever_closes_in_the_middle_of_a_stream_hears_no_more_of_it(stream: Stream) -> None:
    stream.server.rest.next(Fault(stall_after=3))
    stream.say()
    stream.sounds()
    stream.close()
    stream.on_thread(lambda: None)
    told = len(stream.told.received())
    stream.rests()
    stream.settles(stream.connections, 0)
    assert len(stream.told.received()) == told


def test_a_connection_is_kept_for_the_next_stream_and_ends_with_the_port(stream: Stream) -> None:
    for _ in range(3):
        stream.say()
        stream.ended()
        stream.rests()
    assert stream.connections() == 1
    stream.close()
    stream.rests()
    stream.settles(stream.connections, 0)


def test_twelve_dropped_streams_leave_nothing_behind(stream: Stream) -> None:
    stream.settles(stream.tasks, {})
    before = stream.footprint()
    for _ in range(TWELVE):
        stream.interrupted()
    for _ in range(TWELVE):
        stream.say()
        stream.drop()
    stream.say()
    stream.ended()
    stream.rests()
    stream.settles(stream.connections, 1)
    stream.settles(stream.footprint, before)
    ended = stream.ends()
    assert set(ended) <= {1, *range(TWELVE + 2, 2 * TWELVE + 3)}, "one that was dropped has ended"
    assert len(ended) == len(set(ended)), "one has ended twice"
