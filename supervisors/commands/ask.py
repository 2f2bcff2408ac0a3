"""`clankie ask`: the operator's word to the captain, and what came of it."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Final, assert_never

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from actors.console.caller import BadRequest, TookTooLong, ask
from actors.console.wire import LONGEST_REQUEST, Answered, Used
from messages.reasons import in_words
from supervisors.paths import at_home
from supervisors.settings import configured
from supervisors.terminal.ink import harmless, harmless_json, plain

FROM_INPUT: Final = "-"
ANSWERED_EXIT, FAILED_EXIT, INTERRUPTED_EXIT = 0, 1, 130


def order(request: str, config: Path | None, port: int | None, *, as_json: bool, seconds: float) -> int:
    """Have the captain do it and print what comes of it; raises ClientError if he cannot be asked."""
    settings = configured(config).console
    directory = at_home("[console] directory", settings.directory)
    until = time.monotonic() + seconds
    wanted = request if request != FROM_INPUT else _typed(seconds)
    left = until - time.monotonic()
    news = ask(port if port is not None else settings.port, directory, wanted, seconds=left)
    try:
        with closing(news):
            return _print_json(news) if as_json else _print(news)
    except KeyboardInterrupt:
        typer.echo("hung up, and what you asked is taken back", err=True)
        return INTERRUPTED_EXIT
    except TookTooLong:
        typer.echo(f"no answer within {seconds:g} s, and what you asked is taken back", err=True)
        return FAILED_EXIT


def _typed(seconds: float) -> str:
    """The standard input, up to more than can be asked; raises BadRequest if it has no end in time."""
    if sys.stdin is None:
        raise BadRequest("there is no standard input", 'write it: clankie ask "come here"')
    until, typed = time.monotonic() + seconds, bytearray()
    try:
        while len(typed) <= 4 * LONGEST_REQUEST:
            if not select.select([sys.stdin], [], [], max(0.0, until - time.monotonic()))[0]:
                remedy = "end it, or allow more time with --timeout"
                raise BadRequest(f"the standard input has not ended within {seconds:g} s", remedy)
            if not (piece := os.read(sys.stdin.fileno(), 4 * LONGEST_REQUEST)):
                break
            typed += piece
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadRequest(f"the standard input cannot be read ({why})", 'write it: clankie ask "…"') from None
    return typed.decode("utf-8", "replace")


def _print_json(news: Iterator[Used | Answered]) -> int:
    code = FAILED_EXIT
    for each in news:
        typer.echo(harmless_json(each.model_dump_json()))
        if isinstance(each, Answered) and not each.failed:
            code = ANSWERED_EXIT
    return code


def _print(news: Iterator[Used | Answered]) -> int:
    console, code = Console(highlight=False, soft_wrap=True), FAILED_EXIT
    with waiting(console):
        for each in news:
            match each:
                case Used():
                    console.print(Text(f"{plain(each.tool)}: {plain(each.outcome)}", style="dim"))
                case Answered():
                    code = _print_answer(console, each)
                case _:
                    assert_never(each)
    return code


def waiting(console: Console) -> AbstractContextManager[object]:
    """Something that moves, where somebody looks at it."""
    return (
        Status("he is at it; Ctrl-C takes it back", console=console) if console.is_terminal else nullcontext()
    )


def _print_answer(console: Console, answer: Answered) -> int:
    if answer.failed:
        typer.secho(f"he could not answer: {in_words(plain(answer.failed))}", fg="red", err=True)
        return FAILED_EXIT
    console.print(Text(harmless(answer.answer) or "(he says nothing)"))
    if answer.files:
        names = ", ".join(map(plain, answer.files))
        console.print(Text(f"with files, which can be shown in chats only: {names}", style="dim"))
    return ANSWERED_EXIT
