"""What is measured of his pace and of the cost of his voice, and what is asked of it."""

from __future__ import annotations

import sys
from typing import Final

from tests.benchmarks.bench import Bench, Floor, Ours, Peer
from tests.benchmarks.figures import Line, Of, Reading, Target
from tests.benchmarks.pacing.speech import FILES, opus

PACED, PROVIDER, SEND = (f"tests.benchmarks.pacing.{name}" for name in ("paced", "provider", "send"))
SPEECH_FRAMES: Final = "400"
SLOTS: Final = "102"
"""The fewest of which p99 is not the very worst."""
FIRSTS: Final = "The budget is for p99; of each repetition the slowest of ten is held to it."
LOAD: Final = (
    "Three seconds of speech, or what discord.py sends of it in four; five Python threads that never rest,"
    " eight people whose packets arrive; discord.py only reads those packets and has Python's own switch"
    " interval, the floor is a C thread beside a busy one, for two seconds."
)


def _paced(run: str, name: str, bound: float) -> tuple[Line, ...]:
    return (
        Line(
            name=f"send interval deviation, p99, busy house, {name}",
            unit="ms",
            ours=Reading(run, "p99"),
            peer=Reading("discord.py", "p99"),
            floor=Reading(f"C {run}", "p99"),
            targets=(Target(of=Of.TO_PEER, bound=bound),),
            note=LOAD,
        ),
        Line(
            name=f"gaps above 40 ms, {name}",
            unit="gaps",
            ours=Reading(run, "gaps"),
            peer=Reading("discord.py", "gaps"),
            targets=(Target(of=Of.OURS, bound=0),),
        ),
        Line(
            name=f"drift over 3 s of speech, {name}",
            unit="ms",
            ours=Reading(run, "drift"),
            peer=Reading("discord.py", "drift"),
            targets=(Target(of=Of.OURS, bound=1),),
        ),
    )


def _first(name: str, reading: Reading, bound: float | None = None) -> Line:
    targets = () if bound is None else (Target(of=Of.OURS, bound=bound),)
    return Line(name=name, unit="ms", ours=reading, targets=targets, note=FIRSTS)


PACE: Final = Bench(
    name="pace",
    runs={
        "fifo": Ours(PACED, ("fifo",)),
        "ordinary": Ours(PACED, ("ordinary", "idle", "busy")),
        "discord.py": Peer("player.py", ("4", "5", sys.executable)),
        "C fifo": Floor("timer.c", (SLOTS, "fifo")),
        "C ordinary": Floor("timer.c", (SLOTS,)),
        "provider": Ours(PROVIDER),
    },
    lines=(
        *_paced("fifo", "real time", 1 / 50),
        *_paced("ordinary", "no precedence", 1 / 25),
        _first(
            "first PCM on the pipe to first packet, slowest of ten, idle",
            Reading("ordinary", "idle_slowest"),
            3,
        ),
        _first("the same, busy house, no precedence", Reading("ordinary", "busy_slowest")),
        _first("a provider's bytes to first packet, slowest of ten, idle", Reading("provider", "slowest"), 5),
    ),
)

QUICK_HANDS: Final = Bench(
    name="pace-1ms",
    runs={
        "ordinary": Ours(PACED, ("ordinary",)),
        "discord.py": Peer("player.py", ("4", "1", sys.executable)),
    },
    lines=(
        Line(
            name="send interval deviation, p99, if discord.py's house also had 1 ms as switch interval",
            unit="ms",
            ours=Reading("ordinary", "p99"),
            peer=Reading("discord.py", "p99"),
            note="Ours without precedence; measured in one repetition only.",
        ),
    ),
    repetitions=1,
)

COST: Final = Bench(
    name="send",
    runs={
        "ours": Ours(SEND),
        "discord.py": Peer("send.py", (sys.executable,)),
        "C": Floor("send.c", (opus(), SPEECH_FRAMES, *map(str, FILES))),
    },
    lines=(
        Line(
            name="CPU of a frame sent: Opus, DAVE, transport, socket",
            unit="us",
            ours=Reading("ours", "us"),
            peer=Reading("discord.py", "us"),
            floor=Reading("C", "us"),
            targets=(Target(of=Of.TO_FLOOR, bound=1.5), Target(of=Of.TO_PEER, bound=0.5)),
            note="Hot, the same speech; discord.py as it stands: 48 kHz stereo, 128 kbit/s, xchacha20.",
        ),
    ),
)

BENCHES: Final = (PACE, QUICK_HANDS, COST)
