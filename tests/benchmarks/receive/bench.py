"""What is measured of hearing, and what is asked of it."""

from __future__ import annotations

import sys
from typing import Final

from tests.benchmarks.bench import Bench, Floor, Ours, Peer
from tests.benchmarks.figures import Line, Of, Reading, Target
from tests.benchmarks.pacing.speech import FILES, opus

HOT, WOKEN, HOUR = (f"tests.benchmarks.receive.{name}" for name in ("hot", "woken", "hour"))
HOT_SECONDS, WOKEN_SECONDS = "16", "3"


def floor(regime: str, seconds: str) -> Floor:
    """The C libraries alone, hot or woken, for so many seconds of eight people."""
    return Floor("receive.c", (regime, seconds, sys.executable, opus(), *map(str, FILES)))


COST: Final = Bench(
    name="receive",
    runs={
        "hot": Ours(HOT),
        "voice-recv": Peer("receive.py", (sys.executable,)),
        "C hot": floor("hot", HOT_SECONDS),
        "woken": Ours(WOKEN, (WOKEN_SECONDS,)),
        "C woken": floor("woken", WOKEN_SECONDS),
    },
    lines=(
        Line(
            name="CPU of a packet received, hot: socket, transport, DAVE, Opus, pipe",
            unit="us",
            ours=Reading("hot", "us"),
            peer=Reading("voice-recv", "us"),
            floor=Reading("C hot", "us"),
            targets=(Target(of=Of.TO_FLOOR, bound=1.4), Target(of=Of.TO_PEER, bound=1 / 3.5)),
            note="Eight people, the same speech; discord-ext-voice-recv with its threads, davey and audioop.",
        ),
        Line(
            name="the same, woken, 400 packets a second",
            unit="us",
            ours=Reading("woken", "us"),
            floor=Reading("C woken", "us"),
            targets=(Target(of=Of.TO_FLOOR, bound=1.6),),
            note="The media process as it runs; C in the same company: senders and listeners are Python.",
        ),
        Line(
            name="a packet from its sender to the sink, p99, 400 packets a second",
            unit="ms",
            ours=Reading("woken", "p99_ms"),
            targets=(Target(of=Of.OURS, bound=10),),
            note="With the time that it lies in the socket.",
        ),
        Line(
            name="CPU of a packet received, woken, in the house",
            unit="us",
            ours=Reading("woken", "house_us"),
            note="From the pipe to the sink.",
        ),
    ),
)

GROWTH: Final = Bench(
    name="receive-hour",
    runs={"hour": Ours(HOUR)},
    lines=(
        Line(
            name="CPU of a packet in the last tenth of an hour of one person, to one in the first",
            unit="times",
            ours=Reading("hour", "growth"),
            targets=(Target(of=Of.OURS, bound=1.1),),
            note="180,000 packets, hot.",
        ),
    ),
    repetitions=1,
)

BENCHES: Final = (COST, GROWTH)
