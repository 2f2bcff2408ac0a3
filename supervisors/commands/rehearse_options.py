"""What `clankie rehearse` and `clankie demo` can be told."""

from __future__ import annotations

from collections.abc import Mapping
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
CHAOS_MINUTES, LEAST_MINUTES, MOST_MINUTES = 3.0, 0.5, 600.0


def _within(minutes: float | None) -> float | None:
    if minutes is not None and not LEAST_MINUTES <= minutes <= MOST_MINUTES:  # nor is nan
        raise typer.BadParameter(f"write a number from {LEAST_MINUTES:g} to {MOST_MINUTES:g}")
    return minutes


Minutes = Annotated[
    float | None,
    typer.Option(
        metavar="N",
        callback=_within,
        show_default=f"{CHAOS_MINUTES:g}",
        help=f"How long everything goes wrong, with --chaos: from {LEAST_MINUTES:g} to {MOST_MINUTES:g}.",
    ),
]


def refuse_what_is_ignored(chaos: int | None, minutes: float | None, scenarios: Mapping[str, bool]) -> None:
    """With --chaos nothing that says how scenarios are played, without it no minutes; else BadParameter."""
    if chaos is None and minutes is not None:
        raise typer.BadParameter("a scenario lasts as long as it says; leave it out", param_hint="--minutes")
    given = [name for name, is_given in scenarios.items() if is_given]
    if chaos is not None and given:
        raise typer.BadParameter(
            f"it plays no scenario; leave out {' and '.join(given)}", param_hint="--chaos"
        )
