"""What has come of a play so far, as it is found: the judge and the page are made of nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from supervisors.rehearsal.moments import Moment, Moments, Place, Sounding, Writing
from supervisors.rehearsal.scenario import Step


@dataclass(slots=True, kw_only=True)
class Found:
    """Grows in the director's thread; the emojis are those that stood under messages in the end."""

    seen: list[Moment] = field(default_factory=list)
    soundings: list[Sounding] = field(default_factory=list)
    writings: list[Writing] = field(default_factory=list)
    emojis: tuple[str, ...] = ()

    @property
    def moments(self) -> Moments:
        """Everything on record, in the order of its time."""
        return tuple(sorted(self.seen, key=lambda moment: moment.at))

    def quote(self, at: float, step: Step, place: Place, who: str) -> None:
        """Somebody wrote what is written."""
        self.writings.append(Writing(at=at, place=place, text=step.text or "", who=who))

    def press(self, at: float, step: Step) -> None:
        """Somebody pressed one of the buttons that were shown last."""
        places: list[Place] = ["room", *(one.place for one in self.writings if one.buttons)]
        text = "yes" if step.yes else "no"
        self.writings.append(Writing(at=at, place=places[-1], text=text, who=step.who, pressed=True))
