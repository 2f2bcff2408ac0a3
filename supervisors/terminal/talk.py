"""What was said and what he made of it, line by line, the latest last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from actors.chronicle.why import JudgedLine, Turn
from actors.console.wire_views import WordsView
from supervisors.terminal.ink import Dated, Piece, Tone, clock, plain, short

_OUTCOMES = {
    "spoke": Tone.GOOD,
    "tool": Tone.GOOD,
    "silent": Tone.DIM,
    "cut": Tone.WARN,
    "failed": Tone.BAD,
}


def told(lines: Iterable[JudgedLine], turns: Iterable[Turn], words: Iterable[WordsView]) -> tuple[Dated, ...]:
    """All of it in the order in which it happened."""
    rows = [
        *map(spoken, words),
        *(Dated(at=each.at, row=tuple(_line(each))) for each in lines),
        *(Dated(at=each.at, row=tuple(_turn(each))) for each in turns),
    ]
    return tuple(sorted(rows, key=lambda each: each.at))


def spoken(words: WordsView) -> Dated:
    """What somebody said or wrote, or what the room heard of him."""
    return Dated(at=words.at, row=tuple(_words(words)))


def _words(words: WordsView) -> Iterator[Piece]:
    yield f"{clock(words.at)} ", Tone.DIM
    yield f"{plain(words.label) or 'Clankie'}: ", Tone.HIS if words.his else Tone.STRONG
    yield words.text, Tone.HIS if words.his else Tone.PLAIN
    if words.typed:
        yield " (typed)", Tone.DIM
    if not words.whole:
        yield " (cut off)", Tone.WARN


def _line(line: JudgedLine) -> Iterator[Piece]:
    yield f"{clock(line.at)} ", Tone.DIM
    yield f"{short(line.person_id)} {line.heard_as} → ", Tone.PLAIN
    yield line.decision, Tone.STRONG
    yield f" by {line.rule}", Tone.DIM


def _turn(turn: Turn) -> Iterator[Piece]:
    yield f"{clock(turn.at)} ", Tone.DIM
    yield "turn ", Tone.PLAIN
    yield f"{turn.trigger or 'unknown'} → ", Tone.PLAIN
    yield turn.outcome or "under way", _OUTCOMES.get(turn.outcome, Tone.STRONG)
    if turn.reason:
        yield f" ({turn.reason})", Tone.DIM
    if turn.tools:
        yield f" with {', '.join(turn.tools)}", Tone.DIM
    for name, ms in (
        ("text", turn.first_text_ms),
        ("first sound", turn.first_audio_ms),
        ("after speech", turn.speech_end_to_first_audio_ms),
        ("silence", turn.cut_to_silence_ms),
    ):
        if ms is not None:
            yield f" · {name} {ms} ms", Tone.DIM
