"""From text to what was heard of it, over real sockets: each word is heard when its last letter was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from actors.net.guarded import GuardedDial
from actors.net.loop import IoLoop
from actors.playback.heard import Aligned, divide
from actors.tts.core import step
from actors.tts.decisions import Decision, Forget, Prepare, Speak, TellPlayback
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.settings import TtsSettings
from actors.tts.state import State
from messages.ids import StayId, TurnId, UtteranceId
from messages.playback import AlignText, EndSpeech, QueueSound
from messages.tts import MoreWanted, SayEnd, SayText, TtsMessage, TtsPortEvent
from tests.actors.tts.live.talk import MODELS
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.humming import hum
from tests.probe import Probe

U, PATIENCE = UtteranceId("u1"), 5.0
MS_BYTES = 48


class Room:
    """The synthesizer's room without its shell, and a playback that only measures and always wants more."""

    def __init__(self, loop: IoLoop, server: ElevenLabs, model: str) -> None:
        settings = TtsSettings(model=model)
        self.server = server
        self.news = Probe[TtsPortEvent]()
        self.port = ElevenLabsVoice(loop, GuardedDial(loop), server.service, settings)
        self.port.open(self.news.tell)
        self.state = State(settings=settings, stay=StayId("s1"))
        self.units = list[str]()
        self.aligned = list[Aligned]()
        self.pcm = bytearray()
        self.ended = False

    def say(self, *texts: str) -> None:
        for text in texts:
            self.take(SayText(utterance=U, turn=TurnId("t1"), text=text))
        self.take(SayEnd(utterance=U))
        while not self.ended:
            self.take(self.news.expect(object, timeout=PATIENCE))

    def take(self, event: object) -> None:
        assert isinstance(event, TtsMessage)
        self.state, decided = step(self.state, event)
        for decision in decided:
            self.carry_out(decision)

    def carry_out(self, decision: Decision) -> None:
        match decision:
            case Prepare():
                self.port.prepare(decision.connection)
            case Speak():
                self.units.append(decision.text)
                self.port.speak(
                    decision.connection, decision.utterance, decision.unit, decision.text, decision.last
                )
            case Forget():
                self.port.forget(decision.connection, decision.utterance)
            case TellPlayback(message=QueueSound(pcm=pcm)):
                self.pcm += pcm
            case TellPlayback(message=AlignText(text=text)):
                self.aligned.append(Aligned(end=len(self.pcm), text=text))
                self.take(MoreWanted(utterance=U))
            case TellPlayback(message=EndSpeech()):
                self.ended = True
            case _:
                pass

    def words(self) -> list[tuple[str, float]]:
        """Every word that was said and where its last letter ends, in bytes, as the server reckons."""
        words, begin = list[tuple[str, float]](), 0
        for unit in self.units:
            size = len(b"".join(hum(f"{unit} ")))
            at = 0
            for word in unit.split():
                at = unit.index(word, at) + len(word)
                letters = at - (len(word) - len(word.rstrip(".,!?")))
                words.append((word, begin + letters * size / (len(unit) + 1)))
            begin += size
        return words


@pytest.fixture(params=MODELS)
def room(request: pytest.FixtureRequest) -> Iterator[Room]:
    loop = IoLoop()
    loop.start()
    with ElevenLabs() as server:
        room = Room(loop, server, str(request.param))
        yield room
        room.port.close()
        assert server.violations == []
    assert loop.stop(PATIENCE)


def test_a_cut_at_any_moment_leaves_exactly_the_words_whose_last_letter_was_sent(room: Room) -> None:
    room.server.manners.chunk_bytes = 4_801
    room.say("Hello there, you two. It ", "costs a lot today.", " Bye, then!")
    words, aligned = room.words(), tuple(room.aligned)
    assert [piece.text for piece in aligned] == [word for word, _ in words]
    assert all(abs(piece.end - end) < 4 * MS_BYTES for piece, (_, end) in zip(aligned, words, strict=True))
    for (before, end), (after, later) in pairwise(words):
        heard, unheard = divide(aligned, round((end + later) / 2))
        assert (heard.split()[-1], unheard.split()[0]) == (before, after)
        assert f"{heard} {unheard}".split() == [word for word, _ in words]


@pytest.mark.parametrize("discards", [True, False])
def test_whatever_a_close_does_to_what_was_flushed_all_of_it_is_heard(room: Room, discards: bool) -> None:
    room.server.manners.discards = discards
    room.say("One sentence. And another. ")
    assert [piece.text for piece in room.aligned] == ["One", "sentence.", "And", "another."]
    room.server.session().wait_contexts(0)


@pytest.mark.parametrize(
    "text",
    [
        "It costs 5.30 € — **really** 🎉 cheap!\n- one\n- two\n",
        "你好。今天天气很好，我们去公园吧。",
        "Привет, мир! नमस्ते दुनिया। مرحبا بالعالم؟ שלום",
        "word " * 39 + "words. Then a longer one " + "of many words " * 20,
        "x" * 210,
        'He said: "Stop!" (And so on…)  \t Fine?!',
    ],
)
def test_text_of_any_kind_is_said_whole_and_told_whole(room: Room, text: str) -> None:
    room.say(text)
    told = " ".join(piece.text for piece in room.aligned)
    assert "".join(told.split()) == "".join(text.split())
    assert all(len(unit) <= 200 for unit in room.units)
    size = sum(len(b"".join(hum(f"{unit} "))) for unit in room.units)
    assert size - len(room.pcm) <= 100 * MS_BYTES
