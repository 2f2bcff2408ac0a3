"""The lanes of a stay, from its receipts: the floor, each person, his voice, turns, captain and troubles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from messages.evidence import (
    CaptainTool,
    Consent,
    Degraded,
    Failed,
    Floor,
    Handoff,
    Membership,
    TextInput,
    Transcription,
    Utterance,
)
from messages.ids import HandoffId, PersonId, SegmentId
from supervisors.report.marks import Lane, Mark
from supervisors.report.people import People
from supervisors.report.speech import own_voice, turns
from supervisors.report.story import Story

SHORT = 0.3
"""How long a voice is drawn of which only words are on record, in seconds."""
UNHEARD_END = 0.6
"""Where no transcript says when a voice ended: the silence that its end was waited for, in seconds."""


def lanes(story: Story, people: People) -> tuple[Lane, ...]:
    """Every lane of a stay in which there is anything."""
    found = _gathered(story)
    drawn = [
        Lane(
            name="floor",
            title="Who is in conversation with him",
            look="floor",
            marks=tuple(_held(story, people)),
        )
    ]
    for person in story.people:
        marks = tuple(sorted(found.of.get(person, ()), key=lambda mark: mark.began))
        drawn.append(Lane(name=people.name(person), title=person, look=people.look(person), marks=marks))
    drawn.append(Lane(name="Clankie", title="His own voice", look="him", marks=tuple(own_voice(story))))
    drawn.append(Lane(name="turns", title="What he was asked", look="turns", marks=tuple(turns(story))))
    drawn.append(
        Lane(name="captain", title="Handed over, and tools", look="captain", marks=tuple(found.captain))
    )
    drawn.append(
        Lane(name="trouble", title="Failures and lost links", look="bad", marks=tuple(found.trouble))
    )
    return tuple(lane for lane in drawn if lane.marks)


@dataclass(slots=True, kw_only=True)
class _Gathered:
    """What lasts and has not ended yet, and what is known already, while a stay is read."""

    of: dict[PersonId, list[Mark]] = field(default_factory=dict[PersonId, list[Mark]])
    captain: list[Mark] = field(default_factory=list[Mark])
    trouble: list[Mark] = field(default_factory=list[Mark])
    spoke: dict[SegmentId, tuple[float, Utterance]] = field(
        default_factory=dict[SegmentId, tuple[float, Utterance]]
    )
    may: dict[PersonId, float] = field(default_factory=dict[PersonId, float])
    works: dict[HandoffId, float] = field(default_factory=dict[HandoffId, float])
    troubled: dict[str, float] = field(default_factory=dict[str, float])


def _gathered(story: Story) -> _Gathered:
    found = _Gathered()
    for one in story.stamped:
        match one.receipt:
            case Utterance() as utterance:
                found.spoke[utterance.segment_id] = (one.at, utterance)
            case Transcription() as words:
                _understood(found, words, one.at)
            case TextInput() as typed:
                mark = Mark(began=one.at, ended=one.at, look="typed", row=typed.line_id)
                _add(found, typed.person_id, mark)
            case Membership() as change:
                look = "went" if change.change == "departed" else "came"
                _add(found, change.person_id, Mark(began=one.at, ended=one.at, look=look))
            case Consent() as consent:
                _consented(found, consent, one.at)
            case Handoff() | CaptainTool() as work:
                _worked(found, work, one.at)
            case Degraded() | Failed() as trouble:
                _troubled(found, trouble, one.at)
            case _:
                pass
    _close(found, story.ended, goes_on=story.open)
    return found


def _add(found: _Gathered, person: PersonId, mark: Mark) -> None:
    found.of.setdefault(person, []).append(mark)


def _understood(found: _Gathered, words: Transcription, at: float) -> None:
    """A voice, now that it is known when it ended and whether there were words in it."""
    ended = at - words.latency_ms / 1000
    known = found.spoke.pop(words.segment_id, None)
    lasted = known[1].duration_ms / 1000 if known else SHORT
    look = {"words": "said", "empty": "empty"}.get(words.outcome, "lost")
    mark = Mark(began=ended - lasted, ended=ended, look=look, row=words.segment_id)
    _add(found, words.person_id, mark)


def _consented(found: _Gathered, consent: Consent, at: float) -> None:
    if consent.phase == "granted":
        found.may.setdefault(consent.person_id, at)
    elif consent.phase != "counted" and consent.person_id in found.may:
        since = found.may.pop(consent.person_id)
        _add(found, consent.person_id, Mark(began=since, ended=at, look="may", strip="back"))


def _worked(found: _Gathered, work: Handoff | CaptainTool, at: float) -> None:
    if isinstance(work, CaptainTool):
        look = "tool" if work.outcome == "done" else "tool-bad"
        began = at - work.latency_ms / 1000
        found.captain.append(Mark(began=began, ended=at, look=look, strip="under", label=work.name))
    elif work.phase == "began":
        found.works[work.handoff_id] = at
    elif work.handoff_id in found.works:
        look = "work" if work.phase in {"returned", "posted"} else "work-bad"
        began = found.works.pop(work.handoff_id)
        found.captain.append(Mark(began=began, ended=at, look=look, label=work.phase.replace("_", " ")))


def _troubled(found: _Gathered, trouble: Degraded | Failed, at: float) -> None:
    if isinstance(trouble, Failed):
        row = trouble.turn_id or ""
        found.trouble.append(Mark(began=at, ended=at, look="trouble", label=trouble.reason, row=row))
    elif trouble.phase == "restarted":
        label = f"{trouble.part} began anew"
        found.trouble.append(Mark(began=at, ended=at, look="trouble", label=label))
    elif trouble.phase in _ENDS:
        found.troubled.setdefault(trouble.phase, at)
    else:
        for begun, over in _ENDS.items():
            if trouble.phase == over[0] and begun in found.troubled:
                mark = Mark(began=found.troubled.pop(begun), ended=at, look=over[1], strip="under")
                found.trouble.append(mark)


_ENDS = {"lost": ("restored", "link"), "hindered": ("freed", "hindered")}


def _close(found: _Gathered, end: float, *, goes_on: bool) -> None:
    """Whatever goes on still goes on until the record ends."""
    for at, utterance in found.spoke.values():
        ended = at - UNHEARD_END
        began = ended - utterance.duration_ms / 1000
        _add(found, utterance.person_id, Mark(began=began, ended=ended, look="lost"))
    for person, since in found.may.items():
        _add(found, person, Mark(began=since, ended=end, look="may", strip="back"))
    for began in found.works.values():
        look, label = ("work", "") if goes_on else ("work-bad", "unfinished")
        found.captain.append(Mark(began=began, ended=end, look=look, label=label))
    for phase, since in found.troubled.items():
        found.trouble.append(Mark(began=since, ended=end, look=_ENDS[phase][1], strip="under"))


def _held(story: Story, people: People) -> Iterator[Mark]:
    held: Mark | None = None
    for one in story.stamped:
        if isinstance(one.receipt, Floor):
            if held is not None:
                yield replace(held, ended=one.at)
            holder = one.receipt.holder_id
            held = None
            if holder is not None:
                name = people.name(holder)
                held = Mark(
                    began=one.at, ended=story.ended, look="holds", who=people.look(holder), label=name
                )
    if held is not None:
        yield held


def count(drawn: Sequence[Lane]) -> int:
    """How many marks there are in these lanes."""
    return sum(len(lane.marks) for lane in drawn)
