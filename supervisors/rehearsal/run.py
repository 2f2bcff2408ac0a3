"""One rehearsal from the first line of its file to the last line of its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from messages.evidence import Recorded
from supervisors.rehearsal.chosen import fault_of
from supervisors.rehearsal.director import Director, Ended
from supervisors.rehearsal.folder import claimed, writing_to
from supervisors.rehearsal.judge import Proof, Verdict, judge, needs_transcript
from supervisors.rehearsal.load import load
from supervisors.rehearsal.moments import Moments, Writing
from supervisors.rehearsal.narrator import Narrator
from supervisors.rehearsal.people import Rehearsed, Speaking
from supervisors.rehearsal.recorder import Recorder
from supervisors.rehearsal.scenario import Scenario, Verb
from supervisors.rehearsal.seat import Start
from supervisors.rehearsal.stage import R, Theatre
from supervisors.rehearsal.standing import with_numbers
from supervisors.rehearsal.timeline import Report, page
from supervisors.rehearsal.tools import await_tools


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalResult:
    """What came of it; `folder` holds room.wav, clankie.wav, receipts.jsonl and timeline.html."""

    scenario: Scenario
    ended: Ended
    verdicts: tuple[Verdict, ...]
    moments: Moments
    writings: tuple[Writing, ...]
    folder: Path

    @property
    def held(self) -> bool:
        """Whether every expectation held and the play came to its end."""
        return all(verdict.held for verdict in self.verdicts)


def rehearse(path: Path, folder: Path, narrator: Narrator, theatre: Theatre[R]) -> RehearsalResult:
    """Play the scenario in real time and judge it; raises BadScenario and BadFolder."""
    scenario = load(path)
    if scenario.rooms and not theatre.over_discord:
        raise scenario.wrong("room", 0, None, "there is more than one room on a Discord only; add --discord")
    with claimed(folder):
        return _rehearsed(scenario, folder, narrator, theatre)


def _rehearsed(scenario: Scenario, folder: Path, narrator: Narrator, theatre: Theatre[R]) -> RehearsalResult:
    speeches = _prepared(scenario, Rehearsed(theatre.speech))
    narrator.began(scenario)
    start = Start()
    recorder = Recorder(start)
    room = theatre.room()
    annexes = theatre.annexes(room, scenario.rooms) if scenario.rooms else {}
    director = Director(scenario, speeches, room, annexes, narrator, start, recorder)
    try:
        ended = _play(scenario, director, narrator, room, theatre, folder)
    finally:
        recorder.close()
    director.collect()
    verdicts = tuple(_verdicts(scenario, director, ended, theatre, recorder))
    for verdict in verdicts:
        narrator.judged(verdict)
    result = RehearsalResult(
        scenario=scenario,
        ended=ended,
        verdicts=verdicts,
        moments=director.found.moments,
        writings=tuple(director.found.writings),
        folder=folder,
    )
    with writing_to(folder):
        recorder.write(folder, max((moment.at for moment in director.found.moments), default=0.0))
        _write(result, director)
    narrator.finished(folder, ended.value)
    return result


def _prepared(scenario: Scenario, rehearsed: Rehearsed) -> Sequence[Speaking | None]:
    """Every speech, made before the play: the voice must not compete with the house for the machine."""
    numbers = {entry.name: number for number, entry in enumerate(scenario.people)}
    speeches: list[Speaking | None] = []
    for step in scenario.steps:
        if step.verb is not Verb.SAY:
            speeches.append(None)
        elif step.wav is not None:
            speeches.append(rehearsed.recording(scenario.path.parent / step.wav))
        else:
            speeches.append(rehearsed.words(step.text or "", numbers[step.who]))
    return speeches


def _play(
    scenario: Scenario, director: Director, narrator: Narrator, room: R, theatre: Theatre[R], folder: Path
) -> Ended:
    director.seat_people()
    with ExitStack() as stack:
        try:
            house = stack.enter_context(
                theatre.open(
                    settings=with_numbers(scenario, lambda person: theatre.number(room, person)),
                    room=room,
                    replies=(*scenario.replies, *scenario.captain_replies),
                    state=folder / "state",
                )
            )
        except ValueError as error:
            fault = fault_of(scenario, str(error).partition("\n")[0])
            raise scenario.wrong(fault.table, fault.index, fault.key, fault.problem) from error
        if ill := await_tools(scenario, house):
            narrator.lacked(ill)
        return director.play(house)


def _verdicts(
    scenario: Scenario, director: Director, ended: Ended, theatre: Theatre[R], recorder: Recorder
) -> Iterator[Verdict]:
    if ended is Ended.REFUSED and director.refusal is not None:
        detail = f" ({director.refusal.detail})" if director.refusal.detail else ""
        yield Verdict(held=False, sentence=f"he comes when asked; refused: {director.refusal.reason}{detail}")
    yield from _undone(scenario, director, ended)
    if ended is Ended.LIMIT:
        sentence = f"it ends within {scenario.limit:g} s; it did not, add an `end` or raise `limit`"
        yield Verdict(held=False, sentence=sentence)
    transcript: tuple[str, ...] = ()
    if needs_transcript(scenario):
        transcript = tuple(theatre.speech.transcribe(chunk) for chunk in recorder.chunks())
    proof = Proof(
        moments=director.found.moments,
        transcript=transcript,
        writings=tuple(director.found.writings),
        emojis=director.found.emojis,
        over_discord=theatre.over_discord,
    )
    yield from judge(scenario, proof)


def _undone(scenario: Scenario, director: Director, ended: Ended) -> Iterator[Verdict]:
    """The steps that were never done, and what they waited for."""
    missed = [] if ended is Ended.REFUSED else [(i, scenario.steps[i].after) for i in director.waiting]
    for index, cue in (*missed, *((index, "a button") for index in director.pressing)):
        step, line = scenario.steps[index], scenario.lines.at("do", index)
        sentence = f"the step at line {line} ({step.verb} {step.who}) is played; {cue} never came"
        yield Verdict(held=False, sentence=sentence, line=line)


def _write(result: RehearsalResult, director: Director) -> None:
    lines = (m.what.json_line.rstrip("\n") for m in result.moments if isinstance(m.what, Recorded))
    (result.folder / "receipts.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    report = Report(
        scenario=result.scenario,
        moments=result.moments,
        soundings=tuple(director.found.soundings),
        writings=result.writings,
        crashes=director.crashes,
        verdicts=result.verdicts,
        why=result.ended.value,
    )
    (result.folder / "timeline.html").write_text(page(report), "utf-8")
