"""How fast he is, from the last twenty times that each thing took its time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from actors.console.report import Latencies, Latency
from messages.evidence import Playback, Response, StayReceipt, Transcription

KEPT: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Paces:
    """What was measured in one stay, in milliseconds, the latest last."""

    first_audio: tuple[int, ...] = ()
    speech_end_to_first_audio: tuple[int, ...] = ()
    transcript: tuple[int, ...] = ()
    cut_to_silence: tuple[int, ...] = ()

    def latencies(self) -> Latencies:
        """For the report."""
        return Latencies(
            first_audio=_latency(self.first_audio),
            speech_end_to_first_audio=_latency(self.speech_end_to_first_audio),
            transcript=_latency(self.transcript),
            cut_to_silence=_latency(self.cut_to_silence),
        )


def measured(paces: Paces, receipt: StayReceipt) -> Paces:
    """The paces with what this receipt measured."""
    if isinstance(receipt, Response):
        return replace(
            paces,
            first_audio=_with(paces.first_audio, receipt.decision_to_first_audio_ms),
            speech_end_to_first_audio=_with(
                paces.speech_end_to_first_audio, receipt.speech_end_to_first_audio_ms
            ),
        )
    if isinstance(receipt, Transcription) and receipt.outcome == "words":
        return replace(paces, transcript=_with(paces.transcript, receipt.latency_ms))
    if isinstance(receipt, Playback):
        return replace(paces, cut_to_silence=_with(paces.cut_to_silence, receipt.decision_to_silence_ms))
    return paces


def _with(taken: tuple[int, ...], more: int | None) -> tuple[int, ...]:
    return taken if more is None else (*taken, more)[-KEPT:]


def _latency(taken: tuple[int, ...]) -> Latency | None:
    return Latency(last_ms=taken[-1], median_ms=round(median(taken))) if taken else None
