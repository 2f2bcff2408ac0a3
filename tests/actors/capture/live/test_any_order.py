"""However the provider's answers fall between the orders, every final has the words of its own sound."""

from __future__ import annotations

import base64
from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from messages.capture import TranscriptReady
from messages.ids import SegmentId
from tests.actors.capture.live.ear import ONE, Ear

PIECE = 4800
"""100 ms of sound; each is one word, which is its number."""


class Provider:
    """Takes frames in order and answers in order; transcripts come in any order after their commit."""

    def __init__(self, ear: Ear) -> None:
        self.ear = ear
        self.buffer = bytearray()
        self.answers = deque[tuple[str, str]]()
        self.written = list[tuple[str, str]]()
        self.items = 0
        self.told = 0
        self.stands = False

    def stand(self) -> None:
        if not self.stands:
            self.stands = True
            self.ear.stand()

    def take(self) -> None:
        """Take what was sent."""
        for frame in self.ear.line.take():
            match frame["type"]:
                case "input_audio_buffer.append":
                    self.buffer += base64.b64decode(str(frame["audio"]))
                    self.grow()
                case "input_audio_buffer.commit":
                    assert len(self.buffer) >= PIECE
                    self.answers.append(("committed", f"item{self.items}"))
                    self.written.append((f"item{self.items}", words(self.buffer)))
                    self.next_item()
                case "input_audio_buffer.clear":
                    self.answers.append(("cleared", ""))
                    self.next_item()
                case kind:
                    assert kind == "session.update"

    def grow(self) -> None:
        """Say what is new of the item that grows."""
        heard = words(self.buffer)
        self.answers.append((f"item{self.items}", heard[self.told :]))
        self.told = len(heard)

    def next_item(self) -> None:
        self.items, self.told = self.items + 1, 0
        self.buffer.clear()

    def answer(self) -> None:
        """Say the next thing."""
        if not self.answers:
            return
        kind, what = self.answers.popleft()
        match kind:
            case "committed":
                self.ear.committed(what)
            case "cleared":
                self.ear.cleared()
            case item:
                self.ear.more(item, what)

    def write(self, which: int) -> None:
        """Say all the words of any item whose commit was answered."""
        owed = {what for kind, what in self.answers if kind == "committed"}
        ready = [one for one in self.written if one[0] not in owed]
        if ready:
            item = ready[which % len(ready)]
            self.written.remove(item)
            self.ear.written(*item)


def words(sound: bytes | bytearray) -> str:
    return " ".join(f"w{sound[begin]}" for begin in range(0, len(sound) - PIECE + 1, PIECE))


class Speaker:
    """Somebody who says numbered words, in segments of any shape; `wanted` is what must come back."""

    def __init__(self, ear: Ear) -> None:
        self.ear = ear
        self.segments = self.said = 0
        self.wanted: dict[SegmentId, str] = {}
        self.spoken: dict[SegmentId, set[str]] = {}
        self.open: SegmentId | None = None
        self.heard: list[int] = []
        self.guessed: list[int] | None = None

    def word(self) -> None:
        if self.open is None:
            self.open = SegmentId(f"s{self.segments}")
            self.segments += 1
            self.heard, self.guessed, self.spoken[self.open] = [], None, set()
            self.ear.begin(self.open, ONE)
        self.said = (self.said + 1) % 251
        self.heard.append(self.said)
        self.spoken[self.open].add(f"w{self.said}")
        self.ear.port.append(self.open, bytes([self.said]) * PIECE)

    def guess(self) -> None:
        if self.open is not None and self.guessed != self.heard:
            self.guessed = list(self.heard)
            self.ear.guess(self.open)

    def end(self, how: str) -> None:
        if self.open is None:
            return
        if how == "drop":
            self.ear.port.drop(self.open)
        else:
            settled = how == "settled" and self.guessed is not None
            covered = self.guessed if settled and self.guessed is not None else self.heard
            self.wanted[self.open] = " ".join(f"w{number}" for number in covered)
            self.ear.final(self.open, settled=settled)
        self.open = None


STEPS = ("word", "word", "guess", "final", "settled", "drop", "take", "answer", "write", "stand")


@given(st.lists(st.sampled_from(STEPS), max_size=60))
def test_every_final_comes_once_with_the_words_of_its_own_sound(steps: list[str]) -> None:
    ear = Ear()
    speaker, provider = Speaker(ear), Provider(ear)
    for number, step in enumerate(("word", *steps, "final", "stand", "take")):
        match step:
            case "word":
                speaker.word()
            case "guess":
                speaker.guess()
            case "final" | "settled" | "drop":
                speaker.end(step)
            case "stand":
                provider.stand()
            case "take":
                provider.take()
            case "answer":
                provider.answer()
            case _:
                provider.write(number)
    while provider.answers:
        provider.answer()
    while provider.written:
        provider.write(0)
    finals = list[SegmentId]()
    for event in ear.told:
        assert isinstance(event, TranscriptReady)
        if event.final:
            finals.append(event.segment)
            assert event.text == speaker.wanted[event.segment]
        else:
            assert set(event.text.split()) <= speaker.spoken[event.segment]
    assert sorted(finals) == sorted(speaker.wanted)
