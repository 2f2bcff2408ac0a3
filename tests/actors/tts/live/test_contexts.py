"""Four contexts at most, no frame to a stranger, and every unit ends once, whatever comes when."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.tts.live.context import LATE_BYTES, Job
from actors.tts.live.contexts import MOST, MOST_WAITING, Contexts, Output
from actors.tts.live.wire import Heard, decode
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, UnitSpoken
from tests.actors.tts.live.talk import MODELS, SPEECH, dialect, final, is_dialogue, kinds, sound, turn_over

ONE = Connection(1)
TEXT = "Go on."


def fresh(model: str) -> Contexts:
    return Contexts(ONE, dialect(model), (f"c{number}" for number in count(1)))


def job(utterance: str, unit: int = 0, *, last: bool = True) -> Job:
    return Job(utterance=UtteranceId(utterance), unit=unit, text=TEXT, last=last)


def heard(frame: dict[str, object]) -> Heard:
    news = decode(json.dumps(frame))
    assert isinstance(news, Heard)
    return news


def sent(outputs: Iterable[Output]) -> list[str]:
    return kinds(json.loads(output) for output in outputs if isinstance(output, str))


def ends(outputs: Iterable[Output]) -> list[tuple[str, int]]:
    return [(output.utterance, output.unit) for output in outputs if isinstance(output, UnitSpoken)]


def test_an_utterance_that_waits_gets_the_first_place_that_becomes_free() -> None:
    contexts = fresh(SPEECH)
    for number in range(6):
        outputs = contexts.speak(job(f"u{number}"))
        assert bool(outputs) == (number < MOST)
    assert sent(contexts.heard(heard(final(SPEECH, "c2")), 0.0)) == [
        "open c5",
        "say c5",
        "flush c5",
        "close c5",
    ]
    assert contexts.forget(UtteranceId("u5"), 0.0) == []
    assert contexts.heard(heard(final(SPEECH, "c1")), 0.0) == [
        UnitSpoken(connection=ONE, utterance=UtteranceId("u0"), unit=0)
    ]


def test_more_than_can_wait_fail() -> None:
    contexts = fresh(SPEECH)
    for number in range(MOST + MOST_WAITING):
        contexts.speak(job(f"u{number}"))
    assert contexts.speak(job("late")) == [
        SynthesisFailed(connection=ONE, utterance=UtteranceId("late"), reason="too_many_voices")
    ]


def test_sound_that_comes_between_two_units_is_heard_with_the_second_up_to_ten_seconds() -> None:
    contexts = fresh(SPEECH)
    contexts.speak(job("u", last=False))
    outputs = contexts.heard(heard(sound(SPEECH, "c1", TEXT)), 0.0)
    assert ends(outputs) == [("u", 0)]
    late = sound(SPEECH, "c1", "", pcm=bytes(LATE_BYTES // 2))
    assert [contexts.heard(heard(late), 0.1) for _ in range(3)] == [[]] * 3
    outputs = contexts.speak(job("u", 1))
    assert sent(outputs) == ["say c1", "flush c1", "close c1"]
    sounds = [output for output in outputs if isinstance(output, SoundMade)]
    assert [(made.unit, len(made.pcm)) for made in sounds] == [(1, LATE_BYTES // 2)] * 2


@pytest.mark.parametrize("model", MODELS)
def test_a_context_that_the_provider_ended_by_itself_is_not_closed_and_the_next_unit_opens_another(
    model: str,
) -> None:
    contexts = fresh(model)
    contexts.speak(job("u", last=False))
    assert ends(contexts.heard(heard(final(model, "c1")), 0.0)) == [("u", 0)]
    assert sent(contexts.speak(job("u", 1, last=False))) == ["open c2", "say c2", "flush c2"]
    contexts.heard(heard(final(model, "c2")), 0.0)
    assert contexts.forget(UtteranceId("u"), 0.0) == []


def test_a_context_that_was_closed_is_never_spoken_in_again() -> None:
    contexts = fresh(SPEECH)
    contexts.speak(job("u"))
    assert sent(contexts.speak(job("u", 1)))[0] == "open c2"


def test_places_are_waited_for_as_long_as_one_of_them_was_left_a_moment_ago() -> None:
    contexts = fresh(SPEECH)
    for number in range(MOST):
        contexts.speak(job(f"u{number}", last=False))
        contexts.forget(UtteranceId(f"u{number}"), float(number))
    contexts.speak(job("late"))
    assert [contexts.spent(MOST - 1 + after) for after in (0.0, 1.9, 2.0)] == [False, False, True]


def test_an_acknowledgement_too_many_ends_nothing() -> None:
    model = MODELS[1]
    contexts = fresh(model)
    contexts.speak(job("u", last=False))
    assert ends(contexts.heard(heard(turn_over("c1")), 0.0)) == [("u", 0)]
    assert contexts.heard(heard(turn_over("c1")), 0.0) == []


def test_time_is_waited_for_only_while_it_may_change_something() -> None:
    contexts = fresh(SPEECH)
    assert contexts.next_tick(0.0) is None
    contexts.speak(job("u"))
    assert contexts.next_tick(0.0) is None
    contexts.heard(heard(sound(SPEECH, "c1", "Go")), 1.0)
    assert contexts.next_tick(1.0) == 3.5
    assert contexts.tick(3.4) == []
    assert ends(contexts.tick(3.5)) == [("u", 0)]
    assert contexts.next_tick(3.5) == 5.5
    assert contexts.next_tick(33.5) is None
    assert contexts.spent(33.5)


class Provider:
    """The other side of the line, which counts, and remembers what it was told of each context."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.contexts = fresh(model)
        self.live: dict[str, bool] = {}
        """Whether each context was closed by us."""
        self.owed: dict[str, int] = {}
        self.spoken: list[tuple[str, int]] = []
        self.now = 0.0

    def take(self, outputs: Iterable[Output]) -> None:
        for output in outputs:
            if isinstance(output, UnitSpoken | SynthesisFailed):
                unit = output.unit if isinstance(output, UnitSpoken) else -1
                self.spoken.append((output.utterance, unit))
            elif isinstance(output, str):
                self.read(*sent([output])[0].split())

    def read(self, kind: str, context: str) -> None:
        if kind == "open":
            assert context not in self.owed
            self.live[context], self.owed[context] = False, 0
        assert self.live[context] is False, f"{kind} for the closed {context}"
        self.live[context] = kind == "close"
        self.owed[context] += kind == "flush"
        assert len(self.live) <= MOST

    def hear(self, frame: dict[str, object]) -> None:
        self.take(self.contexts.heard(heard(frame), self.now))

    def say(self, context: str, text: str) -> None:
        self.hear(sound(self.model, context, text))

    def finish(self, context: str) -> None:
        """All that is owed to this context."""
        for _ in range(self.owed[context] if is_dialogue(self.model) else 0):
            self.hear(turn_over(context))
        self.owed[context] = 0
        if self.live[context]:
            del self.live[context]
            self.hear(final(self.model, context))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.take(self.contexts.tick(self.now))


ACTS = st.lists(
    st.tuples(st.sampled_from(("speak", "last", "forget", "sound", "finish", "wait")), st.integers(0, 7)),
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(MODELS), ACTS)
def test_every_unit_ends_once_unless_it_was_forgotten_and_no_rule_is_ever_broken(
    model: str, acts: list[tuple[str, int]]
) -> None:
    provider, units, over = Provider(model), count(), set[str]()
    expected, flying = list[tuple[str, int]](), dict[str, tuple[str, int]]()
    for act, number in acts:
        utterance, names = f"u{number}", sorted(provider.live)
        flying = {name: unit for name, unit in flying.items() if unit not in provider.spoken}
        if act in ("speak", "last") and utterance not in flying and utterance not in over:
            unit = next(units)
            flying[utterance] = (utterance, unit)
            expected.append((utterance, unit))
            over |= {utterance} if act == "last" else set()
            provider.take(provider.contexts.speak(job(utterance, unit, last=act == "last")))
        elif act == "forget":
            over.add(utterance)
            if (lost := flying.pop(utterance, None)) is not None and lost not in provider.spoken:
                expected.remove(lost)
            provider.take(provider.contexts.forget(UtteranceId(utterance), provider.now))
        elif act == "sound" and names:
            provider.say(names[number % len(names)], TEXT[: number + 1])
        elif act == "finish" and names:
            provider.finish(names[number % len(names)])
        elif act == "wait":
            provider.wait(number / 4)
    for _ in range(20):
        for context in tuple(provider.live):
            provider.say(context, TEXT)
            provider.finish(context)
        provider.wait(3.0)
        for utterance in {name for name, _ in expected}:
            if all(unit in provider.spoken for unit in expected if unit[0] == utterance):
                provider.take(provider.contexts.forget(UtteranceId(utterance), provider.now))
    assert sorted(provider.spoken) == sorted(expected)
    assert provider.live == {}
    assert not provider.contexts.busy
