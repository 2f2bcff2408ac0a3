"""What `clankie rehearse` and `clankie demo` can be told."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Scenarios = Annotated[
    list[Path] | None, typer.Argument(metavar="SCENARIO.toml", help="Scenarios to play and judge.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Put room.wav, clankie.wav, receipts.jsonl and timeline.html there; else into a new folder "
        "of the temporary directory.",
    ),
]


class Providers(StrEnum):
    """Who hears, thinks and speaks in a rehearsal."""

    EMBEDDED = "embedded"
    LOOPBACK = "loopback"
    LOOPBACK_DIALOGUE = "loopback-dialogue"
    LOOPBACK_CHAT = "loopback-chat"


ProvidersOption = Annotated[
    Providers,
    typer.Option(
        "--providers",
        help="Whose ears, mind and mouth he has: his own, or those of an OpenAI and an ElevenLabs on this "
        "machine (-dialogue: ElevenLabs' newer voices; -chat: a chat model, OpenAI's voice); needs a source "
        "checkout.",
    ),
]
Chaos = Annotated[
    int | None,
    typer.Option(
        "--chaos",
        metavar="SEED",
        help="Play no scenario, but a room of six in which everything goes wrong by a plan that this number "
        "draws; needs a source checkout.",
    ),
]
Minutes = Annotated[
    float, typer.Option(metavar="N", min=0.5, max=600, help="How long everything goes wrong, with --chaos.")
]
