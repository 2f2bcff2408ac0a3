"""A crowd talks, he hears all of it, and what he says arrives."""

from __future__ import annotations

from messages.voice import SoundDrained
from tests.actors.voice.live.world import Sink
from tests.benchmarks.crowd import Crowd
from tests.loopback.discord.voice.tones import tone

TRAILING_SILENCE = 5


def test_two_people_talk_are_heard_and_hear_him() -> None:
    with Crowd(rooms=1, people=2, seconds=2.0) as crowd:
        (one,) = crowd.links()
        sinks = [Sink() for _ in one.people]
        for person, sink in zip(one.people, sinks, strict=True):
            one.hear(person, sink)

        crowd.talk(True)
        one.say(tone(440, 0.2))
        for sink in sinks:
            sink.wait(15)
        crowd.talk(False)
        one.news.expect(SoundDrained, 5.0)

        departures = crowd.departures()
        for sink, left in zip(sinks, departures, strict=True):
            assert len(left) >= 15
            sink.wait(len(left) + TRAILING_SILENCE)
        assert len(crowd.arrivals()) == 10
        assert crowd.counts().silence == TRAILING_SILENCE

        crowd.talk(True)
        crowd.talk(False)
        assert crowd.pid != one.pid
