"""Every bench, in the order of the table."""

from __future__ import annotations

from typing import Final

from tests.benchmarks import cloud, idle
from tests.benchmarks.actors.bench import BENCHES as ACTORS
from tests.benchmarks.bench import Bench
from tests.benchmarks.capacity.bench import BENCHES as CAPACITY
from tests.benchmarks.latency.bench import BENCHES as LATENCY
from tests.benchmarks.media.bench import BENCHES as MEDIA
from tests.benchmarks.pacing.bench import BENCHES as PACING
from tests.benchmarks.receive.bench import BENCHES as RECEIVE

BENCHES: Final[tuple[Bench, ...]] = (
    *ACTORS,
    *RECEIVE,
    *PACING,
    *MEDIA,
    *CAPACITY,
    *LATENCY,
    cloud.BENCH,
    idle.BENCH,
)
