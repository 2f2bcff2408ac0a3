"""How a media process falls silent, is born, dies and weighs, and what a frame's way through actors costs."""

from __future__ import annotations

from typing import Final

from tests.benchmarks.bench import Bench, Ours, Peer
from tests.benchmarks.figures import Line, Of, Reading, Target

CUTS: Final = "40"
FURTHER_STAYS: Final = "10"
CHAIN: Final = ("160", "200", "1000")


def _at_most(bound: float, of: Of = Of.OURS) -> Target:
    return Target(of=of, bound=bound)


def _life(name: str, unit: str, key: str, *targets: Target, peer: str | None = None, note: str = "") -> Line:
    return Line(
        name=name,
        unit=unit,
        ours=Reading("life", key),
        peer=None if peer is None else Reading("pipecat", peer),
        targets=targets,
        note=note,
    )


MEDIA: Final = Bench(
    name="media",
    runs={
        "life": Ours("tests.benchmarks.media.life", (CUTS,)),
        "pipecat": Peer("interruption.py", (CUTS,)),
    },
    lines=(
        _life(
            "stop decision to handled in the media process, p50",
            "ms",
            "handled_ms",
            _at_most(0.5),
            peer="handled_ms",
            note="From the floor's word, through playback and voice, until nothing more of it can leave; of"
            " Pipecat from its interruption, through two processors, until its output says that it stopped."
            " Sound on its way is in neither.",
        ),
        _life("of that, from the voice link's port on", "ms", "link_ms"),
        _life("stop decision to the news of it at the floor, p50", "ms", "told_ms"),
        _life(
            "stop decision to output stopped, the end of the last sound that was sent, p50",
            "ms",
            "silent_ms",
            _at_most(0.25, Of.TO_PEER),
            peer="silent_ms",
            note="As a listener hears it: a packet of 20 ms that has left is heard to its end, and so is"
            " Pipecat's usual chunk of 40 ms; about 10 ms beside 20 ms if neither took any time to stop.",
        ),
        _life("cuts with a packet of sound after the news", "cuts", "late", _at_most(0.0)),
        _life("start of a media process to its hello", "ms", "birth_ms", _at_most(200.0)),
        _life("start of a media process to sound flowing, encrypted, in a group of four", "ms", "up_ms"),
        _life(
            "private memory of a media process in a group of four, having spoken and heard",
            "MB",
            "media_mb",
            _at_most(20.0),
        ),
        _life(
            "SIGKILL of a media process to the floor's knowing that a sentence broke off", "ms", "known_ms"
        ),
        _life(
            "SIGKILL of a media process in mid-sentence to his next packet of sound",
            "s",
            "again_s",
            _at_most(1.5),
            note="The first death; he says something else as soon as he knows that the sentence broke off.",
        ),
    ),
    seconds=60.0,
)
CHAINS: Final = Bench(
    name="chain",
    runs={
        "ours": Ours("tests.benchmarks.media.chain", CHAIN),
        "pipecat": Peer("chain.py", CHAIN),
    },
    lines=(
        Line(
            name="a frame through three actors, one every 5 ms: CPU",
            unit="us",
            ours=Reading("ours", "woken_us"),
            peer=Reading("pipecat", "woken_us"),
            note="Pipecat: through three processors that only pass it on.",
        ),
        Line(
            name="a frame through three actors, a thousand at once: CPU",
            unit="us",
            ours=Reading("ours", "hot_us"),
            peer=Reading("pipecat", "hot_us"),
        ),
    ),
)
STAYS: Final = Bench(
    name="memory",
    runs={"ours": Ours("tests.benchmarks.media.stays", (FURTHER_STAYS,))},
    lines=(
        Line(
            name="private memory of the house for each further stay",
            unit="MB",
            ours=Reading("ours", "further_mb"),
            targets=(_at_most(1.0),),
            note="Ten more stays with one person in each who is listened to and says nothing; local models.",
        ),
    ),
    repetitions=2,
)
BENCHES: Final[tuple[Bench, ...]] = (MEDIA, CHAINS, STAYS)
