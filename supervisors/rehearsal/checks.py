"""What a reader of a scenario would stumble over, said before anybody comes on stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from actors.audio.pcm import UnreadableSound, wav_seconds
from messages.stay import LeftReason
from supervisors.rehearsal.kinds import KINDS, fields_of, snake
from supervisors.rehearsal.scenario import (
    Cue,
    Expectation,
    ReplyEntry,
    Scenario,
    Step,
    Verb,
    id_of,
)

_PLAIN_NAME = "leave out slashes, line breaks and spaces at its ends"
_OF_A_PERSON = frozenset({Verb.JOIN, Verb.LEAVE, Verb.SAY, Verb.TYPE, Verb.OPT_IN, Verb.OPT_OUT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with a key of a table, and what to write instead."""

    table: str
    index: int
    key: str | None
    problem: str


def first_fault(scenario: Scenario) -> Fault | None:
    """The first thing in the file's order of tables that cannot be played or judged."""
    return next((fault for faults in _faults(scenario) for fault in faults), None)


def _faults(scenario: Scenario) -> Iterator[Iterator[Fault]]:
    yield _in_people(scenario)
    names = [entry.name for entry in scenario.people]
    for index, step in enumerate(scenario.steps):
        yield (Fault(table="do", index=index, key=k, problem=p) for k, p in _in_step(scenario, step, names))
    for index, reply in enumerate(scenario.replies):
        yield (Fault(table="brain.reply", index=index, key=k, problem=p) for k, p in _in_reply(reply))
    for index, expectation in enumerate(scenario.expectations):
        yield (
            Fault(table="expect", index=index, key=k, problem=p) for k, p in _in_expect(expectation, names)
        )


Found = Iterator[tuple[str | None, str]]


def _in_people(scenario: Scenario) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, entry in enumerate(scenario.people):
        for key, value in (("name", entry.name), ("id", id_of(entry))):
            if not value.strip() or f"{key} {value}" in seen:
                problem = f"{key} = {value!r}: every person needs a {key} of his own; choose another"
                yield Fault(table="person", index=index, key=key, problem=problem)
            elif "/" in value or not value.isprintable() or value != value.strip():
                problem = (
                    f"{key} = {value!r}: the path of an ear and one line of text must hold it; {_PLAIN_NAME}"
                )
                yield Fault(table="person", index=index, key=key, problem=problem)
            seen.add(f"{key} {value}")


def _in_step(scenario: Scenario, step: Step, names: Sequence[str]) -> Found:
    if (step.at is None) == (step.after is None):
        yield "at", "a [[do]] needs either `at` (seconds) or `after` (a receipt); write one of them"
    if len(step.verbs) != 1:
        written = " and ".join(step.verbs) or "nothing"
        yield (
            written,
            f"a [[do]] does exactly one thing, here it does {written}; write one of {', '.join(Verb)}",
        )
        return
    if step.verb in _OF_A_PERSON:
        yield from _somebody(step.verb, step.who, names)
    yield from _in_sound(scenario, step)
    if step.after is not None:
        yield from _in_cue("after", step.after)


def _in_sound(scenario: Scenario, step: Step) -> Found:
    if step.verb is Verb.SAY and (step.wav is None) == (step.text is None):
        yield "say", "`say` needs either `wav` (a recording) or `text` (words); write one of them"
    elif step.verb is Verb.TYPE and not step.text:
        yield "type", "`type` needs `text`; write what is typed"
    elif step.verb is not Verb.SAY and step.wav is not None:
        yield "wav", f"wav = {step.wav!r}: only `say` has a recording; remove it"
    elif step.verb not in {Verb.SAY, Verb.TYPE} and step.text is not None:
        yield "text", f"text = {step.text!r}: only `say` and `type` have words; remove it"
    elif step.wav is not None:
        yield from _in_recording(scenario, step.wav)


def _in_recording(scenario: Scenario, wav: str) -> Found:
    try:
        lasts = wav_seconds(scenario.path.parent / wav)
    except UnreadableSound as error:
        where = "; paths are relative to the scenario" if "no such file" in error.why else ""
        yield "wav", f"wav = {wav!r}: {error.why}{where}"
        return
    if lasts > scenario.limit:
        yield "wav", f"wav = {wav!r}: lasts {lasts:.0f} s, beyond `limit` ({scenario.limit:g} s); shorten it"


def _in_reply(reply: ReplyEntry) -> Found:
    if (reply.when is None) == (reply.heard is None):
        yield "when", "a [[brain.reply]] needs either `when` or `heard`; write one of them"
    if reply.text is None and reply.tool is None:
        yield None, "a [[brain.reply]] needs `text`, `tool` or both; leave the whole reply out for silence"
    if (reply.tool == "ask_clankie") != (reply.request is not None):
        yield "request", '`request` belongs to tool = "ask_clankie" and only to it; mend one of them'


def _in_expect(expectation: Expectation, names: Sequence[str]) -> Found:
    known = "receipt, heard, spoken, never_decoded, within or exit"
    if len(expectation.subjects) != 1:
        yield None, f"an [[expect]] is about exactly one of {known}; write one of them"
        return
    (subject,) = expectation.subjects
    allowed = {subject, *_COMPANY[subject]}
    for key in Expectation.model_fields:
        if key in expectation.model_fields_set - allowed and getattr(expectation, key) not in ({}, None):
            written = Expectation.model_fields[key].alias or key
            yield written, f"`{written}` does not go with `{subject}`; remove it"
    match subject:
        case "receipt":
            yield from _in_cue("receipt", Cue(receipt=str(expectation.receipt), where=expectation.where))
            if expectation.count is not None and (expectation.min, expectation.max) != (None, None):
                yield "count", "`count` is exact and goes without `min` and `max`; remove one"
        case "within":
            yield from _in_within(expectation)
        case "exit":
            yield from _in_exit(expectation.reason)
        case _:
            for key in ("never_decoded", "by"):
                if (name := getattr(expectation, key)) is not None:
                    yield from _somebody(key, name, names)


_COMPANY = {
    "receipt": ("where", "count", "min", "max"),
    "heard": ("by", "count"),
    "spoken": ("count",),
    "never_decoded": (),
    "within": ("start", "end"),
    "exit": ("reason",),
}


def _in_within(expectation: Expectation) -> Found:
    for key, cue in (("from", expectation.start), ("to", expectation.end)):
        if cue is None:
            yield "within", "`within` needs `from` and `to`, a receipt each; write both"
        else:
            yield from _in_cue(key, cue)


def _in_exit(reason: str | None) -> Found:
    if reason is not None and reason not in {str(known) for known in LeftReason}:
        yield "reason", f"reason = {reason!r}: nobody leaves for that; write one of {', '.join(LeftReason)}"


def _in_cue(key: str, cue: Cue) -> Found:
    if cue.receipt not in KINDS:
        yield key, f"receipt = {cue.receipt!r}: there is no such kind{instead(cue.receipt, KINDS)}"
        return
    for field in cue.where:
        if snake(field) not in fields_of(cue.receipt):
            known = fields_of(cue.receipt)
            yield key, f"{field}: a {cue.receipt} receipt has no such field{instead(field, known)}"


def _somebody(key: str, name: str, names: Sequence[str]) -> Found:
    if name not in names:
        yield key, f"{key} = {name!r}: nobody is called so{instead(name, names)}"


def instead(wrong: str, known: Iterable[str]) -> str:
    """What to write instead of something that is unknown: the closest that is known, or all that is."""
    names = list(known)
    close = get_close_matches(wrong, names, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(names) or 'nobody'}"
