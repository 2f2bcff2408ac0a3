"""A play is told while it happens: who speaks, what was heard, what he decided and why, in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.text import Text

from actors.console.reasons import sentence
from messages.evidence import (
    CaptainTool,
    Consent,
    Degraded,
    Failed,
    FloorDecision,
    Handoff,
    HeardWords,
    Interrupted,
    Joined,
    Left,
    Membership,
    ModelResponse,
    Overlap,
    Playback,
    RealtimeTool,
    Receipt,
    Recorded,
    SpokenWords,
    TextInput,
    Transcription,
)
from messages.reasons import in_words
from supervisors.rehearsal.actions import acting, shown_writing
from supervisors.rehearsal.judge import Verdict
from supervisors.rehearsal.moments import Moment, Writing
from supervisors.rehearsal.phrases import REACTIONS, RULES, TOOLS, TRIGGERS, plain
from supervisors.rehearsal.scenario import PersonEntry, Scenario, Step, id_of
from supervisors.rehearsal.screen import LINE, NAME, shown


class Narrator(Protocol):
    """Whoever tells a rehearsal; `at` in seconds since its start. Called from the director's thread."""

    def began(self, scenario: Scenario) -> None:
        """The models are ready and the curtain rises."""

    def lacked(self, servers: str) -> None:
        """The play begins without the tools of these servers."""

    def acted(self, at: float, step: Step) -> None:
        """Somebody does what is written."""

    def saw(self, moment: Moment) -> None:
        """The house recorded something."""

    def wrote(self, writing: Writing) -> None:
        """He wrote something."""

    def judged(self, verdict: Verdict) -> None:
        """One expectation held, or did not."""

    def finished(self, folder: Path, why: str) -> None:
        """Everything is on disk."""


class Silent:
    """Tells nothing."""

    def began(self, scenario: Scenario) -> None:
        """Nothing."""

    def lacked(self, servers: str) -> None:
        """Nothing."""

    def acted(self, at: float, step: Step) -> None:
        """Nothing."""

    def saw(self, moment: Moment) -> None:
        """Nothing."""

    def wrote(self, writing: Writing) -> None:
        """Nothing."""

    def judged(self, verdict: Verdict) -> None:
        """Nothing."""

    def finished(self, folder: Path, why: str) -> None:
        """Nothing."""


class Told:
    """Tells it line by line on a terminal; `full` adds every decision and its reason."""

    def __init__(self, console: Console, *, full: bool) -> None:
        self._console = console
        self._full = full
        self._names: dict[str, str] = {}
        self._broken = self._judged = 0
        self._everybody_is_heard = False

    def began(self, scenario: Scenario) -> None:
        """Title and company."""
        self._names = {str(id_of(entry)): shown(entry.name, NAME) for entry in scenario.people}
        self._everybody_is_heard = scenario.everybody_is_heard
        self._console.print()
        self._console.print(Text(shown(scenario.title), style="bold"))
        here = [self._introduced(entry) for entry in scenario.people if entry.present]
        self._console.print(Text(f"In the room: {', '.join(here) or 'nobody'}", style="dim"))

    def lacked(self, servers: str) -> None:
        """Which servers, and what ails them."""
        told = f"He does not have the tools of {shown(servers, LINE)}; docs/captain.md says what that means."
        self._console.print(Text(told, style="yellow"))

    def acted(self, at: float, step: Step) -> None:
        """What a person does."""
        self._line(at, "", acting(step), "yellow")

    def wrote(self, writing: Writing) -> None:
        """What he writes, with its files and buttons."""
        self._line(writing.at, "", shown_writing(writing), "bold cyan")

    def saw(self, moment: Moment) -> None:
        """What the house recorded, as far as it says something to a listener."""
        match moment.what:
            case HeardWords(person_id=person, text=text, typed=False) if self._full:
                self._line(moment.at, "heard", f"{self._name(person)} said “{shown(text)}”", "green")
            case SpokenWords(text=text, whole=whole):
                tail = "" if whole else " … and was cut off there"
                self._line(moment.at, "spoke", f"Clankie: “{shown(text)}”{tail}", "bold cyan")
            case Recorded(receipt=receipt):
                if (told := self._receipt(receipt)) is not None:
                    self._line(moment.at, *told)
            case _:
                pass

    def judged(self, verdict: Verdict) -> None:
        """A tick or a cross."""
        self._judged += 1
        self._broken += not verdict.held
        sentence = shown(verdict.sentence, LINE)
        mark, style = ("✓", "green") if verdict.held else ("✗", "bold red")
        self._console.print(Text.assemble((f"  {mark} ", style), (sentence, "" if verdict.held else "red")))

    def finished(self, folder: Path, why: str) -> None:
        """Where the files are."""
        self._console.print(Text(f"Over after that: {why}.", style="dim"))
        if not self._judged:
            self._console.print(Text("Nothing was expected, so nothing was judged.", style="yellow"))
        if self._broken and not self._full:
            self._console.print(Text("Play it with -v to see what he heard and decided.", style="yellow"))
        self._console.print(
            Text.assemble("See and hear it in ", (shown(f"{folder}/timeline.html", LINE), "bold"))
        )
        self._console.print(Text("  with room.wav, clankie.wav and receipts.jsonl beside it", style="dim"))

    def _line(self, at: float, tag: str, text: str, style: str) -> None:
        clock = f"{int(at // 60)}:{at % 60:04.1f}".rjust(7)
        self._console.print(Text.assemble((clock, "dim"), (f" {tag:>7}  ", "dim"), (text, style)))

    def _name(self, person: str) -> str:
        return self._names.get(person) or shown(person, NAME)

    def _introduced(self, entry: PersonEntry) -> str:
        heard = entry.consent or self._everybody_is_heard
        return (
            f"{self._name(id_of(entry))}{' (bot)' if entry.bot else '' if heard else ' (has not consented)'}"
        )

    def _receipt(self, receipt: Receipt) -> tuple[str, str, str] | None:
        if (told := self._speech(receipt) or self._house(receipt)) is not None or not self._full:
            return told
        match receipt:
            case FloorDecision(person_id=person, decision=decision, rule=rule):
                return (
                    "floor",
                    f"{self._name(person)}'s line → {plain(decision)}: {RULES.get(rule, plain(rule))}",
                    "dim",
                )
            case ModelResponse(phase="requested", trigger=trigger):
                return "turn", f"may be his turn: {TRIGGERS.get(trigger, plain(trigger))}", "dim"
            case ModelResponse(phase="completed", outcome="silent"):
                return "turn", "he stays silent", "dim"
            case Transcription(person_id=person, outcome="dropped", reason=reason):
                return (
                    "heard",
                    f"{self._name(person)}: nothing that counts ({plain(reason or 'no words')})",
                    "dim",
                )
            case Consent(person_id=person, phase="granted"):
                return "consent", f"{self._name(person)} may be heard", "dim"
            case Membership(person_id=person, change=change, humans=humans):
                return "room", f"{self._name(person)} {change}; {_people(humans)} here", "dim"
            case TextInput(person_id=person):
                return "chat", f"{self._name(person)}'s words reach him as a line of the room", "dim"
            case _:
                return None

    def _speech(self, receipt: Receipt) -> tuple[str, str, str] | None:
        match receipt:
            case Overlap(person_id=person, phase="ducked", reaction=reaction):
                return (
                    "duck",
                    f"{self._name(person)} is audible: he {REACTIONS.get(reaction, reaction)}",
                    "magenta",
                )
            case Overlap(phase="resumed"):
                return "duck", "it was nothing: back to full voice", "magenta"
            case Interrupted(person_id=person, rule=rule, word_end_to_cut_ms=ms):
                reason = RULES.get(rule, plain(rule))
                return (
                    "cut",
                    f"{self._name(person)} cuts him off ({reason}), {ms} ms after the word",
                    "bold magenta",
                )
            case Playback(phase="cut", decision_to_silence_ms=int(ms)):
                return "cut", f"silent {ms} ms after that decision", "magenta"
            case _:
                return None

    def _house(self, receipt: Receipt) -> tuple[str, str, str] | None:
        match receipt:
            case Joined(humans=humans):
                return "room", f"Clankie comes in; {_people(humans)} here", "cyan"
            case RealtimeTool(phase="called", name=name):
                return "tool", TOOLS.get(name, f"he uses {name}"), "cyan"
            case Handoff(phase=phase, latency_ms=ms, reason=reason) if phase != "began":
                took = f" after {ms / 1000:.1f} s" if ms else ""
                why = f": {plain(in_words(reason))}" if reason else ""
                return "captain", f"the captain's work {plain(phase)}{took}{why}", "cyan"
            case CaptainTool():
                return "captain", sentence(receipt) or "", "cyan"
            case Consent(person_id=person, phase="counted", decoded=decoded, unread=unread):
                counted = f"{self._name(person)}: {decoded} packets decoded, {unread} dropped unread"
                return "privacy", counted, "blue"
            case Degraded(phase=phase, reason=reason, part=part):
                return "link", f"{part or 'sound'} {phase} ({plain(reason)})", "red"
            case Failed(stage=stage, reason=reason):
                return "failed", f"{plain(stage)}: {plain(in_words(reason))}", "red"
            case Left(reason=reason, duration_ms=ms):
                return "room", f"Clankie has left ({plain(reason)}) after {ms / 1000:.1f} s", "cyan"
            case _:
                return None


def _people(count: int) -> str:
    return {0: "nobody is", 1: "one person is"}.get(count, f"{count} people are")
