"""An expectation that cannot be judged is found out before the play, and not after it."""

from __future__ import annotations

from collections.abc import Sequence

from messages.stay import LeftReason
from supervisors.rehearsal.cues import in_cue
from supervisors.rehearsal.faults import Found, no_words, somebody
from supervisors.rehearsal.scenario import SUBJECTS, Cue, Expectation


def in_expect(expectation: Expectation, names: Sequence[str]) -> Found:
    """What is wrong with an `[[expect]]` of a play with people of these names."""
    known = f"{', '.join(SUBJECTS[:-1])} or {SUBJECTS[-1]}"
    if len(expectation.subjects) != 1:
        yield None, f"an [[expect]] is about exactly one of {known}; write one of them"
        return
    (subject,) = expectation.subjects
    allowed = {subject, "discord", *_COMPANY[subject]}
    for key in Expectation.model_fields:
        if key in expectation.model_fields_set - allowed and getattr(expectation, key) not in ({}, None):
            written = Expectation.model_fields[key].alias or key
            yield written, f"`{written}` does not go with `{subject}`; remove it"
    yield from no_words(heard=expectation.heard, spoken=expectation.spoken, wrote=expectation.wrote)
    yield from no_words(file=expectation.file, reacted=expectation.reacted)
    yield from _in_counts(expectation)
    match subject:
        case "receipt":
            yield from in_cue("receipt", Cue(receipt=str(expectation.receipt), where=expectation.where))
        case "within":
            yield from _in_within(expectation)
        case "exit":
            yield from _in_exit(expectation.reason)
        case _:
            for key in ("never_decoded", "by"):
                if (name := getattr(expectation, key)) is not None:
                    yield from somebody(key, name, names)


def _in_counts(expectation: Expectation) -> Found:
    least, most = expectation.min, expectation.max
    if expectation.count is not None and (least, most) != (None, None):
        yield "count", "`count` is exact and goes without `min` and `max`; remove one"
    if least is not None and most is not None and least > most:
        yield "min", f"min = {least} is more than max = {most}, which nothing can be; mend one"


_COMPANY = {
    "receipt": ("where", "count", "min", "max"),
    "heard": ("by", "count"),
    "spoken": ("count",),
    "wrote": ("place", "count", "min", "max"),
    "file": ("place", "count", "min", "max"),
    "reacted": ("count", "min", "max"),
    "never_decoded": (),
    "within": ("start", "end"),
    "exit": ("reason",),
}


def _in_within(expectation: Expectation) -> Found:
    for key, cue in (("from", expectation.start), ("to", expectation.end)):
        if cue is None:
            yield "within", "`within` needs `from` and `to`, a receipt each; write both"
        else:
            yield from in_cue(key, cue)


def _in_exit(reason: str | None) -> Found:
    if reason is not None and reason not in {str(known) for known in LeftReason}:
        yield "reason", f"reason = {reason!r}: nobody leaves for that; write one of {', '.join(LeftReason)}"
