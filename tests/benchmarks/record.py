"""Keeps what was measured: a JSON file that the page is written from, and one that pyperf can compare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import pyperf

from tests.benchmarks.measuring import Measured

RECORD: Final = "performance.json"
FACTS: Final = ("cpu_model_name", "cpu_count", "platform", "python_version", "load_avg_1min", "date")
"""What pyperf knows of a machine and a reader wants to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run of the command: where, how long it took, and what each bench measured."""

    machine: Mapping[str, str]
    seconds: float
    benches: Mapping[str, Measured]

    @property
    def complete(self) -> bool:
        """Whether every run of every bench could be done, each time."""
        return not any(found.cannot or found.failed for found in self.benches.values())

    def write(self, path: Path) -> None:
        """Keep it; numbers to five digits, for the sixth is noise."""
        benches = {name: asdict(measured) for name, measured in self.benches.items()}
        told = {"machine": dict(self.machine), "seconds": round(self.seconds), "benches": benches}
        path.write_text(json.dumps(_rounded(told), indent=1) + "\n", "utf-8")

    @classmethod
    def read(cls, path: Path) -> Record:
        """What `write` kept."""
        told = json.loads(path.read_text("utf-8"))
        benches = {name: Measured(**measured) for name, measured in told["benches"].items()}
        return cls(machine=told["machine"], seconds=told["seconds"], benches=benches)


def machine() -> Mapping[str, str]:
    """What this machine is, without anything that names it."""
    known = pyperf.Run([1.0]).get_metadata()
    return {name: str(known[name]) for name in FACTS if name in known}


def write_for_pyperf(record: Record, path: Path) -> None:
    """Keep every number but zeros, which pyperf does not take, for `pyperf compare_to`."""
    path.unlink(missing_ok=True)
    suite = list(_benchmarks(record))
    if suite:
        pyperf.BenchmarkSuite(suite).dump(str(path))


def _benchmarks(record: Record) -> Iterator[pyperf.Benchmark]:
    for bench, measured in record.benches.items():
        for run, repetitions in measured.runs.items():
            for key in dict.fromkeys(key for values in repetitions for key in values):
                found = [values[key] for values in repetitions if values.get(key, 0.0) > 0]
                if found:
                    metadata = {"name": f"{bench}/{run}/{key}", "unit": "integer"}
                    yield pyperf.Benchmark([pyperf.Run(found, metadata=metadata, collect_metadata=False)])


def _rounded(told: object) -> object:
    if isinstance(told, float):
        return float(f"{told:.5g}")
    if isinstance(told, dict):
        return {key: _rounded(value) for key, value in told.items()}
    return [_rounded(value) for value in told] if isinstance(told, list) else told
