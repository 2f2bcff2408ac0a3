"""What somebody does in a play, and what he writes, in one line each for whoever is told of it."""

from __future__ import annotations

from pathlib import Path

from supervisors.rehearsal.moments import Writing
from supervisors.rehearsal.scenario import Step, Verb
from supervisors.rehearsal.screen import NAME, shown

_TO_WHOM = {"room": "", "lobby": " in the lobby", "operator": " to the operator"}


def acting(step: Step) -> str:
    """What this step lets somebody do."""
    who, words = shown(step.who, NAME), _in_line(step.text) if step.text else shown(Path(step.wav or "").stem)
    where = f" ({shown(step.room, NAME)})" if step.room else ""
    done = {
        Verb.JOIN: f"{who} comes in{where}",
        Verb.LEAVE: f"{who} leaves{where}",
        Verb.SAY: f"{who}: “{words}”" if step.text else f"{who}: [{words}]",
        Verb.TYPE: f"{who} writes: “{words}”",
        Verb.OPT_IN: f"{who} lets himself be heard",
        Verb.OPT_OUT: f"{who} does not want to be heard any more",
        Verb.KICK: "somebody puts Clankie out",
        Verb.CRASH: f"(crashing {who})",
        Verb.WRITE: f"{who} writes to Clankie in the lobby{where}: “{words}”",
        Verb.TAKE_BACK: f"{who} deletes what he wrote",
        Verb.PRESS: f"{who} presses {'yes' if step.yes else 'no'}, or will as soon as he can",
        Verb.OPERATOR: f"the operator asks: “{words}”",
        Verb.END: "(the end)",
    }
    return done[step.verb]


def shown_writing(writing: Writing) -> str:
    """What he writes, with its files and buttons."""
    files = f" with {', '.join(shown(name, NAME) for name in writing.files)}" if writing.files else ""
    buttons = " [yes] [no]" if writing.buttons else ""
    return f"Clankie writes{_TO_WHOM[writing.place]}: “{_in_line(writing.text)}”{files}{buttons}"


def _in_line(text: str) -> str:
    return shown(" ".join(text.split()))
