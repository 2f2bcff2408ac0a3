"""Who did what from when to when: the receipts of a rehearsal, sorted into lanes that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from messages.evidence import (
    Consent,
    Floor,
    FloorDecision,
    Handoff,
    Interrupted,
    ModelResponse,
    Overlap,
    Playback,
    Receipt,
)
from messages.ids import PersonId
from supervisors.rehearsal.moments import Moments, Sounding, heard, line_began, receipts, said
from supervisors.rehearsal.phrases import RULES, TRIGGERS, plain
from supervisors.rehearsal.scenario import Scenario, id_of

SHORTEST_SECONDS = 0.15
"""What is shorter is drawn this long, or nobody would see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Something that lasted; `look` is the style, `label` stands in it, `title` says it in a sentence."""

    began: float
    ended: float
    look: str
    label: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One line of the picture: bars above, and what was made of them below."""

    name: str
    bars: tuple[Bar, ...]
    below: tuple[Bar, ...] = ()


Stamped = Sequence[tuple[float, Receipt]]


def lanes(
    scenario: Scenario, moments: Moments, soundings: Sequence[Sounding], end: float
) -> tuple[Lane, ...]:
    """The floor, every person, Clankie, his turns and his captain, from second 0 to `end`."""
    stamped = receipts(moments)
    people = (
        _person(
            entry.name, id_of(entry), number, moments, [s for s in soundings if s.person == id_of(entry)], end
        )
        for number, entry in enumerate(scenario.people)
        if not entry.bot or any(s.person == id_of(entry) for s in soundings)
    )
    floor = Lane(name="floor", bars=tuple(_floor(scenario, stamped, end)))
    turns = Lane(name="turns", bars=tuple(_turns(stamped, end)))
    captain = Lane(name="captain", bars=tuple(_captain(scenario, stamped, end)))
    clankie = Lane(name="Clankie", bars=tuple(_speech(scenario, moments, stamped, end)))
    return (floor, *people, clankie, turns, *([captain] if captain.bars else []))


def consented(person: PersonId, stamped: Stamped, end: float) -> tuple[tuple[float, float], ...]:
    """The stretches in which this person let himself be heard."""
    found: list[tuple[float, float]] = []
    since: float | None = None
    for at, receipt in stamped:
        if not isinstance(receipt, Consent) or receipt.person_id != person or receipt.phase == "counted":
            continue
        if receipt.phase == "granted":
            since = at if since is None else since
        elif since is not None:
            found.append((since, at))
            since = None
    return (*found, (since, end)) if since is not None else tuple(found)


def _person(
    name: str, person: PersonId, number: int, moments: Moments, soundings: Sequence[Sounding], end: float
) -> Lane:
    stamped = receipts(moments)
    stretches = consented(person, stamped, end)
    bars = [
        Bar(began=a, ended=b, look="consent", label="", title=f"{name} may be heard") for a, b in stretches
    ]
    for sounding in soundings:
        bars.extend(_sounding_bars(name, number, sounding, stretches))
    below = _understood(name, person, moments, soundings, end)
    return Lane(name=name, bars=tuple(bars), below=tuple(until_next(below)))


def _understood(
    name: str, person: PersonId, moments: Moments, soundings: Sequence[Sounding], end: float
) -> list[Bar]:
    """What the house made of each speech; a speech of which it made nothing keeps its own text."""
    made = [(at, r) for at, r in receipts(moments) if isinstance(r, FloorDecision) and r.person_id == person]
    found: dict[float, Bar] = {
        s.began: Bar(began=s.began, ended=end, look="words", label=s.text, title=s.text) for s in soundings
    }
    for at, line in heard(moments):
        if line.person_id != person:
            continue
        began = line_began(line, at, soundings)
        decision = next((d for when, d in made if when >= at - 0.5), None)
        why = (
            f" → {plain(decision.decision)} ({RULES.get(decision.rule, plain(decision.rule))})"
            if decision
            else ""
        )
        text = f"{'wrote' if line.typed else 'heard'} “{line.text}”{why}"
        found[began] = Bar(
            began=began, ended=end, look="words", label=text, title=f"{at:.1f} s: {name}: {text}"
        )
    return sorted(found.values(), key=lambda bar: bar.began)


def _sounding_bars(
    name: str, number: int, sounding: Sounding, stretches: Sequence[tuple[float, float]]
) -> Iterator[Bar]:
    """One speech, cut where consent began or ended in it."""
    edges = {sounding.began, max(sounding.ended, sounding.began + SHORTEST_SECONDS)}
    edges |= {edge for stretch in stretches for edge in stretch if sounding.began < edge < sounding.ended}
    ordered = sorted(edges)
    for began, ended in pairwise(ordered):
        middle = (began + ended) / 2
        is_heard = any(a <= middle <= b for a, b in stretches)
        look = f"person p{number % 6}" if is_heard else "unheard"
        label = sounding.text if is_heard else "not heard"
        spoke = f"{name} from {began:.1f} to {ended:.1f} s: {sounding.text}"
        title = spoke if is_heard else f"{spoke}: no consent, never decoded"
        yield Bar(began=began, ended=ended, look=look, label=label, title=title)


def until_next(bars: Sequence[Bar]) -> Iterator[Bar]:
    """The same bars, none of which reaches into the next."""
    for number, bar in enumerate(bars):
        ended = min(
            (later.began for later in bars[number + 1 :] if later.began > bar.began), default=bar.ended
        )
        yield Bar(began=bar.began, ended=ended, look=bar.look, label=bar.label, title=bar.title)


def _floor(scenario: Scenario, stamped: Stamped, end: float) -> Iterator[Bar]:
    changes = [(at, receipt) for at, receipt in stamped if isinstance(receipt, Floor)]
    for number, (at, now) in enumerate(changes):
        following = changes[number + 1][0] if number + 1 < len(changes) else end
        holder = f": {scenario.name(now.holder_id)} holds" if now.holder_id else ""
        title = f"floor {now.state}{holder} from {at:.1f} s{f' ({plain(now.rule)})' if now.rule else ''}"
        yield Bar(began=at, ended=following, look=now.state, label=f"{now.state}{holder}", title=title)


def _speech(scenario: Scenario, moments: Moments, stamped: Stamped, end: float) -> Iterator[Bar]:
    texts = {words.utterance_id: words.text for _, words in said(moments)}
    plays = [(at, r) for at, r in stamped if isinstance(r, Playback)]
    for at, started in plays:
        if started.phase != "started":
            continue
        over = next(
            (
                (when, r.phase)
                for when, r in plays
                if r.utterance_id == started.utterance_id and r.phase in {"drained", "cut", "failed"}
            ),
            (end, "unfinished"),
        )
        text = texts.get(started.utterance_id, "")
        title = f"Clankie from {at:.1f} to {over[0]:.1f} s, {over[1]}: {text}"
        yield Bar(began=at, ended=over[0], look=f"clankie {over[1]}", label=text, title=title)
        yield from _overlaps(scenario, stamped, started, over[0])
    for at, receipt in stamped:
        if isinstance(receipt, Interrupted):
            rule = RULES.get(receipt.rule, plain(receipt.rule))
            title = f"cut by {scenario.name(receipt.person_id)} at {at:.1f} s: {rule}"
            yield Bar(began=at, ended=at + 0.06, look="cut", label="", title=title)


def _overlaps(scenario: Scenario, stamped: Stamped, started: Playback, over: float) -> Iterator[Bar]:
    ducked: tuple[float, Overlap] | None = None
    for at, receipt in stamped:
        if not isinstance(receipt, Overlap) or receipt.utterance_id != started.utterance_id:
            continue
        if receipt.phase == "ducked":
            ducked = ducked or (at, receipt)
        elif ducked is not None:
            yield _duck(scenario, ducked, at)
            ducked = None
    if ducked is not None:
        yield _duck(scenario, ducked, over)


def _duck(scenario: Scenario, ducked: tuple[float, Overlap], until: float) -> Bar:
    at, overlap = ducked
    title = (
        f"{overlap.reaction} from {at:.1f} to {until:.1f} s: {scenario.name(overlap.person_id)} is audible"
    )
    return Bar(began=at, ended=until, look="duck", label="", title=title)


def _turns(stamped: Stamped, end: float) -> Iterator[Bar]:
    answers = [(at, r) for at, r in stamped if isinstance(r, ModelResponse)]
    for at, asked in answers:
        if asked.phase != "requested":
            continue
        ended, outcome, reason = end, "unanswered", ""
        for when, receipt in stamped:
            match receipt:
                case ModelResponse(turn_id=asked.turn_id, phase="completed" | "failed"):
                    ended, outcome, reason = when, receipt.outcome or receipt.phase, receipt.reason or ""
                case Playback(turn_id=asked.turn_id, phase="drained" | "cut" | "failed" as phase):
                    ended, outcome = when, "cut" if phase == "cut" else outcome
                case _:
                    pass
        why = TRIGGERS.get(asked.trigger, plain(asked.trigger))
        title = f"turn at {at:.1f} s because {why}: {outcome}{f' ({plain(reason)})' if reason else ''}"
        label = f"{plain(asked.trigger)} → {outcome}"
        yield Bar(began=at, ended=ended, look=f"turn {outcome}", label=label, title=title)


def _captain(scenario: Scenario, stamped: Stamped, end: float) -> Iterator[Bar]:
    works = [(at, r) for at, r in stamped if isinstance(r, Handoff)]
    for at, began in works:
        if began.phase == "began":
            over = next(
                ((w, r.phase) for w, r in works if r.handoff_id == began.handoff_id and r.phase != "began"),
                (end, "unfinished"),
            )
            label = f"for {scenario.name(began.asker_id)} → {plain(over[1])}"
            title = f"the captain works {label}, from {at:.1f} to {over[0]:.1f} s"
            yield Bar(began=at, ended=over[0], look="captain", label=label, title=title)
