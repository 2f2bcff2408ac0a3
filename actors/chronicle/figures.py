"""How quick he was and how often what happened: the numbers of one stay, from nothing but its receipts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil

from actors.costs import Bill, with_usage
from messages.evidence import (
    CaptainTool,
    CaptainUsage,
    Consent,
    Degraded,
    Failed,
    FloorDecision,
    Handoff,
    Interrupted,
    ModelResponse,
    Overlap,
    Playback,
    RealtimeTool,
    Receipt,
    Response,
    TextInput,
    Transcription,
    Usage,
    Utterance,
)
from messages.ids import SegmentId, UtteranceId

Counts = Mapping[str, int]
Cross = Mapping[str, Counts]
"""How often each came together with each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """All measurements of one latency in milliseconds, the shortest first."""

    values: tuple[int, ...] = ()

    def quantile(self, part: float) -> int | None:
        """The least value that this part of all does not exceed; None of nothing."""
        return self.values[max(0, ceil(part * len(self.values)) - 1)] if self.values else None

    @property
    def median(self) -> int | None:
        """Half of them took no longer."""
        return self.quantile(0.5)

    @property
    def p95(self) -> int | None:
        """Of twenty, nineteen took no longer."""
        return self.quantile(0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The numbers of one stay; what never happened is missing from a count, or 0."""

    first_audio: Distribution
    """From his decision to the first audible frame."""
    speech_end_to_first_audio: Distribution
    """From the end of somebody's speech to his first audible frame."""
    first_text: Distribution
    """From asking the model to its first text."""
    transcript: Distribution
    """From the last voice of a segment to its words."""
    word_end_to_cut: Distribution
    """From the last voice of who cut him off to the decision to stop."""
    cut_to_silence: Distribution
    """From the decision to stop to silence."""
    handoff: Distribution
    """From handing something to the captain to his answer."""
    utterances: int
    voiced_ms: int
    transcriptions: Counts
    """words | empty | dropped | failed"""
    typed: int
    lines: Cross
    """Of each class of line, what was decided."""
    turns: Cross
    """Of each trigger, what came of the model."""
    ducks: int
    """How often he got quieter because somebody talked over him."""
    false_overlaps: int
    """Of those voices, the ones that cut nothing: he was as loud again, and went on."""
    cuts: Counts
    """By the rule that cut."""
    spoken: int
    """How many of his utterances could be heard."""
    links_lost: int
    hindered: int
    failures: Cross
    """Of each stage, the reasons."""
    tools: Cross
    """Of each tool of his, what came of it."""
    captain_tools: Cross
    """The same of the captain's."""
    handoffs: Counts
    """By phase."""
    packets_read: int
    """Of people who consented."""
    packets_unread: int
    """Dropped without being decrypted, for want of consent."""
    bill: Bill

    @property
    def empty_ratio(self) -> float | None:
        """The part of all transcriptions in which there was nothing; None if there were none."""
        every = sum(self.transcriptions.values())
        return self.transcriptions.get("empty", 0) / every if every else None


def figures(receipts: Iterable[Receipt]) -> Figures:
    """The figures of these receipts of one stay, in the order in which they came."""
    sums = _Sums()
    for receipt in receipts:
        _count(sums, receipt)
    return Figures(
        **{name: Distribution(values=tuple(sorted(sums.took[name]))) for name in _LATENCIES},
        utterances=sums.many["utterances"],
        voiced_ms=sums.many["voiced_ms"],
        transcriptions=_named(sums, "transcriptions"),
        typed=sums.many["typed"],
        lines=_crossed(sums, "lines"),
        turns=_crossed(sums, "turns"),
        ducks=sums.many["ducks"],
        false_overlaps=len(sums.risen),
        cuts=_named(sums, "cuts"),
        spoken=sums.many["spoken"],
        links_lost=sums.many["lost"],
        hindered=sums.many["hindered"],
        failures=_crossed(sums, "failures"),
        tools=_crossed(sums, "tools"),
        captain_tools=_crossed(sums, "captain_tools"),
        handoffs=_named(sums, "handoffs"),
        packets_read=sums.many["read"],
        packets_unread=sums.many["unread"],
        bill=sums.bill,
    )


_LATENCIES = (
    "first_audio",
    "speech_end_to_first_audio",
    "first_text",
    "transcript",
    "word_end_to_cut",
    "cut_to_silence",
    "handoff",
)
_OverHim = tuple[UtteranceId, SegmentId]


@dataclass(slots=True, kw_only=True)
class _Sums:
    """What has been added up so far; it never leaves this file."""

    many: Counter[str] = field(default_factory=Counter[str])
    named: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    crossed: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    took: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    ducked: set[_OverHim] = field(default_factory=set[_OverHim])
    risen: set[_OverHim] = field(default_factory=set[_OverHim])
    bill: Bill = ()


def _count(sums: _Sums, receipt: Receipt) -> None:
    match receipt:
        case Utterance(voiced_ms=voiced):
            sums.many.update(utterances=1, voiced_ms=voiced)
        case Transcription():
            sums.named["transcriptions"][receipt.outcome] += 1
            _took(sums, "transcript", receipt.latency_ms if receipt.outcome == "words" else None)
        case TextInput():
            sums.many["typed"] += 1
        case FloorDecision():
            sums.crossed["lines"][receipt.heard_as][receipt.decision] += 1
        case ModelResponse():
            _took(sums, "first_text", receipt.first_text_ms)
            if receipt.phase != "requested":
                sums.crossed["turns"][receipt.trigger][receipt.outcome or receipt.phase] += 1
        case Overlap() | Interrupted() | Playback() | Response():
            _count_speech(sums, receipt)
        case Failed():
            sums.crossed["failures"][receipt.stage][receipt.reason] += 1
        case Degraded(phase="lost" | "hindered" as phase):
            sums.many[phase] += 1
        case Consent(phase="counted"):
            sums.many.update(read=receipt.decoded or 0, unread=receipt.unread or 0)
        case RealtimeTool() | CaptainTool() | Handoff() | Usage() | CaptainUsage():
            _count_work(sums, receipt)
        case _:
            pass


def _count_speech(sums: _Sums, receipt: Overlap | Interrupted | Playback | Response) -> None:
    match receipt:
        case Overlap(phase="ducked"):
            sums.many["ducks"] += 1
            sums.ducked.add((receipt.utterance_id, receipt.segment_id))
        case Overlap():
            sums.risen |= sums.ducked & {(receipt.utterance_id, receipt.segment_id)}
        case Interrupted():
            sums.named["cuts"][receipt.rule] += 1
            sums.risen.discard((receipt.utterance_id, receipt.segment_id))
            _took(sums, "word_end_to_cut", receipt.word_end_to_cut_ms)
        case Playback():
            sums.many["spoken"] += receipt.phase == "started"
            _took(sums, "cut_to_silence", receipt.decision_to_silence_ms)
        case Response():
            _took(sums, "first_audio", receipt.decision_to_first_audio_ms)
            _took(sums, "speech_end_to_first_audio", receipt.speech_end_to_first_audio_ms)


def _count_work(sums: _Sums, receipt: RealtimeTool | CaptainTool | Handoff | Usage | CaptainUsage) -> None:
    match receipt:
        case RealtimeTool():
            if receipt.phase == "answered":
                sums.crossed["tools"][receipt.name][receipt.outcome or "answered"] += 1
        case CaptainTool():
            sums.crossed["captain_tools"][receipt.name][receipt.outcome] += 1
        case Handoff():
            sums.named["handoffs"][receipt.phase] += 1
            _took(sums, "handoff", receipt.latency_ms)
        case Usage() | CaptainUsage():
            sums.bill = with_usage(sums.bill, receipt)


def _took(sums: _Sums, name: str, milliseconds: int | None) -> None:
    if milliseconds is not None:
        sums.took[name].append(milliseconds)


def _named(sums: _Sums, name: str) -> Counts:
    return dict(sums.named[name].most_common())


def _crossed(sums: _Sums, name: str) -> Cross:
    return {key: dict(counts.most_common()) for key, counts in sums.crossed[name].items()}
