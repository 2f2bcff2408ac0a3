"""Words for who asks, how he asks, and what that allows: what may be decided, not the deciding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Tier(IntEnum):
    """How much somebody may ask for; who may do more may also do less."""

    EVERYONE = 0
    AMBIENT = 1
    SYSTEM = 2
    OWNER = 3


class Surface(StrEnum):
    """How something reached him: what is said aloud may ask, and never approve."""

    TEXT = "text"
    """A message or a command that one person wrote."""
    VOICE = "voice"
    """One person's words, spoken."""
    MIXED_VOICE = "mixed_voice"
    """Several people's words in one turn."""
    MEMBERSHIP = "membership"
    """Nobody's words: somebody came or went."""
    OPERATOR = "operator"
    """The command line of the machine that he runs on."""


class Sort(StrEnum):
    """What kind of thing a tool does, as far as authority goes."""

    MOVE = "move"
    """Where he is: coming, going, the play surface."""
    SOCIAL = "social"
    """A reaction, a thread, a line in the chat."""
    LOOK = "look"
    """What is in the room, and what is remembered of whoever asks."""
    KEEP = "keep"
    """A note."""
    MACHINE = "machine"
    """A tool of a server that the operator named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What a tool asks for; `tier` and `weighty` count for MACHINE only."""

    sort: Sort
    tier: Tier = Tier.OWNER
    weighty: bool = True
    """Whether it destroys something, or is for those only on whose behalf machines are used."""
    wary: bool = True
    """Whether it also has to be confirmed in writing once the mind has read others' words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Who asks and how, frozen for one turn: of several people, the least tier."""

    tier: Tier
    surface: Surface
    swayed: bool = False
    """Whether the mind has read words that are not the asker's: what it wants may be somebody else's wish."""


class Ruling(StrEnum):
    """What came of the question whether a tool may be used."""

    ALLOWED = "allowed"
    CONFIRM = "confirm"
    """Only once somebody of the tool's tier has said so in writing."""
    REFUSED = "refused"
