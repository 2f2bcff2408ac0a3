"""Trouble in one line: what people can mend says how, and a bug says where to look."""

from __future__ import annotations

from actors.audio.models import ModelMissing
from actors.audio.opus import NoOpus
from actors.audio.pcm import UnreadableSound
from actors.console.client import ClientError
from actors.life import blame
from supervisors.house import HouseNeverOpened, NobodyOfThatName
from supervisors.rehearsal.folder import BadFolder
from supervisors.rehearsal.scenario import BadScenario
from supervisors.report.gathering import BadRecord
from supervisors.settings import BadConfig

KNOWN = (
    BadConfig,
    BadFolder,
    BadRecord,
    BadScenario,
    ClientError,
    HouseNeverOpened,
    ModelMissing,
    NobodyOfThatName,
    NoOpus,
    UnreadableSound,
)


def told(error: Exception) -> tuple[str, bool]:
    """Return what to say about an error, and whether it is one that people can mend."""
    if isinstance(error, KNOWN):
        return str(error), True
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or type(error).__name__}; mend that and try again", True
    return f"This is a bug in Clankie ({blame(error)}); CLANKIE_DEBUG=1 shows all of it", False


def told_of_thread(name: str, error: BaseException) -> str:
    """Return what to say about a thread that an exception has ended."""
    return f"The thread {name} ended by a bug in Clankie ({blame(error)}); CLANKIE_DEBUG=1 shows all of it"
