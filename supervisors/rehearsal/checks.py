"""What a reader of a scenario would stumble over, said before anybody comes on stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from actors.audio.pcm import UnreadableSound, wav_seconds
from supervisors.rehearsal.captaincy import in_captain_reply
from supervisors.rehearsal.chosen import in_settings
from supervisors.rehearsal.cues import in_cue
from supervisors.rehearsal.expectations import in_expect
from supervisors.rehearsal.faults import Fault, Found, instead, no_words, somebody
from supervisors.rehearsal.minds import ReplyEntry
from supervisors.rehearsal.naming import oddity
from supervisors.rehearsal.scenario import Scenario, Step, Verb, id_of
from supervisors.rehearsal.standing import in_authority

_OF_NOBODY = frozenset({Verb.KICK, Verb.CRASH, Verb.OPERATOR, Verb.END})
_WORDY = (Verb.TYPE, Verb.WRITE, Verb.OPERATOR)
_ELSEWHERE = (Verb.JOIN, Verb.LEAVE, Verb.WRITE)
"""What can be done in another room than the one where the play is."""


def first_fault(scenario: Scenario) -> Fault | None:
    """The first thing in the file's order of tables that cannot be played or judged."""
    return next((fault for faults in _faults(scenario) for fault in faults), None)


def _faults(scenario: Scenario) -> Iterator[Iterator[Fault]]:
    yield _in_people(scenario)
    yield _in_rooms(scenario)
    yield in_authority(scenario)
    yield in_settings(scenario)
    names = [entry.name for entry in scenario.people]
    for index, step in enumerate(scenario.steps):
        yield (Fault(table="do", index=index, key=k, problem=p) for k, p in _in_step(scenario, step, names))
    for index, reply in enumerate(scenario.replies):
        yield (Fault(table="brain.reply", index=index, key=k, problem=p) for k, p in _in_reply(reply))
    servers = scenario.servers
    for index, doing in enumerate(scenario.captain_replies):
        found = in_captain_reply(doing, scenario.limit, servers)
        yield (Fault(table="captain.reply", index=index, key=k, problem=p) for k, p in found)
    for index, expectation in enumerate(scenario.expectations):
        found = in_expect(expectation, names)
        yield (Fault(table="expect", index=index, key=k, problem=p) for k, p in found)


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
        if entry.label is not None and (odd := oddity(entry.label)) is not None:
            yield Fault(
                table="person", index=index, key="label", problem=f"label = {_brief(entry.label)}: {odd}"
            )


def _in_rooms(scenario: Scenario) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, entry in enumerate(scenario.rooms):
        for key, value in (("name", entry.name), ("server", entry.server)):
            if value is not None and (odd := oddity(value)) is not None:
                yield Fault(table="room", index=index, key=key, problem=f"{key} = {_brief(value)}: {odd}")
        if entry.name in seen:
            problem = f"name = {entry.name!r}: every room needs a name of its own; choose another"
            yield Fault(table="room", index=index, key="name", problem=problem)
        seen.add(entry.name)


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
    if step.verb not in _OF_NOBODY:
        yield from somebody(step.verb, step.who, names)
    if step.crash == "root":
        yield "crash", "crash = 'root': that is the house itself; crash somebody in it"
    yield from _in_sound(scenario, step)
    yield from _in_company(scenario, step)
    if step.after is not None:
        yield from in_cue("after", step.after)


def _in_company(scenario: Scenario, step: Step) -> Found:
    """Keys that belong to some verbs only."""
    if (step.verb is Verb.PRESS) != (step.yes is not None):
        yield "yes", "`yes` belongs to `press`, and only to it: true or false; mend one of them"
    if step.room is None:
        return
    if step.verb not in _ELSEWHERE:
        yield "room", f"`room` goes with {', '.join(_ELSEWHERE)} only; remove it"
    rooms = [entry.name for entry in scenario.rooms]
    if step.room not in rooms:
        yield "room", f"room = {step.room!r}: no [[room]] is called so{instead(step.room, rooms)}"


def _in_sound(scenario: Scenario, step: Step) -> Found:
    if step.verb is Verb.SAY and (step.wav is None) == (step.text is None):
        yield "say", "`say` needs either `wav` (a recording) or `text` (words); write one of them"
    elif step.verb in _WORDY and not step.text:
        yield step.verb, f"`{step.verb}` needs `text`; write the words"
    elif step.text is not None and not step.text.strip():
        yield "text", f"text = {step.text!r}: there are no words in it; write some"
    elif step.verb is not Verb.SAY and step.wav is not None:
        yield "wav", f"wav = {step.wav!r}: only `say` has a recording; remove it"
    elif step.verb not in {Verb.SAY, *_WORDY} and step.text is not None:
        yield "text", f"text = {step.text!r}: `{step.verb}` has no words; remove it"
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


def _brief(value: str) -> str:
    return repr(value if len(value) <= 40 else f"{value[:40]}…")
