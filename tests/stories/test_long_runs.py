"""Ten minutes of an answer and an hour of talk cost nobody a word, whatever the providers end meanwhile."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import count, pairwise

import pytest

from messages.evidence import Failed, Interrupted, ModelResponse
from tests.actors.tts.live.talk import MODELS
from tests.loopback.openai.chat import Call
from tests.loopback.openai.mind import Asked, Reply, pieces_of
from tests.stories.cloudy import Cloudy
from tests.stories.far import Mind
from tests.stories.telling import check

TEN_MINUTES = 595.0
"""He may not speak for longer than that."""
LENGTHS = (32, 28, 32, 32, 5, 11)
"""Sentences have so many words, one after the other."""
SECONDS_A_WORD = 0.3
HIGH_WATER = 15.0
CONTEXTS = 4


def long_text() -> str:
    """Sentences of words that are all different, which take almost ten minutes."""
    words = iter([f"w{number}" for number in range(round(TEN_MINUTES / SECONDS_A_WORD))])
    sentences: list[str] = []
    for place in count():
        sentence = [word for word, _ in zip(words, range(LENGTHS[place % len(LENGTHS)]), strict=False)]
        if not sentence:
            return " ".join(sentences)
        sentences.append(" ".join(sentence) + ".")
    raise AssertionError


@pytest.mark.parametrize("model", MODELS)
def test_an_answer_of_ten_minutes_is_spoken_to_its_end_and_never_piles_up(model: str) -> None:
    text = long_text()
    longest = max(LENGTHS) * SECONDS_A_WORD

    def think(asked: Asked) -> Reply:
        return Reply(pieces=pieces_of(text)) if asked.trigger == "address" else Reply()

    waiting = [0.0]
    with Cloudy(1, think=think, model=model) as world:
        world.say("anna", "Clankie tell us a long story")
        playback = world.stage.worker(world.path("playback"))
        while world.clock.now() < TEN_MINUTES + 15.0:
            world.run(0.5)
            waiting.append(float(playback.describe()["seconds_waiting"] or 0.0))
        assert world.speaking() == text.split()
        assert world.spoken == [text]
        assert HIGH_WATER - longest < max(waiting) < HIGH_WATER + longest
        assert [*world.receipts(Failed), *world.receipts(Interrupted), *world.posts] == []
        (voice,) = world.voices
        assert voice.most <= CONTEXTS
        assert " ".join(one for one in voice.texts if one) == text
        world.room.kick()
        world.run(5.0)
    assert world.book.broken == []


# --- an hour ----------------------------------------------------------------------------------------

HOUR = 3_600.0
FIRST_LASTS = 1_800.0
"""The first conversation says so; it is given up five minutes before."""
CAPTAIN_SECONDS = 90.0
LOOKED_UP = (300.0, FIRST_LASTS - 360.0)
"""When he asks his captain; the second time it is being looked into while the first session ends."""
CUT_OFF, NOT_BEGUN = 66, 90
"""The questions in whose answers a session ends and did not say so: after some words, before the first."""
REMEMBERED = 8
"""So many lines, at least, a new conversation knows of the one before."""


class Host:
    """Thinks for the model: each question gets one answer, which says its number."""

    world: Cloudy

    def __init__(self) -> None:
        self._ends = {CUT_OFF: 0.5, NOT_BEGUN: 0.05}
        self._looks_up = [*LOOKED_UP]

    def __call__(self, asked: Asked) -> Reply:
        """Answer the newest line of a person, or tell what the captain found."""
        written = [json.loads(said.text) for said in asked.context if said.role == "user"]
        match asked.trigger:
            case "address":
                return self._answer(int(written[-1]["text"].rpartition(" n")[2]))
            case "handoff_result":
                found = [result["result"] for one in written for result in one.get("results", ())]
                return Reply(pieces=pieces_of(f"My captain says this. {found[-1]}"))
            case _:
                return Reply()

    def _answer(self, number: int) -> Reply:
        if self._looks_up and self.world.clock.now() >= self._looks_up[0]:
            del self._looks_up[0]
            request = json.dumps({"request": f"what time is it n{number}"})
            return Reply(pieces=("Let me look.",), calls=(Call(name="ask_clankie", arguments=request),))
        mind = self.world.minds[-1]
        if (seconds := self._ends.pop(number, None)) is not None:
            mind.line.after(seconds, mind.expire)
        return Reply(pieces=pieces_of(f"Here is answer n{number}."), pause=0.15)


@pytest.fixture(scope="module")
def hour() -> Cloudy:
    """An hour of two who talk, to him and to each other, while a third comes and goes."""
    chance, host = random.Random(1), Host()
    with Cloudy(1, think=host, lasts=(FIRST_LASTS,), captain_delay=CAPTAIN_SECONDS) as world:
        host.world = world
        world.run(5.0)
        for number in count(1):
            if world.clock.now() >= HOUR:
                break
            world.say("anna", f"Clankie what about n{number}")
            world.run(chance.uniform(8.0, 18.0))
            world.say("ben", f"By the way that was b{number}")
            if number % 8 == 0:
                world.arrive("cleo")
            elif number % 8 == 4:
                world.depart("cleo")
            world.run(chance.uniform(12.0, 22.0))
        world.run(CAPTAIN_SECONDS)
        world.room.kick()
        world.run(5.0)
    return world


def lines_in(mind: Mind) -> list[str]:
    """What people said, as this conversation was told it."""
    read = [json.loads(text) for text in mind.given if text.startswith("{")]
    return [one["text"] for one in read if "speaker" in one]


def test_an_hour_crosses_the_ends_of_sessions_and_every_question_is_answered_once(hour: Cloudy) -> None:
    check(hour)
    asked = sum(one.startswith("Clankie") for one in hour.heard)
    turns = Counter(one.outcome for one in hour.receipts(ModelResponse, trigger="address"))
    assert turns == {None: asked, "spoke": asked - 1, "failed": 1}
    said = Counter(one for one in hour.spoken if "captain" not in one)
    plain = [f"Here is answer n{number}." for number in range(1, asked + 1) if number != CUT_OFF]
    looked_up = set(plain) - set(said)
    assert said == {**dict.fromkeys(set(plain) - looked_up, 1), "Let me look.": 2, "Here is answer": 1}
    assert len(looked_up) == sum("captain" in one for one in hour.spoken) == 2
    assert [*hour.receipts(Failed), *hour.posts, *hour.book.broken] == []


def test_over_an_hour_every_line_is_in_its_session_or_in_what_the_next_one_begins_with(hour: Cloudy) -> None:
    given = [lines_in(mind) for mind in hour.minds]
    assert len(given) == 4
    assert len(hour.heard) > 200
    assert set(hour.heard) == set[str]().union(*given)
    for before, after in pairwise(given):
        assert set(before[-REMEMBERED:]) <= set(after)
    second = hour.minds[1].given
    assert "looking_into" in second[1], "it begins with what the captain is still being asked"
    assert any(text.startswith('{"results"') for text in second)
    assert len(hour.ears) == 4, "each of the two ears has another line before the provider's hour is over"
