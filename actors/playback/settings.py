"""How much sound waits before he begins and while he speaks, and what he does when talked over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybackSettings:
    """The `[playback]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    prebuffer_seconds: float = 0.2
    """He begins once so much sound waits."""
    growth_seconds: float = 0.12
    """Or once what waits has not grown for so long."""
    ahead_seconds: float = 0.4
    """So much sound is given to the voice link before it is due."""
    high_water_seconds: float = 15.0
    """With so much sound waiting, no more is asked for."""
    deadline_seconds: float = 15.0
    """An utterance may take so much longer than its sound."""
    cut_seconds: float = 1.0
    """An utterance counts as cut after so long, whether the voice link has said so or not."""
    most_utterances: int = 16
    """More may not wait to be spoken."""
    on_overlap: Literal["duck", "pause", "ignore"] = "duck"
    """What he does when somebody talks over him, until words show whether it matters."""
    duck_decibels: float = -12.0
    """How loud he is while ducked; 0 is whole."""
    duck_seconds: float = 0.06
    """How long it takes to get there."""
    unduck_seconds: float = 0.15
    """How long it takes to come back."""

    def __post_init__(self) -> None:
        _within("prebuffer_seconds", self.prebuffer_seconds, 0.02, 5.0, "0.2 hides a slow synthesizer")
        _within("growth_seconds", self.growth_seconds, 0.02, 5.0, "0.12 is patient enough")
        _within("ahead_seconds", self.ahead_seconds, 0.1, 2.0, "0.4 outlasts a busy moment")
        _within("high_water_seconds", self.high_water_seconds, 1.0, 120.0, "15 is a long sentence")
        _within("deadline_seconds", self.deadline_seconds, 1.0, 120.0, "15 is patient enough")
        _within("cut_seconds", self.cut_seconds, 0.1, 10.0, "1 is far more than a cut takes")
        _within("most_utterances", self.most_utterances, 1, 100, "16 is plenty")
        _within("duck_decibels", self.duck_decibels, -60.0, 0.0, "-12 is a quarter as loud")
        _within("duck_seconds", self.duck_seconds, 0.0, 2.0, "0.06 is quick without a click")
        _within("unduck_seconds", self.unduck_seconds, 0.0, 2.0, "0.15 is gentle")
        if self.on_overlap not in {"duck", "pause", "ignore"}:
            raise ValueError(
                f"on_overlap must be duck, pause or ignore, got {self.on_overlap}; duck is the usual one"
            )


def _within(key: str, value: float, least: float, most: float, remedy: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{key} must be between {least} and {most}, got {value}; {remedy}")
