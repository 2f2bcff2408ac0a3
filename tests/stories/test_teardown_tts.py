"""However a line to his voice ends, a sentence fails once, by its name, and silence never does."""

from __future__ import annotations

from functools import partial
from typing import Self

import pytest

from actors.tts.actor import Tts
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.settings import TtsSettings
from messages.evidence import Failed
from messages.ids import StayId, TurnId, UtteranceId
from messages.playback import BreakSpeech, EndSpeech, PlaybackMessage, QueueSound
from messages.tts import DropSpeech, MoreWanted, SayEnd, SayText, SynthesizerLost, TtsMessage
from supervisors.address import Address
from tests.actors.net.staged import CLOSE_SECONDS
from tests.actors.tts.live.talk import MODELS
from tests.probe import Probe
from tests.stories.telling import SEEDS
from tests.stories.voice_peer import LATE, MOST, Provider, halves, sounding_of
from tests.stories.wired import PARTINGS, SERVICE, STRIKES, Fault, Plan, Wired

FIRST, SECOND, HELD = "Hello there my friend.", "Good bye.", "Once upon a time."
WHOLE = sounding_of(FIRST) + sounding_of(SECOND)


class Playback(Probe[PlaybackMessage]):
    """Wants more as soon as it has some."""

    def __init__(self, tts: Address[TtsMessage]) -> None:
        super().__init__()
        self._tts = tts

    def tell(self, message: PlaybackMessage, /) -> None:
        super().tell(message)
        if isinstance(message, QueueSound):
            self._tts.tell(MoreWanted(utterance=message.utterance))


class Voice(Wired):
    """The synthesizer's room."""

    def __init__(self, seed: int, provider: Provider) -> None:
        super().__init__(seed, provider)
        self.provider = provider
        self.tts: Address[TtsMessage] = Address()
        self.playback = Playback(self.tts)
        settings = TtsSettings(model=provider.model)
        self.house(
            lambda life: Tts(
                life,
                stay_id=StayId("s1"),
                playback=self.playback,
                evidence=self.evidence,
                clock=self.clock,
                port=self.overheard(ElevenLabsVoice(self.loop, self.dial, SERVICE, settings)),
                settings=settings,
            ),
            self.tts,
        )

    def say(self, name: str, *texts: str) -> Self:
        """He says both sentences; or begins to say this, and more is to come."""
        for text in texts or (FIRST, SECOND):
            self.tts.tell(SayText(utterance=UtteranceId(name), turn=TurnId(f"t-{name}"), text=f"{text} "))
        if not texts:
            self.tts.tell(SayEnd(utterance=UtteranceId(name)))
        return self

    def drop(self, name: str) -> None:
        """Nobody wants to hear it any more."""
        self.tts.tell(DropSpeech(utterance=UtteranceId(name)))

    def sounded(self, name: str) -> bytes:
        """What playback was given of it."""
        sounds = [one for one in self.playback.received() if isinstance(one, QueueSound)]
        return b"".join(one.pcm for one in sounds if one.utterance == name)

    def ends(self, name: str) -> list[str]:
        """How it ended: the reason, and what was left of it; empty for its natural end."""
        news = self.playback.received()
        return [
            f"{one.turn} {one.reason}: {one.unheard}" if isinstance(one, BreakSpeech) else ""
            for one in news
            if isinstance(one, BreakSpeech | EndSpeech) and one.utterance == name
        ]

    def failures(self) -> list[tuple[str, str, str | None, str | None]]:
        """What is on record."""
        return [(one.stage, one.reason, one.utterance_id, one.turn_id) for one in self.receipts(Failed)]

    def is_whole(self, name: str) -> bool:
        """Whether it was said to its end, once."""
        return self.ends(name) == [""] and self.sounded(name) == WHOLE

    def check(self) -> None:
        super().check()
        assert self.provider.most <= MOST
        assert LATE not in self.sounded("u1") + self.sounded("u2")
        for told in self.told:
            assert not afterwards(told), "reported of a line that was lost"
        names = {one.utterance for one in self.playback.received() if isinstance(one, BreakSpeech)}
        assert len(self.failures()) == len(names)


def lost_of(events: list[object]) -> list[int]:
    """The connections that were lost."""
    return [event.connection for event in events if isinstance(event, SynthesizerLost)]


def afterwards(told: list[object]) -> list[object]:
    """What was reported of a connection after its loss."""
    lost = set[object]()
    late = list[object]()
    for event in told:
        connection = getattr(event, "connection", None)
        if connection in lost:
            late.append(event)
        if isinstance(event, SynthesizerLost):
            lost.add(connection)
    return late


pytestmark = pytest.mark.parametrize("model", MODELS)


def test_what_is_said_to_its_end_fails_for_nobody(model: str) -> None:
    for seed in range(SEEDS):
        with Voice(seed, Provider(model, Plan())) as room:
            room.say("u1").run(5.0)
            assert room.is_whole("u1")
            room.say("u2").run(5.0)
            assert room.is_whole("u2")
            assert len(room.dial.lines) == 1
        assert room.failures() == []


@pytest.mark.parametrize("parting", PARTINGS)
def test_what_a_line_does_after_it_was_closed_is_nothing_to_anybody(parting: Fault, model: str) -> None:
    for seed in range(SEEDS):
        with Voice(seed, Provider(model, Plan(parting=parting))) as room:
            room.say("u1")
            room.by_chance(room.stop, 60)
            room.run()
            room.run(CLOSE_SECONDS)
            assert all(line.over for line in room.dial.lines)
        assert room.failures() == []
        assert room.ends("u1") in ([], [""])


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_fails_in_mid_sentence_is_one_failure_of_that_sentence(fault: Fault, model: str) -> None:
    for seed in range(SEEDS):
        at_second = bool(seed & 2)
        plan = Plan(*([None] if at_second else []), fault, begins=True, parting=Fault.ABORTED)
        with Voice(seed, Provider(model, plan)) as room:
            room.say("u1").run(5.0)
            unheard = halves(SECOND)[1] if at_second else f"{halves(FIRST)[1]} {SECOND}"
            assert room.ends("u1") == [f"t-u1 {fault.value}: {unheard}"]
            assert room.failures() == [("speech_synthesis", fault.value, "u1", "t-u1")]
            room.say("u2").run(5.0)
            assert room.is_whole("u2")
            assert len(room.dial.lines) == 2
        assert len(room.failures()) == 1


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_fails_before_the_first_sound_is_tried_again_once_on_another(
    fault: Fault, model: str
) -> None:
    for seed in range(SEEDS):
        again = fault if seed & 2 else None
        with Voice(seed, Provider(model, Plan(fault, again))) as room:
            room.say("u1").run(5.0)
            assert len(room.dial.lines) == 2
            if again is None:
                assert room.is_whole("u1")
                assert room.failures() == []
            else:
                assert room.ends("u1") == [f"t-u1 {fault.value}: {FIRST} {SECOND}"]
                assert room.failures() == [("speech_synthesis", fault.value, "u1", "t-u1")]


def test_sound_of_a_sentence_that_was_dropped_is_heard_by_nobody(model: str) -> None:
    for seed in range(SEEDS):
        with Voice(seed, Provider(model, Plan(), held=[HELD])) as room:
            room.say("u1", HELD)
            room.by_chance(lambda: room.drop("u1"))
            room.by_chance(lambda: room.say("u2"))
            room.run(5.0)
            assert room.is_whole("u2")
            assert room.ends("u1") == []
            assert len(room.dial.lines) == 1
            assert not any(getattr(event, "pcm", b"") == LATE for event in room.events())
        assert room.failures() == []


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_ends_while_he_is_silent_is_opened_again_when_he_speaks(fault: Fault, model: str) -> None:
    for seed in range(SEEDS):
        provider = Provider(model, Plan())
        with Voice(seed, provider) as room:
            room.say("u1").run(5.0)
            provider.peers[0].strike(fault)
            if seed & 2:
                room.run()
                assert len(room.dial.lines) == 1
            room.by_chance(lambda: room.say("u2"))
            room.run(5.0)
            if room.failures():
                assert not seed & 2
                assert room.failures() == [("speech_synthesis", fault.value, "u2", "t-u2")]
            else:
                assert room.is_whole("u2")
                assert not seed & 2 or not lost_of(room.events())
            assert len(room.dial.lines) == 2 - bool(room.failures())


@pytest.mark.parametrize("fault", STRIKES)
def test_of_two_sentences_on_a_line_that_fails_each_fails_for_itself_or_is_said_again(
    fault: Fault, model: str
) -> None:
    for seed in range(SEEDS):
        with Voice(seed, Provider(model, Plan(fault, begins=True))) as room:
            room.say("u1")
            room.by_chance(lambda: room.say("u2"), 40)
            room.run(5.0)
            assert lost_of(room.events()) == [1]
            assert len(room.dial.lines) == 2
            failed = [name for name in ("u1", "u2") if not room.is_whole(name)]
            assert failed
            assert sorted(room.failures()) == [
                ("speech_synthesis", fault.value, name, f"t-{name}") for name in failed
            ]
            assert [len(room.ends(name)) for name in ("u1", "u2")] == [1, 1]


@pytest.mark.parametrize("stands", [False, True])
def test_a_peer_that_never_answers_is_one_failure_within_fifteen_seconds(stands: bool, model: str) -> None:
    for seed in range(SEEDS):
        plan = Plan(Fault.SILENT, Fault.SILENT, parting=Fault.SILENT)
        plan.stands = stands
        provider = Provider(model, plan)
        provider.finals = False
        with Voice(seed, provider) as room:
            room.say("u1").run(15.0)
            reason = "timeout"
            assert room.ends("u1") == [f"t-u1 {reason}: {FIRST} {SECOND}"]
            assert room.failures() == [("speech_synthesis", reason, "u1", "t-u1")]


def test_a_peer_that_answers_as_it_is_given_up_is_heard_once(model: str) -> None:
    for seed in range(SEEDS):
        provider = Provider(model, Plan(Fault.SILENT))
        provider.wakes = TtsSettings().unit_seconds
        with Voice(seed, provider) as room:
            room.say("u1").run(15.0)
            assert room.is_whole("u1")
            assert len(room.dial.lines) in (1, 2)
        assert room.failures() == []


@pytest.mark.parametrize("finals", [True, False])
def test_twelve_sentences_dropped_in_a_row_take_up_no_place_for_ever(finals: bool, model: str) -> None:
    for seed in range(SEEDS):
        provider = Provider(model, Plan(), held=[HELD])
        provider.finals = finals
        with Voice(seed, provider) as room:
            for number in range(12):
                room.say(f"held{number}", HELD)
                room.by_chance(partial(room.drop, f"held{number}"))
                room.run(0.0 if finals else 0.3)
            room.say("u1").run(5.0)
            assert room.is_whole("u1")
            assert len([line for line in room.dial.lines if not line.over]) == 1
            if finals:
                assert len(room.dial.lines) == 1
        assert room.failures() == []


@pytest.mark.parametrize("fault", STRIKES)
def test_the_owner_may_close_it_while_it_fails(fault: Fault, model: str) -> None:
    for seed in range(SEEDS):
        with Voice(seed, Provider(model, Plan(fault, begins=True, parting=fault))) as room:
            room.say("u1")
            room.by_chance(room.restart, 60)
            room.run(CLOSE_SECONDS)
            ends = room.ends("u1")
            assert len(ends) <= 1
            assert len(room.failures()) == len(ends)
            room.say("u2").run(8.0)
            assert room.is_whole("u2")
            assert room.ends("u1") == ends
