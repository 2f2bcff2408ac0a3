"""Each receipt as numbers; whatever could name somebody stays behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, assert_never

from actors.chronicle.kinds import kind_of
from actors.meter.decisions import Count, Measure
from actors.meter.metrics import Counter, Histogram
from messages.evidence import (
    BridgeDegraded,
    BridgeReady,
    BridgeStopped,
    CaptainTool,
    CaptainUsage,
    Consent,
    Degraded,
    Failed,
    Floor,
    FloorDecision,
    Handoff,
    Interrupted,
    Joined,
    Left,
    Membership,
    ModelResponse,
    Overlap,
    Playback,
    RealtimeTool,
    Receipt,
    Response,
    TextIngress,
    TextInput,
    TextReply,
    Transcription,
    Usage,
    Utterance,
    Volition,
)

Number: TypeAlias = Count | Measure
CAPTAIN: Final = "captain"
TOOLS: Final = frozenset(("ask_clankie", "take_back", "voice_leave"))
"""What the model was given; another name is one that it made up, and would be a series for ever."""


def numbers(receipt: Receipt) -> Iterator[Number]:
    """What this receipt adds to which number."""
    yield Count(counter=Counter.RECEIPTS, labels=(kind_of(type(receipt)),))
    match receipt:
        case Joined() | Left() | Consent() | Degraded() | Failed() | Handoff():
            yield from _of_stay(receipt)
        case Utterance() | Transcription() | FloorDecision() | Overlap() | Interrupted():
            yield from _of_hearing(receipt)
        case ModelResponse() | Response() | Playback() | RealtimeTool() | CaptainTool():
            yield from _of_answering(receipt)
        case Usage() | CaptainUsage():
            yield from _of_usage(receipt)
        case (
            Floor()
            | Membership()
            | TextInput()
            | Volition()
            | BridgeDegraded()
            | BridgeReady()
            | BridgeStopped()
            | TextIngress()
            | TextReply()
        ):
            pass
        case _:
            assert_never(receipt)


def _of_stay(receipt: Joined | Left | Consent | Degraded | Failed | Handoff) -> Iterator[Number]:
    match receipt:
        case Joined():
            yield Count(counter=Counter.JOINED)
        case Left():
            yield Count(counter=Counter.LEFT, labels=(receipt.reason,))
        case Consent():
            for fate, packets in (("decoded", receipt.decoded), ("unread", receipt.unread)):
                if packets:
                    yield Count(counter=Counter.PACKETS, labels=(fate,), amount=packets)
        case Degraded():
            yield Count(counter=Counter.DEGRADED, labels=(receipt.phase,))
        case Failed():
            yield Count(counter=Counter.FAILURES, labels=(receipt.stage,))
        case Handoff():
            yield Count(counter=Counter.HANDOFFS, labels=(receipt.phase,))
            if receipt.phase == "returned":
                yield from _timed(Histogram.HANDOFF, receipt.latency_ms)
        case _:
            assert_never(receipt)


def _of_hearing(
    receipt: Utterance | Transcription | FloorDecision | Overlap | Interrupted,
) -> Iterator[Number]:
    match receipt:
        case Utterance():
            yield Count(counter=Counter.UTTERANCES)
        case Transcription():
            yield Count(counter=Counter.TRANSCRIPTIONS, labels=(receipt.outcome,))
            if receipt.outcome == "words":
                yield from _timed(Histogram.TRANSCRIPT, receipt.latency_ms)
        case FloorDecision():
            yield Count(counter=Counter.LINES, labels=(receipt.heard_as, receipt.decision))
        case Overlap():
            yield Count(counter=Counter.OVERLAPS, labels=(receipt.phase,))
        case Interrupted():
            yield Count(counter=Counter.INTERRUPTIONS, labels=(receipt.rule,))
        case _:
            assert_never(receipt)


def _of_answering(
    receipt: ModelResponse | Response | Playback | RealtimeTool | CaptainTool,
) -> Iterator[Number]:
    match receipt:
        case ModelResponse():
            if receipt.phase != "requested":
                outcome = receipt.outcome or receipt.phase
                yield Count(counter=Counter.TURNS, labels=(receipt.trigger, outcome))
                yield from _timed(Histogram.FIRST_TEXT, receipt.first_text_ms)
        case Response():
            yield from _timed(Histogram.FIRST_AUDIO, receipt.decision_to_first_audio_ms)
            yield from _timed(Histogram.ANSWER, receipt.speech_end_to_first_audio_ms)
        case Playback():
            yield from _timed(Histogram.SILENCE, receipt.decision_to_silence_ms)
        case RealtimeTool():
            if receipt.phase == "answered":
                name = receipt.name if receipt.name in TOOLS else "unknown"
                yield Count(counter=Counter.TOOLS, labels=(name, receipt.outcome or ""))
        case CaptainTool():
            yield Count(counter=Counter.TOOLS, labels=(receipt.name, receipt.outcome))
        case _:
            assert_never(receipt)


def _of_usage(receipt: Usage | CaptainUsage) -> Iterator[Number]:
    service = receipt.service if isinstance(receipt, Usage) else CAPTAIN
    fresh = receipt.input_tokens - receipt.cached_tokens
    tokens = (("input", fresh), ("cached", receipt.cached_tokens), ("output", receipt.output_tokens))
    for direction, many in tokens:
        if many > 0:
            yield Count(counter=Counter.TOKENS, labels=(service, receipt.model, direction), amount=many)
    if isinstance(receipt, Usage) and receipt.audio_ms:
        yield Count(counter=Counter.AUDIO, labels=(receipt.model,), amount=receipt.audio_ms / 1000)
    if isinstance(receipt, Usage) and receipt.characters:
        yield Count(counter=Counter.CHARACTERS, labels=(receipt.model,), amount=receipt.characters)


def _timed(histogram: Histogram, milliseconds: int | None) -> Iterator[Number]:
    if milliseconds is not None:
        yield Measure(histogram=histogram, seconds=milliseconds / 1000)
