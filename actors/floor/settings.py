"""How much of a talker he is, in numbers that an operator may turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class ReplyPolicy(StrEnum):
    """Which lines wake him when nobody is talking with him."""

    ADDRESSED = "addressed"
    ALL = "all"


class Talkativeness(StrEnum):
    """How often he may speak without having been asked."""

    OFF = "off"
    QUIET = "quiet"
    BALANCED = "balanced"
    CHATTY = "chatty"


class OnOverlap(StrEnum):
    """What he does while somebody talks over him and no words are known yet."""

    DUCK = "duck"
    PAUSE = "pause"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorSettings:
    """The floor's table of `config.toml`; all durations are seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    name: str = "Clankie"
    """What people call him."""
    aliases: tuple[str, ...] = ("Clinky", "Clangty", "Clangy", "Clinty", "Kanky")
    """Other spellings that a transcriber makes of his name; each matches everything that sounds like it."""
    weak_aliases: tuple[str, ...] = ("cranky",)
    """Real words that a transcriber makes of his name: believed only where nothing but a name can stand."""
    language: str = "en"
    """Which word list he listens with: en, de, es or fr."""
    reply_policy: ReplyPolicy = ReplyPolicy.ADDRESSED
    """addressed | all."""
    volition: Talkativeness = Talkativeness.BALANCED
    """off | quiet | balanced | chatty."""
    on_overlap: OnOverlap = OnOverlap.DUCK
    """duck | pause | ignore."""
    decay: float = 60.0
    """How long he stays in a conversation that has nothing more to do with him."""
    heartbeat: float = 15.0
    """How often the captain's work for the room counts as relevance."""
    heartbeat_limit: float = 300.0
    """For how long it does, and for how long work without news is believed in."""
    filler_after: float = 4.0
    """How long a hand-off is silent before he may say that he is on it."""
    order_wait: float = 0.4
    """How long a line waits for the line of somebody who began earlier."""
    same_speaker_wait: float = 1.5
    """How long a turn waits for its speaker to finish going on."""
    quiet_wait: float = 5.0
    """How long a greeting or a result waits for a silence, and an unasked word before it is given up."""
    membership_wait: float = 30.0
    """How long a membership turn waits for a silence."""
    membership_debounce: float = 1.0
    """How long comings and goings are gathered into one turn."""
    membership_every: float = 10.0
    """At most one membership turn in this time."""
    overlap_after: float = 0.3
    """How much voice over his speech makes him quieter."""
    resume_after: float = 1.5
    """How long after that voice, without words, he is as loud as before."""
    pause_limit: float = 10.0
    """How long he holds still at most where `on_overlap` is pause."""
    cut_content_words: int = 3
    """How many content words of the one he talks with cut him off."""
    echo_window: float = 8.0
    """For how long his own words are known as an echo."""
    min_voiced: float = 0.2
    """A line with less voice than this is no line."""
    answer_limit: float = 30.0
    """How long a turn may be without a sign of life."""
    start_limit: float = 20.0
    """How long an utterance may be without a sound."""
    speech_limit: float = 600.0
    """How long an utterance may last."""
    cut_limit: float = 2.0
    """How long a cut may go unanswered."""
    voice_lost_after: float = 3.0
    """How long an open segment may be without news before its ear is given up."""
    words_lost_after: float = 9.0
    """How long the words of a closed segment are waited for."""
    lines_held: int = 20
    """How many lines one turn may gather; older ones are told for the record."""

    def __post_init__(self) -> None:
        """Refuse what cannot work, and say what would."""
        if not any(character.isalnum() for character in self.name):
            raise ValueError(
                f"floor.name must have a letter, got {self.name!r}; give him a name to be called by"
            )
        for key in _DURATIONS:
            value: float = getattr(self, key)
            if not 0.0 < value <= 86_400.0:
                raise ValueError(
                    f"floor.{key} must be between 0 and 86400 s, got {value}; remove it for the default"
                )
        for key in ("cut_content_words", "lines_held"):
            count: int = getattr(self, key)
            if not 1 <= count <= 1000:
                raise ValueError(
                    f"floor.{key} must be from 1 to 1000, got {count}; remove it for the default"
                )


_DURATIONS = (
    "decay",
    "heartbeat",
    "heartbeat_limit",
    "filler_after",
    "order_wait",
    "same_speaker_wait",
    "quiet_wait",
    "membership_wait",
    "membership_debounce",
    "membership_every",
    "overlap_after",
    "resume_after",
    "pause_limit",
    "echo_window",
    "min_voiced",
    "answer_limit",
    "start_limit",
    "speech_limit",
    "cut_limit",
    "voice_lost_after",
    "words_lost_after",
)
