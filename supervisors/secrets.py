"""What opens a door comes from the environment or a file of the owner's alone, and is shown to nobody."""

from __future__ import annotations

import ctypes
import os
import re
import stat
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from actors.captain.settings import McpServer
from actors.seclusion import replaceable
from supervisors.paths import at_home
from supervisors.settings import BadConfig, Settings

TOKEN_VARIABLE = "CLANKIE_DISCORD_TOKEN"  # noqa: S105 - the name of a variable is no secret
CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"
"""Names the folder of systemd's LoadCredential, which nobody else may enter."""
GROUP_READS = 0o040
"""What a file in that folder shows: not its group, but the one reader whom an access list adds."""
LARGEST_BYTES = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The providers' keys, as far as there are any."""

    openai: str | None = field(default=None, repr=False)
    elevenlabs: str | None = field(default=None, repr=False)
    chat: str | None = field(default=None, repr=False)
    captain: str | None = field(default=None, repr=False)
    """For the captain's own `base_url`; at OpenAI's he has OpenAI's."""
    mcp: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The tokens for servers of tools, by their names."""


NO_KEYS: Final = Keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Door:
    """Where one secret may be, in the order in which it is looked for, and what it looks like."""

    variables: tuple[str, ...]
    setting: str
    what: str
    shape: re.Pattern[str]
    remedy: str


_NO_LINE: Final = r"(?![A-Z_]*KEY=)"
"""A line of an .env file is more than a key."""
_KEY: Final = re.compile(_NO_LINE + r"[!#-&(-\[\]-~]{8,512}")
_COPY: Final = (
    "copy it whole from the provider's page, without quotes, backslashes, a name and =, or the word Bearer"
)
_LOOKS: Final = re.compile(r"(\w+=)?((sk[-_]|xi-)[\w-]{17,}|(?=.*[0-9])[\w-]{32,})", re.ASCII)
"""What is no name of a file, most likely."""
_TOKEN: Final = _Door(
    variables=(TOKEN_VARIABLE,),
    setting="[discord] token_file",
    what="bot token",
    shape=re.compile(r"[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}"),
    remedy="copy it whole from the developer portal (Bot, Reset Token), without quotes and without the word "
    "Bot",
)
_OPENAI: Final = _Door(
    variables=("CLANKIE_OPENAI_API_KEY", "OPENAI_API_KEY"),
    setting="[openai] key_file",
    what="API key",
    shape=_KEY,
    remedy=_COPY,
)
_ELEVENLABS: Final = _Door(
    variables=("CLANKIE_ELEVENLABS_API_KEY", "ELEVENLABS_API_KEY"),
    setting="[elevenlabs] key_file",
    what="API key",
    shape=_KEY,
    remedy=_COPY,
)
_CHAT: Final = _Door(
    variables=("CLANKIE_CHAT_API_KEY",),
    setting="[realtime] key_file",
    what="API key",
    shape=re.compile(_NO_LINE + r"[!#-&(-\[\]-~]{1,512}"),
    remedy=_COPY,
)
_CAPTAIN: Final = replace(_CHAT, variables=("CLANKIE_CAPTAIN_API_KEY",), setting="[captain] key_file")


def discord_token(file: Path | None, environment: MutableMapping[str, str]) -> str | None:
    """Return the bot token, or None where there is none; raises BadConfig for one that cannot be right.

    The variable is taken out of `environment`, so that no child process inherits it and nobody sees it.
    """
    return _found(_TOKEN, file, environment)


def all_keys(settings: Settings, environment: MutableMapping[str, str]) -> Keys:
    """Return the keys of the providers, and the tokens for servers of tools; as `provider_keys` else."""
    keys = provider_keys(settings, environment)
    return replace(keys, mcp=dict(_tokens(settings.captain.mcp, environment)))


def provider_keys(settings: Settings, environment: MutableMapping[str, str]) -> Keys:
    """Return the keys that there are; raises BadConfig for one that cannot be right.

    Their variables are taken out of `environment`, so that no child inherits them and nobody sees them.
    """
    return Keys(
        openai=_found(_OPENAI, settings.openai.key_file, environment),
        elevenlabs=_found(_ELEVENLABS, settings.elevenlabs.key_file, environment),
        chat=_found(_CHAT, settings.realtime.key_file, environment),
        captain=_found(_CAPTAIN, settings.captain.key_file, environment),
    )


def tool_token(name: str, server: McpServer, environment: MutableMapping[str, str]) -> str | None:
    """Return the token for a server of tools, if any; raises BadConfig for one that cannot be right."""
    door = replace(_CHAT, variables=(), setting=f"[captain.mcp.{name}] token_file", what="token")
    return _found(door, server.token_file, environment)


def _tokens(
    servers: Mapping[str, McpServer], environment: MutableMapping[str, str]
) -> Iterator[tuple[str, str]]:
    for name, server in servers.items():
        token = tool_token(name, server, environment)
        if token is not None:
            yield name, token


def _found(door: _Door, file: Path | None, environment: MutableMapping[str, str]) -> str | None:
    given = [(name, _taken(name, environment)) for name in door.variables]
    _refuse_pasted(door, file)
    where, secret = next(((name, text) for name, text in given if text), ("", ""))
    if not secret and file is not None:
        where = f"{door.setting}: {file}"
        path = at_home(door.setting, file)
        folder = environment.get(CREDENTIALS_VARIABLE)
        guarded = folder is not None and path.parent == Path(folder)
        secret = _read(path, where, door.what, guarded=guarded).strip()
        if not secret:
            raise BadConfig(f"{where} is empty; write the {door.what} into it, or take it out")
    if not secret:
        return None
    if not door.shape.fullmatch(secret):
        raise BadConfig(f"{where} holds no {door.what}; {door.remedy}")
    return secret


def _refuse_pasted(door: _Door, file: Path | None) -> None:
    """Raise BadConfig, which repeats nothing, if a secret stands where the name of its file should."""
    if any(shape.fullmatch(str(file or "")) for shape in (_LOOKS, _TOKEN.shape)):
        raise BadConfig(
            f"{door.setting} looks like a key, and must be the name of a file with the {door.what} in it; "
            f"write the {door.what} into a file of mode 600, and name that"
        )


def _taken(name: str, environment: MutableMapping[str, str]) -> str:
    if environment is os.environ:
        _blank(name)
    return environment.pop(name, "").strip()


def _blank(name: str) -> None:
    """Overwrite a variable of this process, which `ps` and /proc would show until the end as it began."""
    library = ctypes.CDLL(None)
    library.getenv.argtypes, library.getenv.restype = [ctypes.c_char_p], ctypes.c_void_p
    if (place := library.getenv(os.fsencode(name))) is not None:
        ctypes.memset(place, 0, len(ctypes.string_at(place)))


def _read(file: Path, at: str, what: str, *, guarded: bool) -> str:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise BadConfig(f"{at} cannot be read ({error.strerror}); name the file with the {what}") from None
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise BadConfig(f"{at} is no file; name the file with the {what}")
        if facts.st_mode & (0o077 & ~GROUP_READS if guarded else 0o077):
            raise BadConfig(f"{at} can be read by others; run: chmod 600 {file}")
        if facts.st_uid not in {0, os.geteuid()}:
            raise BadConfig(f"{at} belongs to another user ({facts.st_uid}); write it anew, as your own file")
        if (folder := replaceable(file)) is not None:
            raise BadConfig(f"{at} can be replaced by everybody; run: chmod o-w {folder}")
        return os.read(descriptor, LARGEST_BYTES).decode("utf-8-sig", "replace")
    finally:
        os.close(descriptor)
