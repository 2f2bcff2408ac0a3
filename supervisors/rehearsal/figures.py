"""What it costs and how quick it is, from the receipts of a rehearsal and the books of the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from messages.evidence import Interrupted, Playback, Response, Transcription
from supervisors.rehearsal.moments import Moments, receipts

STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measurement: its name, its values in `unit`, and what its median must not exceed."""

    name: str
    values: tuple[float, ...]
    unit: str
    limit: float | None = None

    @property
    def held(self) -> bool:
        """Whether the median is within the limit, where there is one."""
        return self.limit is None or not self.values or median(self.values) <= self.limit


def figures(moments: Moments, *, idle_cpu_percent: float | None = None) -> tuple[Figure, ...]:
    """The figures of one rehearsal, the memory of this process, and idle CPU where it was measured."""
    answered, cuts, silences, transcripts = _latencies(moments)
    idle = () if idle_cpu_percent is None else (idle_cpu_percent,)
    return (
        Figure(name="end of speech to his first audible frame", values=answered, unit="ms", limit=1600),
        Figure(name="end of the word to the decision to stop", values=cuts, unit="ms", limit=1000),
        Figure(name="decision to stop to silence", values=silences, unit="ms", limit=40),
        Figure(name="transcript after the last voice", values=transcripts, unit="ms"),
        Figure(
            name="RSS of this process at its peak, all models loaded",
            values=tuple(_peak_megabytes()),
            unit="MB",
            limit=900,
        ),
        Figure(name="CPU of an idle house", values=idle, unit="% of a core", limit=3),
    )


Milliseconds = tuple[float, ...]


def _latencies(moments: Moments) -> tuple[Milliseconds, Milliseconds, Milliseconds, Milliseconds]:
    answered: list[int | None] = []
    cuts: list[int | None] = []
    silences: list[int | None] = []
    transcripts: list[int | None] = []
    for _, receipt in receipts(moments):
        match receipt:
            case Response(speech_end_to_first_audio_ms=latency):
                answered.append(latency)
            case Interrupted(word_end_to_cut_ms=latency):
                cuts.append(latency)
            case Playback(decision_to_silence_ms=latency):
                silences.append(latency)
            case Transcription(outcome="words", latency_ms=latency):
                transcripts.append(latency)
            case _:
                pass
    return _known(answered), _known(cuts), _known(silences), _known(transcripts)


def _known(latencies: Sequence[int | None]) -> Milliseconds:
    return tuple(float(latency) for latency in latencies if latency is not None)


def _peak_megabytes() -> Iterator[float]:
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                yield int(line.split()[1]) / 1024
