"""What was really said in each recording, and how to count the words that were heard wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
AUSTEN = "sense_and_sensibility_01_austen_64kb-"


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording of a person and its words, in lower case and without punctuation."""

    name: str
    words: str

    @property
    def path(self) -> Path:
        """The WAV file, 16 kHz mono."""
        return FOLDER / "human" / f"{self.name}.wav"


HUMAN = (
    Clip(
        f"{AUSTEN}0870",
        "and mister john dashwood had then leisure to consider how much there might be prudently in his power"
        " to do for them",
    ),
    Clip(f"{AUSTEN}0880", "he was not an ill disposed young man"),
    Clip(f"{AUSTEN}0890", "unless to be rather cold hearted and rather selfish is to be ill disposed"),
    Clip(
        f"{AUSTEN}0920",
        "had he married a more amiable woman he might have been made still more respectable than he was",
    ),
    Clip(f"{AUSTEN}0930", "he might even have been made amiable himself"),
    Clip("ps_goforward", "go forward ten meters"),
    Clip("ps_cards_001", "ten of clubs"),
    Clip("ps_cards_002", "four queen of clubs"),
    Clip("ps_cards_003", "seven of clubs"),
    Clip("ps_cards_004", "five five"),
    Clip("ps_cards_005", "eight of spades four of clubs seven of hearts"),
)
DIGITS = FOLDER / "human" / "ps_numbers.wav"
NOISE = tuple(sorted((FOLDER / "noise").glob("*.wav")))
VOICE_LIKE = {"syn_laugh", "syn_hum_voice"}
"""Noises that a voice detector cannot tell from speech."""

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def normal(text: str) -> list[str]:
    """Words to compare: lower case, digits up to ten as words, no punctuation, no abbreviations."""
    text = re.sub(r"\bmr\b\.?", "mister", text.lower().replace("-", " "))
    text = re.sub(r"\b(10|[0-9])\b", lambda found: _DIGITS[int(found[0])], text)
    return re.findall(r"[a-z0-9']+", text)


def errors(said: str, heard: str) -> int:
    """How many words must be changed, added or removed to make `heard` into `said`."""
    wanted, got = normal(said), normal(heard)
    row = list(range(len(got) + 1))
    for i, word in enumerate(wanted, 1):
        above, row = row, [i]
        for j, other in enumerate(got, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (word != other)))
    return row[-1]


def error_rate(pairs: list[tuple[str, str]]) -> float:
    """The word error rate over (said, heard) pairs: errors for each word said."""
    return sum(errors(said, heard) for said, heard in pairs) / sum(len(normal(said)) for said, _ in pairs)
