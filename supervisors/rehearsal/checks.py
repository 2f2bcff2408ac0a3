"""What a reader of a scenario would stumble over, said before anybody comes on stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from actors.audio.pcm import UnreadableSound, wav_seconds
from messages.stay import LeftReason
from supervisors.rehearsal.captaincy import in_captain_reply
from supervisors.rehearsal.faults import Fault, Found, instead, no_words
from supervisors.rehearsal.kinds import KINDS, fields_of, snake
from supervisors.rehearsal.naming import oddity
from supervisors.rehearsal.scenario import (
    Cue,
    Expectation,
    ReplyEntry,
    Scenario,
    Step,
    Verb,
    id_of,
)
from supervisors.rehearsal.values import values_of

_OWN_ROOMS = ("evidence", "console")
"""A rehearsal keeps a record and a console of its own, whatever it is told."""
_OF_A_PERSON = frozenset({Verb.JOIN, Verb.LEAVE, Verb.SAY, Verb.TYPE, Verb.OPT_IN, Verb.OPT_OUT})


def first_fault(scenario: Scenario) -> Fault | None:
    """The first thing in the file's order of tables that cannot be played or judged."""
    return next((fault for faults in _faults(scenario) for fault in faults), None)


def _faults(scenario: Scenario) -> Iterator[Iterator[Fault]]:
    yield _in_people(scenario)
    yield _in_settings(scenario)
    names = [entry.name for entry in scenario.people]
    for index, step in enumerate(scenario.steps):
        yield (Fault(table="do", index=index, key=k, problem=p) for k, p in _in_step(scenario, step, names))
    for index, reply in enumerate(scenario.replies):
        yield (Fault(table="brain.reply", index=index, key=k, problem=p) for k, p in _in_reply(reply))
    for index, doing in enumerate(scenario.captain_replies):
        found = in_captain_reply(doing, scenario.limit)
        yield (Fault(table="captain.reply", index=index, key=k, problem=p) for k, p in found)
    for index, expectation in enumerate(scenario.expectations):
        yield (
            Fault(table="expect", index=index, key=k, problem=p) for k, p in _in_expect(expectation, names)
        )


def _in_people(scenario: Scenario) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, entry in enumerate(scenario.people):
        for key, value in (("name", entry.name), ("id", id_of(entry))):
            if (odd := oddity(value)) is not None:
                yield Fault(table="person", index=index, key=key, problem=f"{key} = {_brief(value)}: {odd}")
            elif f"{key} {value}" in seen:
                problem = f"{key} = {value!r}: every person needs a {key} of his own; choose another"
                yield Fault(table="person", index=index, key=key, problem=problem)
            seen.add(f"{key} {value}")


def _in_settings(scenario: Scenario) -> Iterator[Fault]:
    for room in _OWN_ROOMS:
        if room in scenario.settings:
            problem = f"a rehearsal keeps its own {room}, which cannot be set; remove the table"
            yield Fault(table=f"settings.{room}", index=0, key=None, problem=problem)


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
    if step.crash == "root":
        yield "crash", "crash = 'root': that is the house itself; crash somebody in it"
    yield from _in_sound(scenario, step)
    if step.after is not None:
        yield from _in_cue("after", step.after)


def _in_sound(scenario: Scenario, step: Step) -> Found:
    if step.verb is Verb.SAY and (step.wav is None) == (step.text is None):
        yield "say", "`say` needs either `wav` (a recording) or `text` (words); write one of them"
    elif step.verb is Verb.TYPE and not step.text:
        yield "type", "`type` needs `text`; write what is typed"
    elif step.text is not None and not step.text.strip():
        yield "text", f"text = {step.text!r}: there are no words in it; write some"
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
    yield from no_words(heard=reply.heard, text=reply.text)
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
    yield from no_words(heard=expectation.heard, spoken=expectation.spoken)
    match subject:
        case "receipt":
            yield from _in_cue("receipt", Cue(receipt=str(expectation.receipt), where=expectation.where))
            yield from _in_counts(expectation)
        case "within":
            yield from _in_within(expectation)
        case "exit":
            yield from _in_exit(expectation.reason)
        case _:
            for key in ("never_decoded", "by"):
                if (name := getattr(expectation, key)) is not None:
                    yield from _somebody(key, name, names)


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
    for field, value in cue.where.items():
        known = fields_of(cue.receipt)
        if snake(field) not in known:
            yield key, f"{field}: a {cue.receipt} receipt has no such field{instead(field, known)}"
            return
        codes = values_of(cue.receipt, snake(field))
        if codes and value not in codes:
            all_of_them = ", ".join(codes)
            yield key, f"{field} = {value!r}: a {cue.receipt} receipt never has that; write {all_of_them}"


def _somebody(key: str, name: str, names: Sequence[str]) -> Found:
    if name not in names:
        yield key, f"{key} = {name!r}: nobody is called so{instead(name, names)}"


def _brief(value: str) -> str:
    return repr(value if len(value) <= 40 else f"{value[:40]}…")
