"""What has to have happened between people and him: an answer, a voice over his, and a stop."""

from __future__ import annotations

from collections.abc import Sequence

from actors.chronicle.proof_types import Fact, Point
from messages.evidence import (
    FloorDecision,
    Interrupted,
    ModelResponse,
    Overlap,
    Playback,
    Response,
    Utterance,
)
from messages.ids import UtteranceId


def answered(own: Sequence[Fact]) -> Point:
    """Somebody's utterance led to a decision, that to a turn, and the turn to something that was heard."""
    receipts = [fact.receipt for fact in own]
    spoken = {str(one.segment_id): one.person_id for one in receipts if isinstance(one, Utterance)}
    completed = {
        one.turn_id for one in receipts if isinstance(one, ModelResponse) and one.phase == "completed"
    }
    heard = {one.turn_id: one for one in receipts if isinstance(one, Response)}
    judged = [one for one in receipts if isinstance(one, FloorDecision) and one.line_id in spoken]
    whole = [one for one in judged if one.turn_id in completed and one.turn_id in heard]
    said = f"{len(spoken)} utterances, {len(judged)} of them judged, {len(whole)} answered aloud"
    if whole:
        first = whole[0]
        said += f"; the first is {first.line_id} of {first.person_id}, turn {first.turn_id}"
    return Point(
        name="an utterance was answered",
        held=bool(whole),
        evidence=said,
        remedy="consent, say his name and ask him something, and let him answer",
    )


def overlaps(own: Sequence[Fact]) -> Point:
    """Somebody talked over him: he went down and came up again, or was cut."""
    ducked: set[tuple[str, str]] = set()
    low: dict[str, list[str]] = {}
    handled: dict[tuple[str, str], str] = {}
    for fact in own:
        match fact.receipt:
            case Overlap(phase="ducked", utterance_id=utterance, segment_id=segment):
                ducked.add((utterance, segment))
                low.setdefault(utterance, []).append(segment)
            case Overlap(phase="resumed", utterance_id=utterance, segment_id=segment):
                if (utterance, segment) in ducked:
                    handled[utterance, segment] = f"{utterance} ducked and resumed"
            case Playback(phase="cut", utterance_id=utterance):
                for one in low.pop(utterance, ()):
                    handled.setdefault((utterance, one), f"{utterance} ducked and cut")
            case _:
                pass
    first = list(handled.values())[:1]
    return Point(
        name="an overlap was handled",
        held=bool(handled),
        evidence=f"{len(ducked)} overlaps, {len(handled)} handled" + "".join(f"; {one}" for one in first),
        remedy="talk while he talks: laugh, say yes, or stop him",
    )


def interruptions(own: Sequence[Fact]) -> Point:
    """Words cut him off, and it is known how soon he was silent."""
    cut: dict[UtteranceId, int] = {}
    silenced: list[tuple[UtteranceId, int]] = []
    for fact in own:
        match fact.receipt:
            case Interrupted(utterance_id=utterance, word_end_to_cut_ms=after):
                cut[utterance] = after
            case Playback(phase="cut", utterance_id=utterance, decision_to_silence_ms=silence):
                if silence is not None and utterance in cut:
                    silenced.append((utterance, silence))
            case _:
                pass
    said = f"{len(cut)} interruptions, {len(silenced)} cut in a known time"
    if silenced:
        first, silence = silenced[0]
        said += f"; {first}: {cut[first]} ms to the decision, {silence} ms more to silence"
    return Point(
        name="an interruption was handled",
        held=bool(silenced),
        evidence=said,
        remedy="while he says something long, say: stop",
    )
