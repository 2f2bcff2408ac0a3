"""What is measured of the actors, and what is asked of it."""

from __future__ import annotations

from typing import Final

from tests.benchmarks.bench import Bench, Floor, Ours, Peer, Program
from tests.benchmarks.figures import Line, Of, Reading, Target

HERE: Final = "tests.benchmarks.actors"
LETTERS: Final = "20000"
SECONDS: Final = "2"


def _at_most(bound: float, of: Of = Of.OURS) -> Target:
    return Target(of=of, bound=bound)


HOPS: Final[dict[str, Program]] = {
    "hop": Ours(f"{HERE}.hop", (LETTERS, "pinned")),
    "handoff": Floor("handoff.c", (LETTERS, "pinned", "2", "300")),
    "hop, free": Ours(f"{HERE}.hop", (LETTERS, "free")),
    "handoff, free": Floor("handoff.c", (LETTERS, "free", "2")),
    "growth": Ours(f"{HERE}.growth", ("6000",)),
}
HOP: Final = Bench(
    name="hop",
    runs=HOPS,
    lines=(
        Line(
            name="actor hop, p50, on one core",
            unit="us",
            ours=Reading("hop", "p50_us"),
            floor=Reading("handoff", "p50_us"),
            targets=(_at_most(2.0, Of.TO_FLOOR),),
            note=(
                "One way between two actors; in C, two threads with a condition each. On one core a reader "
                "may be still awake when its letter comes, which is cheap: the CPU of a hop says more."
            ),
        ),
        Line(
            name="actor hop, p50, on any core",
            unit="us",
            ours=Reading("hop, free", "p50_us"),
            floor=Reading("handoff, free", "p50_us"),
            note="Told only: the kernel keeps a pair on one core, or wakes another one, which costs more.",
        ),
        Line(
            name="actor hop, CPU, on one core",
            unit="us",
            ours=Reading("hop", "cpu_us"),
            floor=Reading("handoff", "cpu_us"),
            targets=(_at_most(2.0, Of.TO_FLOOR),),
        ),
        Line(
            name="letters that one actor reads without a pause",
            unit="a second",
            ours=Reading("hop", "flood_per_second"),
        ),
        Line(
            name="growth: a hop of a pair among 300 sleeping actors, against the pair alone",
            unit="times",
            ours=Reading("growth", "asleep"),
            targets=(_at_most(1.2),),
        ),
        Line(
            name="growth: a hop round 300 actors, against one in a pair",
            unit="times",
            ours=Reading("growth", "growth"),
            floor=Reading("handoff", "growth"),
            targets=(_at_most(1.2, Of.TO_FLOOR),),
            note="Every letter wakes a thread whose memory has left the caches, in C as well.",
        ),
        Line(
            name="growth: the report, CPU of a line in 50,000, against one in 10,000",
            unit="times",
            ours=Reading("growth", "longer"),
            targets=(_at_most(1.15),),
        ),
        Line(name="the report, CPU of a line in 50,000", unit="us", ours=Reading("growth", "long_us")),
    ),
)
EARS: Final = Bench(
    name="ears",
    runs={"ears": Ours(f"{HERE}.ears", (SECONDS,)), "sockets": Ours(f"{HERE}.sockets", (SECONDS,))},
    lines=(
        Line(
            name="packet in -> capture actor, p99, one busy Python thread",
            unit="ms",
            ours=Reading("ears", "house_p99_ms"),
            peer=Reading("sockets", "house_p99_ms"),
            targets=(_at_most(10.0), _at_most(1 / 20, Of.TO_PEER)),
            note=(
                "Eight people; the peer is asyncio's sock_recv of each frame, to the same actors. "
                "A busy thread may make the others wait for 1 ms, as the house sets it."
            ),
        ),
        Line(
            name="the same, p50",
            unit="ms",
            ours=Reading("ears", "house_p50_ms"),
            peer=Reading("sockets", "house_p50_ms"),
        ),
        Line(
            name="the same, p99, with Python's own switch interval of 5 ms",
            unit="ms",
            ours=Reading("ears", "python_p99_ms"),
            peer=Reading("sockets", "python_p99_ms"),
        ),
        Line(name="frames that never arrived", unit="frames", ours=Reading("ears", "house_missing")),
    ),
)
CRASH: Final = Bench(
    name="crash",
    runs={"crash": Ours(f"{HERE}.crash", ("200",))},
    lines=(
        Line(
            name="crash of an actor -> handling again, p99",
            unit="ms",
            ours=Reading("crash", "p99_ms"),
            targets=(_at_most(2.0),),
            note="Of 200: from the order to crash to a letter from outside that the next life has handled.",
        ),
        Line(name="crash of an actor -> handling again, p50", unit="ms", ours=Reading("crash", "p50_ms")),
    ),
)
START: Final = Bench(
    name="cold-start",
    runs={
        "cold": Ours(f"{HERE}.cold"),
        "pipecat": Peer("importing.py", ("pipecat",)),
        "livekit": Peer("importing.py", ("livekit",)),
    },
    lines=tuple(
        Line(
            name=f"cold start to ready, before any network, {what} (peer: {whose})",
            unit="s",
            ours=Reading("cold", key),
            peer=Reading(peer, key),
            targets=(_at_most(bound, Of.TO_PEER),) if key == "seconds" else (),
            note="Ours is a whole house, open; theirs is what their quickstart imports.",
        )
        for peer, whose, bound in (("pipecat", "Pipecat", 0.2), ("livekit", "LiveKit Agents", 0.12))
        for key, what in (("seconds", "time"), ("cpu", "CPU"))
    ),
)
BENCHES: Final[tuple[Bench, ...]] = (HOP, EARS, CRASH, START)
