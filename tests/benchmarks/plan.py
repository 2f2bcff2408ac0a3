"""Every bench, in the order of the table."""

from __future__ import annotations

from typing import Final

from tests.benchmarks import cloud, idle
from tests.benchmarks.bench import Bench

BENCHES: Final[tuple[Bench, ...]] = (cloud.BENCH, idle.BENCH)
