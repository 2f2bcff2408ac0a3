"""A synthesizer that only remembers what it was asked, and a voice that says one frame a word."""

from collections.abc import Callable, Iterator

from messages.ids import Connection, UtteranceId
from messages.tts import TtsPortEvent


class FakeSynthesizer:
    """`asked` holds every call as a tuple: its name, then its arguments."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.events: Callable[[TtsPortEvent], None] = lambda _event: None

    def open(self, events: Callable[[TtsPortEvent], None], /) -> None:
        self.events = events
        self.asked.append(("open",))

    def prepare(self, connection: Connection) -> None:
        self.asked.append(("prepare", connection))

    def speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str, last: bool) -> None:
        self.asked.append(("speak", connection, utterance, unit, text, last))

    def forget(self, connection: Connection, utterance: UtteranceId) -> None:
        self.asked.append(("forget", connection, utterance))

    def close(self) -> None:
        self.asked.append(("close",))


class FakeVoice:
    """One piece of sound for each word; before each piece it calls `before` with the word."""

    def __init__(self, before: Callable[[str], None] = lambda _word: None) -> None:
        self.before = before

    def stream(self, text: str, pitch: float = 1.0) -> Iterator[bytes]:
        for word in text.split():
            self.before(word)
            yield word.encode().ljust(960, b"\0")
