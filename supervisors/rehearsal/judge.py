"""The judge has not seen the play: he has receipts, the words that were heard, and a recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from actors.realtime.matching import contains_words
from messages.evidence import Consent, Left
from supervisors.rehearsal.kinds import fits
from supervisors.rehearsal.moments import Moments, Writing, heard, receipts
from supervisors.rehearsal.scenario import Cue, Expectation, Scenario

WRONG_ALLOWED = 0.2
"""One word in five may be misheard."""
VARIANT = "\ufe0f"
"""Asks for a coloured emoji, and makes it no other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether one expectation held, and a sentence that says what was expected and what came."""

    held: bool
    sentence: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What can be judged: everything recorded, and the transcript of his voice, stretch by stretch."""

    moments: Moments
    transcript: tuple[str, ...]
    writings: tuple[Writing, ...] = ()
    emojis: tuple[str, ...] = ()
    """Those that stood under messages in the end."""
    over_discord: bool = False


def judge(scenario: Scenario, proof: Proof) -> Iterator[Verdict]:
    """One verdict for each expectation that counts where it was played, in the scenario's order."""
    for index, expectation in enumerate(scenario.expectations):
        if expectation.discord not in {None, proof.over_discord}:
            continue
        held, sentence = _verdict(scenario, expectation, proof)
        yield Verdict(held=held, sentence=sentence, line=scenario.lines.at("expect", index))


def needs_transcript(scenario: Scenario) -> bool:
    """Whether anything is expected that only his recorded voice can show."""
    return any(expectation.spoken is not None for expectation in scenario.expectations)


def _verdict(scenario: Scenario, expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    match expectation.subjects[0]:
        case "receipt":
            return _receipt(expectation, proof)
        case "heard":
            return _heard(scenario, expectation, proof)
        case "spoken":
            return _spoken(expectation, proof)
        case "wrote":
            return _wrote(expectation, proof)
        case "file":
            return _file(expectation, proof)
        case "reacted":
            return _reacted(expectation, proof)
        case "never_decoded":
            return _never_decoded(scenario, str(expectation.never_decoded), proof)
        case "within":
            return _within(expectation, proof)
        case _:
            return _exit(expectation, proof)


def _receipt(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    cue = Cue(receipt=str(expectation.receipt), where=expectation.where)
    count = sum(1 for _ in _matching(proof, cue))
    return _counted(count, expectation, str(cue))


def _heard(scenario: Scenario, expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    words = str(expectation.heard)
    by = scenario.person(expectation.by).id if expectation.by else None
    lines = [line for _, line in heard(proof.moments) if by in {None, line.person_id}]
    count = sum(contains_words(line.text, words, WRONG_ALLOWED) for line in lines)
    held, sentence = _counted(count, expectation, f"heard “{words}”{f' by {expectation.by}' if by else ''}")
    return held, sentence if held else f"{sentence}; heard were: {_quoted([line.text for line in lines])}"


def _spoken(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    words = str(expectation.spoken)
    count = occurrences(" ".join(proof.transcript), words)
    held, sentence = _counted(count, expectation, f"he is heard to say “{words}”")
    return held, sentence if held else f"{sentence}; his recorded voice says: {_quoted(proof.transcript)}"


def _wrote(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    words, his = str(expectation.wrote), _his(expectation, proof)
    count = sum(contains_words(one.text, words, 0.0) for one in his)
    held, sentence = _counted(count, expectation, f"he writes “{words}”{_where(expectation)}")
    return held, sentence if held else f"{sentence}; he wrote: {_quoted([one.text for one in his])}"


def _file(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    files = [name for one in _his(expectation, proof) for name in one.files]
    count = files.count(str(expectation.file))
    held, sentence = _counted(count, expectation, f"he sends {expectation.file}{_where(expectation)}")
    return held, sentence if held else f"{sentence}; he sent: {', '.join(files) or 'nothing'}"


def _reacted(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    emoji = str(expectation.reacted)
    count = [one.rstrip(VARIANT) for one in proof.emojis].count(emoji.rstrip(VARIANT))
    held, sentence = _counted(count, expectation, f"he reacts with {emoji}")
    return held, sentence if held else f"{sentence}; he reacted with: {' '.join(proof.emojis) or 'nothing'}"


def _his(expectation: Expectation, proof: Proof) -> list[Writing]:
    return [one for one in proof.writings if not one.who and expectation.place in {None, one.place}]


def _where(expectation: Expectation) -> str:
    places = {
        None: "",
        "room": " in the room's chat",
        "lobby": " in the lobby",
        "operator": " to the operator",
    }
    return places[expectation.place]


def occurrences(text: str, words: str) -> int:
    """How often the words stand in the text one after the other, with at most one word in five wrong."""
    rest, count = text.split(), 0
    while (end := _first_end(rest, words)) is not None:
        rest, count = rest[end:], count + 1
    return count


def _first_end(text: Sequence[str], words: str) -> int | None:
    """The length of the shortest beginning of the text that contains the words."""
    if not contains_words(" ".join(text), words, WRONG_ALLOWED):
        return None
    short, enough = 0, len(text)
    while enough - short > 1:
        middle = (short + enough) // 2
        if contains_words(" ".join(text[:middle]), words, WRONG_ALLOWED):
            enough = middle
        else:
            short = middle
    return enough


def _never_decoded(scenario: Scenario, name: str, proof: Proof) -> tuple[bool, str]:
    person = scenario.person(name).id
    counts = [
        receipt
        for _, receipt in receipts(proof.moments)
        if isinstance(receipt, Consent) and receipt.person_id == person and receipt.phase == "counted"
    ]
    if not counts:
        return False, f"not a packet of {name} was decoded; there is no count of {name}'s packets"
    decoded = sum(receipt.decoded or 0 for receipt in counts)
    unread = sum(receipt.unread or 0 for receipt in counts)
    held = decoded == 0 and unread > 0
    return held, f"not a packet of {name} was decoded; {decoded} were decoded and {unread} dropped unread"


def _within(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    start, end = expectation.start or Cue(receipt=""), expectation.end or Cue(receipt="")
    what = f"{end} at most {expectation.within:g} s after {start}"
    begin = _nth(_matching(proof, start), start.nth or 1)
    if begin is None:
        return False, f"{what}; there was no {start}"
    later = (at for at in _matching(proof, end) if end.nth is not None or at >= begin)
    finish = _nth(later, end.nth or 1)
    if finish is None:
        return False, f"{what}; there was no {end} after it"
    took = finish - begin
    return 0 <= took <= (expectation.within or 0), f"{what}; it took {took:.2f} s"


def _exit(expectation: Expectation, proof: Proof) -> tuple[bool, str]:
    left = [receipt for _, receipt in receipts(proof.moments) if isinstance(receipt, Left)]
    what = f"he has left{f' ({expectation.reason})' if expectation.reason else ''}"
    if len(left) != 1:
        return False, f"{what}; he left {len(left)} times"
    return expectation.reason in {None, left[0].reason}, f"{what}; the reason was {left[0].reason}"


def _matching(proof: Proof, cue: Cue) -> Iterator[float]:
    for at, receipt in receipts(proof.moments):
        if fits(receipt, cue.receipt, cue.where):
            yield at


def _nth(moments: Iterator[float], nth: int) -> float | None:
    return next((at for number, at in enumerate(moments, 1) if number == nth), None)


def _counted(count: int, expectation: Expectation, what: str) -> tuple[bool, str]:
    if expectation.count is not None:
        return count == expectation.count, f"{what}: {_times(expectation.count)}; it was {_times(count)}"
    if count and (expectation.min, expectation.max) == (None, None):
        return True, f"{what}; {_times(count)}"
    least = expectation.min if expectation.min is not None else 0 if expectation.max is not None else 1
    most = expectation.max
    wanted = f"at least {_times(least)}" if most is None else f"{least} to {_times(most)}"
    return least <= count and (most is None or count <= most), f"{what}: {wanted}; it was {_times(count)}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _quoted(texts: Sequence[str]) -> str:
    return " / ".join(f"“{text}”" for text in texts) or "nothing"
