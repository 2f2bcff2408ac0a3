"""The local synthesizer streams sentence by sentence and stops in the middle when nobody listens any more."""

import threading
from collections.abc import Callable, Iterator

import pytest

from actors.audio.models import ModelMissing
from actors.audio.pcm import peak_dbfs, seconds
from actors.tts.local import LocalSynthesizer, SpeakingModel
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, TtsPortEvent, UnitSpoken, VoiceSpent
from tests.actors.tts.fake import FakeVoice
from tests.probe import Probe

U, V, ONE = UtteranceId("u1"), UtteranceId("u2"), Connection(1)


class Bench:
    def __init__(self) -> None:
        self.news = Probe[TtsPortEvent]()
        self.opened: list[LocalSynthesizer] = []

    def open(self, make_voice: Callable[[], SpeakingModel] | None = None) -> LocalSynthesizer:
        settings = TtsSettings()
        port = LocalSynthesizer(settings, make_voice) if make_voice else LocalSynthesizer(settings)
        self.opened.append(port)
        port.open(self.news.tell)
        return port


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    for port in bench.opened:
        port.close()


def test_a_unit_comes_as_it_is_made_and_is_then_spoken(bench: Bench) -> None:
    bench.open(FakeVoice).speak(ONE, U, 3, "one two", True)
    assert bench.news.expect(UnitSpoken) == UnitSpoken(connection=ONE, utterance=U, unit=3)
    sounds = [event.pcm[:3] for event in bench.news.received() if isinstance(event, SoundMade)]
    assert sounds == [b"one", b"two"]


def test_a_forgotten_utterance_is_not_finished_and_one_that_waits_is_not_begun(bench: Bench) -> None:
    begun, go_on, said = threading.Event(), threading.Event(), list[str]()

    def before(word: str) -> None:
        said.append(word)
        if word == "two":
            begun.set()
            assert go_on.wait(2.0)

    port = bench.open(lambda: FakeVoice(before))
    port.speak(ONE, U, 0, "one two three", True)
    port.speak(ONE, V, 0, "four", True)
    assert begun.wait(2.0)
    port.forget(ONE, U)
    port.forget(ONE, V)
    port.forget(ONE, V)
    port.speak(ONE, UtteranceId("u3"), 0, "five", True)
    go_on.set()
    assert bench.news.expect(UnitSpoken).utterance == "u3"
    assert said == ["one", "two", "five"]
    assert {event.utterance for event in bench.news.received() if isinstance(event, SoundMade)} == {U, "u3"}


def test_a_voice_that_is_not_there_fails_every_unit_with_a_code(bench: Bench) -> None:
    def missing() -> SpeakingModel:
        raise ModelMissing("No voice", "Install one")

    bench.open(missing).speak(ONE, U, 0, "one", True)
    assert bench.news.expect(SynthesisFailed).reason == "ModelMissing"


def test_nothing_is_told_after_the_port_is_closed(bench: Bench) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def before(_word: str) -> None:
        begun.set()
        assert go_on.wait(2.0)

    port = bench.open(lambda: FakeVoice(before))
    port.speak(ONE, U, 0, "one", True)
    assert begun.wait(2.0)
    threading.Timer(0.05, go_on.set).start()
    port.close()
    assert [type(event) for event in bench.news.received()] == [VoiceSpent]


def test_a_port_that_was_never_opened_says_nothing_and_can_be_closed() -> None:
    port = LocalSynthesizer(TtsSettings(), FakeVoice)
    port.speak(ONE, U, 0, "one", True)
    port.close()


def test_the_real_voice_says_something_that_can_be_heard(bench: Bench) -> None:
    bench.open().speak(ONE, U, 0, "Hello there.", True)
    bench.news.expect(UnitSpoken, timeout=20.0)
    pcm = b"".join(event.pcm for event in bench.news.received() if isinstance(event, SoundMade))
    assert 0.4 < seconds(pcm) < 2.0
    assert peak_dbfs(pcm) > -30.0
