"""What is played: the same rooms in every repetition for the line of the table, and all sizes once."""

from __future__ import annotations

from typing import Final

from tests.benchmarks.latency.playing import Part

HEAD: Final = (Part(name="head", rooms=14, seconds=12.5, moves=1),)
SPEAKERS: Final = (
    Part(name="1 stay, 1 person", rooms=1, seconds=5.0),
    Part(name="1 stay, 5 people", rooms=1, talkers=4, seconds=5.0),
    Part(name="1 stay, 25 people", rooms=1, talkers=24, seconds=5.0),
)
STAYS: Final = (
    Part(name="10 stays, 1 person in each", rooms=10, seconds=5.0),
    Part(name="30 stays, 1 person in each", rooms=30, seconds=6.0),
)
GROWTH: Final = (*SPEAKERS, *STAYS)
