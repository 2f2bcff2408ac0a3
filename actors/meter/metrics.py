"""Every number that is measured: its name for Prometheus, its meaning, and what tells its series apart."""

from __future__ import annotations

from enum import Enum
from typing import Final

QUICK: Final = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Upper bounds of buckets for what should take no time, in seconds."""
PATIENT: Final = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 8.0)
"""The same for what people wait for."""
SLOW: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
"""The same for work that nobody waits for."""


class Counter(Enum):
    """What only grows: (name, meaning, labels)."""

    RECEIPTS = ("clankie_receipts", "What was put on record", ("kind",))
    JOINED = ("clankie_stays_joined", "How often he came into a room", ())
    LEFT = ("clankie_stays_left", "How often he left one", ("reason",))
    UTTERANCES = ("clankie_utterances", "What people who consented said that was long enough to count", ())
    TRANSCRIPTIONS = ("clankie_transcriptions", "What came of writing it down", ("outcome",))
    LINES = ("clankie_lines", "What the floor made of lines", ("heard_as", "decision"))
    TURNS = ("clankie_turns", "What came of his turns", ("trigger", "outcome"))
    OVERLAPS = ("clankie_overlaps", "Somebody talked over him", ("phase",))
    INTERRUPTIONS = ("clankie_interruptions", "He was cut off by words", ("rule",))
    TOOLS = ("clankie_tools", "What came of calls of tools", ("name", "outcome"))
    HANDOFFS = ("clankie_handoffs", "What the captain was asked, and what came of it", ("phase",))
    FAILURES = ("clankie_failures", "What failed", ("stage",))
    DEGRADED = ("clankie_degraded", "Sound did not pass, or passes again, or a part began anew", ("phase",))
    PACKETS = ("clankie_packets", "Packets of people, counted at the end of a stay", ("fate",))
    TOKENS = ("clankie_tokens", "Tokens of models", ("service", "model", "direction"))
    AUDIO = ("clankie_transcribed_audio_seconds", "Sound that was written down", ("model",))
    CHARACTERS = ("clankie_spoken_characters", "Characters that were to be spoken", ("model",))
    COST = ("clankie_cost", "What providers charge for it, at the prices of [costs]", ("currency",))


class Histogram(Enum):
    """What takes its time: (name, meaning, upper bounds of its buckets), all in seconds."""

    TRANSCRIPT = ("clankie_transcript_seconds", "From somebody's last voice to the words", PATIENT)
    FIRST_TEXT = ("clankie_first_text_seconds", "From the decision to a turn to its first text", PATIENT)
    FIRST_AUDIO = ("clankie_first_audio_seconds", "From the decision to his first audible frame", PATIENT)
    ANSWER = ("clankie_answer_seconds", "From the end of speech to his first audible frame", PATIENT)
    SILENCE = ("clankie_cut_to_silence_seconds", "From the decision to cut to his last frame", QUICK)
    HANDOFF = ("clankie_handoff_seconds", "How long the captain took", SLOW)


class Gauge(Enum):
    """What goes up and down: (name, meaning, labels)."""

    STAYS = ("clankie_stays", "In how many rooms he is", ())
    ACTORS = ("clankie_actors", "Actors that are open, or are not", ("kind", "state"))
    RESTARTS = ("clankie_actor_restarts", "How often the actors that there are were restarted", ("kind",))
    MAILBOX = ("clankie_mailbox_depth", "The fullest mailbox of a kind, in messages", ("kind",))
    LOST = ("clankie_evidence_lost", "Receipts that could not be written", ())
    DROPPED = ("clankie_dropped", "What found too much waiting, in the rooms where he is", ("what",))
    UNDERRUNS = (
        "clankie_underruns",
        "How often his sound ran out in mid-speech, in the rooms where he is",
        (),
    )
    ONLINE = ("clankie_account_online", "Whether the account is connected", ())
