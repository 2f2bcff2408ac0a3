"""What this machine brings along for his voice: packages, codec, models, and the scheduler's favour."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from actors.audio.models import ModelMissing, package_folder
from actors.audio.opus import NoOpus, load_opus, opus_version
from actors.gateway.port import Finding
from supervisors.packages import rivals, run_setup, stranger, unloadable, version_of
from supervisors.paths import at_home
from supervisors.preflight import check_models, check_notes
from supervisors.settings import BadConfig, Settings, SpeechSettings

INSTALL: Final = run_setup("discord")
INSTALL_LOCAL: Final = run_setup("local")
MODULES: Final = {
    "davey": ("davey", "without it no call is encrypted from end to end, and Discord hangs up (4017)"),
    "cryptography": ("cryptography", "without it no sound is encrypted"),
    "websockets": ("websockets", "without it there is no voice gateway"),
}
"""By distribution: the module, and what it is for."""
ASK_SCHEDULER: Final = "from actors.voice.media.priority import rise; print(rise())"
ASK_SECONDS: Final = 10.0


def packages() -> Iterator[Finding]:
    """Look at the libraries that carry his sound."""
    version = version_of("discord.py")
    yield (
        _missing("discord.py", "without it there is no account")
        if version is None
        else Finding(name="discord.py", ok=True, says=version)
    )
    yield only_one_discord(rivals(), stranger())
    for distribution, (module, without) in MODULES.items():
        yield package(distribution, version_of(distribution), unloadable(module), without)
    yield second_cipher(version_of("PyNaCl"))


def package(name: str, version: str | None, failure: str | None, without: str) -> Finding:
    """Judge a library that is needed; `failure` is why it cannot be imported."""
    if version is None:
        return _missing(name, without)
    if failure is not None:
        remedy = f"run: pip install --force-reinstall {name}"
        return Finding(name=name, ok=False, says=f"{version} does not load ({failure})", remedy=remedy)
    return Finding(name=name, ok=True, says=version)


def _missing(name: str, without: str) -> Finding:
    return Finding(name=name, ok=False, says=f"is not installed; {without}", remedy=INSTALL)


def second_cipher(version: str | None) -> Finding:
    """Judge PyNaCl, which only a voice server without AES-GCM asks for."""
    if version is None:
        says = "is not installed; only a voice server without AES-GCM would want it"
        return Finding(name="PyNaCl", ok=True, says=says, remedy=INSTALL)
    return Finding(name="PyNaCl", ok=True, says=f"{version}, so he knows both of Discord's ciphers")


def only_one_discord(rivals: tuple[str, ...], stranger: str | None) -> Finding:
    """Judge what `import discord` leads to: other libraries bring a package of the same name."""
    name = "discord package"
    if rivals:
        remedy = f"run: pip uninstall {' '.join(rivals)}; pip install --force-reinstall discord.py"
        beside = "is installed beside discord.py and overwrites it"
        return Finding(name=name, ok=False, says=f"{', '.join(rivals)} {beside}", remedy=remedy)
    if stranger is not None:
        remedy = f"move {stranger} away, or take its parent out of PYTHONPATH"
        says = f"import discord finds {stranger}, which is not discord.py"
        return Finding(name=name, ok=False, says=says, remedy=remedy)
    return Finding(name=name, ok=True, says="no other library uses its name")


def codec(speech: SpeechSettings) -> Finding:
    """Look for libopus and say which one it is."""
    chosen = speech.opus_library
    try:
        path = None if chosen is None else str(at_home("[speech] opus_library", chosen))
        found = str(load_opus(path)._name)  # noqa: SLF001 - ctypes has no other name for a library's path
        says = f"{opus_version(path)}, {origin(found, chosen)}"
        return Finding(name="libopus", ok=True, says=says)
    except NoOpus as error:
        remedy = "install it (Debian: apt install libopus0), or run: pip install av"
        if chosen is not None:
            remedy = "name one as [speech] opus_library, or take that line out"
        return Finding(name="libopus", ok=False, says=str(error).partition(". ")[0], remedy=remedy)
    except BadConfig as error:
        return complaint("libopus", error)


def origin(found: str, chosen: Path | None) -> str:
    """Where a libopus came from."""
    if chosen is not None:
        return f"as [speech] opus_library says: {found}"
    if "/" in found:
        return f"out of the installed PyAV: {found}"
    return f"the system's own: {found}"


def speech(settings: Settings) -> Iterator[Finding]:
    """Look at the files that ears and mouth need, without loading a model."""
    if package_folder("faster_whisper") is None:
        says = "the local models are not installed"
        yield Finding(name="speech", ok=False, says=says, remedy=INSTALL_LOCAL)
    else:
        yield _models(settings)
    if settings.captain.notes_file is not None:
        yield _notes(settings.captain.notes_file)


def _models(settings: Settings) -> Finding:
    try:
        check_models(settings)
    except ModelMissing as error:
        return Finding(name="speech", ok=False, says=error.what, remedy=error.remedy)
    except BadConfig as error:
        return complaint("speech", error)
    return Finding(name="speech", ok=True, says="every file of the local models is there")


def _notes(file: Path) -> Finding:
    try:
        check_notes(file)
    except BadConfig as error:
        return complaint("notes", error)
    return Finding(name="notes", ok=True, says=f"{file} can be read")


def complaint(name: str, error: BadConfig) -> Finding:
    """What is wrong with a line of the configuration, which names the remedy behind its semicolon."""
    says, _, remedy = str(error).partition("; ")
    return Finding(name=name, ok=False, says=says, remedy=remedy)


def scheduling() -> Finding:
    """Have a process ask the scheduler for what the media process will ask it for."""
    command = [sys.executable, "-c", ASK_SCHEDULER]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=ASK_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return precedence("")
    return precedence(asked.stdout.strip())


def precedence(granted: str) -> Finding:
    """Judge what the scheduler grants the media process; he speaks with any of it."""
    remedy = "for a steady voice on a busy machine: LimitRTPRIO=10 (systemd), --cap-add SYS_NICE (containers)"
    match granted:
        case "fifo":
            return Finding(name="scheduling", ok=True, says="his voice is sent in real time (SCHED_FIFO)")
        case "nice":
            says = "his voice goes before other programs (nice), though not in real time"
        case _:
            says = "his voice waits like any other program"
    return Finding(name="scheduling", ok=True, says=says, remedy=remedy)
