"""`clankie doctor` and `clankie invite`: what is missing before he can be heard, and the way in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from loguru import logger
from rich.console import Console
from rich.status import Status
from rich.text import Text

from actors.gateway.port import Finding
from actors.gateway.settings import AuthoritySettings
from supervisors.commands import apparatus, folders, oversight, providers, tools
from supervisors.preflight import check_authorities, check_discord
from supervisors.secrets import TOKEN_VARIABLE, Keys, discord_token, provider_keys
from supervisors.settings import BadConfig, Settings, configured

if TYPE_CHECKING:
    from actors.gateway.live.checkup import Patient

SICK_EXIT = 1
WIDEST_NAME = 24
WITHOUT = "there is no bot token"
NO_TOKEN = Finding(
    name="token",
    ok=True,
    says=f"{WITHOUT}; he would sit in a local room",
    remedy=f"set {TOKEN_VARIABLE}, or [discord] token_file to a file of mode 600, to have him on Discord",
)
UNASKED = Finding(
    name="discord",
    ok=False,
    says="the account was not looked at: that takes the packages above",
    remedy="mend those, and run clankie doctor once more",
)


def examine(config: Path | None, *, as_json: bool) -> int:
    """Print what was found; return 0 if nothing needs mending."""
    settings = configured(config)
    logger.remove()  # the findings tell what there is to tell
    # What opens doors first, so that no process that is started for a look inherits it.
    token, keys = _token(settings), _keys(settings)
    console, findings = Console(highlight=False), list[Finding]()
    with nullcontext() if as_json or not console.is_terminal else console.status("") as waiting:
        tell = _teller(waiting)
        for part, found in _parts(settings, token, keys, tell):
            tell(part)
            if not as_json:
                console.print(Text(part, style="bold"))
            for finding in found:
                findings.append(finding)
                if not as_json:
                    show(console, finding)
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        console.print(Text(f"\n{summed_up(findings, token)}", style="bold"), soft_wrap=True)
    return 0 if all(finding.ok for finding in findings) else SICK_EXIT


def _teller(waiting: Status | None) -> Callable[[str], None]:
    """Show what is waited for, if anybody is at a terminal."""

    def tell(words: str) -> None:
        if waiting is not None:
            waiting.update(Text(words))

    return tell


def invite(config: Path | None) -> int:
    """Print the address at which he is let into a server; raises BadConfig."""
    settings = configured(config)
    token = _token(settings)
    if isinstance(token, Finding):
        says = WITHOUT if token is NO_TOKEN else token.says
        raise BadConfig(f"{says}; {token.remedy}")
    check_discord()
    from actors.gateway.live.checkup import application_of
    from actors.gateway.live.verdict import invite_url

    application = application_of(_patient(settings, token))
    if isinstance(application, Finding):
        raise BadConfig(f"{application.says}; {application.remedy}")
    typer.echo(invite_url(application))
    return 0


def _parts(
    settings: Settings, token: str | Finding, keys: Keys | Finding, tell: Callable[[str], object]
) -> Iterator[tuple[str, Iterable[Finding]]]:
    """What he looks at, by its title; each finding is told as soon as it is found."""
    libraries = tuple(apparatus.packages())
    yield "This machine", _machine(settings, libraries)
    told = (keys,) if isinstance(keys, Finding) else providers.findings(settings, keys, tell=tell)
    yield "Ears, mind and mouth", told
    yield "Tools", tools.findings(settings, tell)
    yield "For whoever runs him", oversight.findings(settings)
    yield "Discord", _discord(settings, token, whole=all(finding.ok for finding in libraries))


def _machine(settings: Settings, libraries: Sequence[Finding]) -> Iterator[Finding]:
    yield from libraries
    yield apparatus.codec(settings.speech)
    yield from apparatus.speech(settings)
    yield from folders.findings(settings)
    yield apparatus.scheduling()


def _discord(settings: Settings, token: str | Finding, *, whole: bool) -> Iterator[Finding]:
    if token is not NO_TOKEN:
        yield from allowed(settings.authority)
    if isinstance(token, Finding):
        yield token
    elif whole:
        yield from _account(settings, token)
    else:
        yield UNASKED


def _account(settings: Settings, token: str) -> Iterator[Finding]:
    from actors.gateway.live.checkup import check

    try:
        patient = _patient(settings, token)
    except BadConfig as error:
        yield apparatus.complaint("ca_file", error)
    else:
        yield from check(patient)


def _token(settings: Settings) -> str | Finding:
    try:
        return discord_token(settings.discord.token_file, os.environ) or NO_TOKEN
    except BadConfig as error:
        return apparatus.complaint("token", error)


def _keys(settings: Settings) -> Keys | Finding:
    try:
        return provider_keys(settings, os.environ)
    except BadConfig as error:
        return apparatus.complaint("provider keys", error)


def _patient(settings: Settings, token: str) -> Patient:
    from actors.gateway.live.checkup import Patient

    return Patient(
        token=token,
        proxy=settings.discord.proxy,
        ca_file=check_authorities(settings.discord.ca_file),
        guilds=settings.authority.guilds,
        channels=settings.authority.channels,
        read_messages=settings.discord.read_messages,
    )


def allowed(authority: AuthoritySettings) -> Iterator[Finding]:
    """Judge where the configuration lets him be, and whom it lets move him."""
    count = len(authority.guilds)
    if not count:
        remedy = "put a server's id into [authority] guilds (Discord: Developer Mode on, Copy Server ID)"
        yield Finding(name="servers", ok=False, says="he may be in no server", remedy=remedy)
    else:
        yield Finding(name="servers", ok=True, says=f"he may be in {count} server{'s' if count > 1 else ''}")
    if authority.join_policy == "guild_members":
        yield Finding(name="authority", ok=True, says="everybody there may have him come and go")
    elif not authority.is_nobodys():
        yield Finding(name="authority", ok=True, says="somebody may have him come and go")
    else:
        remedy = "set [authority] owner to your own id, or ambient_users, ambient_roles, or join_policy"
        yield Finding(name="authority", ok=False, says="nobody may have him come and go", remedy=remedy)


def show(console: Console, finding: Finding) -> None:
    """Print a finding in a line and its remedy in the next; neither is broken, so that they can be copied."""
    advice = bool(finding.remedy)
    mark = ("✗", "bold red") if not finding.ok else ("•", "yellow") if advice else ("✓", "green")
    name = f" {finding.name.ljust(WIDEST_NAME)} "
    console.print(Text.assemble(mark, (name, "bold"), finding.says), soft_wrap=True)
    if advice:
        console.print(Text(f"{'':{WIDEST_NAME + 2}} → {finding.remedy}", style="yellow"), soft_wrap=True)


def summed_up(findings: Sequence[Finding], token: str | Finding) -> str:
    """How it stands with him, in a sentence."""
    sick = sum(not finding.ok for finding in findings)
    if sick:
        return f"{sick} thing{'s' if sick > 1 else ''} to mend."
    if token is NO_TOKEN:
        return "Nothing to mend. Now: clankie run, in a local room; Discord needs a bot token."
    return "Nothing to mend. Now: clankie run, and /clankie join in a voice channel."
