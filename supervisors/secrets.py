"""The token opens the account: it comes from the environment or from a file of the owner's alone."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import MutableMapping
from pathlib import Path

from supervisors.paths import at_home
from supervisors.settings import BadConfig

TOKEN_VARIABLE = "CLANKIE_DISCORD_TOKEN"  # noqa: S105 - the name of a variable is no secret
CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"
"""Names the folder of systemd's LoadCredential, which nobody else may enter."""
GROUP_READS = 0o040
"""What a file in that folder shows: not its group, but the one reader whom an access list adds."""
LARGEST_BYTES = 4_096
_SHAPE = re.compile(r"[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}")


def discord_token(file: Path | None, environment: MutableMapping[str, str]) -> str | None:
    """Return the bot token, or None where there is none; raises BadConfig for one that cannot be right.

    The variable is taken out of `environment`, so that no child process inherits it.
    """
    token = environment.pop(TOKEN_VARIABLE, "").strip()
    where = TOKEN_VARIABLE
    if not token and file is not None:
        path = at_home("[discord] token_file", file)
        folder = environment.get(CREDENTIALS_VARIABLE)
        guarded = folder is not None and path.parent == Path(folder)
        token, where = _read(path, guarded=guarded).strip(), f"[discord] token_file: {file}"
        if not token:
            raise BadConfig(f"{where} is empty; write the bot token into it, or take it out")
    if not token:
        return None
    if not _SHAPE.fullmatch(token):
        raise BadConfig(
            f"{where} holds no bot token; copy it whole from the developer portal (Bot, Reset Token), "
            "without quotes and without the word Bot"
        )
    return token


def _read(file: Path, *, guarded: bool) -> str:
    at = f"[discord] token_file: {file}"
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise BadConfig(f"{at} cannot be read ({error.strerror}); name the file with the bot token") from None
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise BadConfig(f"{at} is no file; name the file with the bot token")
        if facts.st_mode & (0o077 & ~GROUP_READS if guarded else 0o077):
            raise BadConfig(f"{at} can be read by others; run: chmod 600 {file}")
        return os.read(descriptor, LARGEST_BYTES).decode("utf-8-sig", "replace")
    finally:
        os.close(descriptor)
