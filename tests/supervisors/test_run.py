"""What `clankie run` says before anybody has called him."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loguru import logger

from actors.gateway.settings import AuthoritySettings
from supervisors.commands.run import warn_who_cannot_be_called


@pytest.fixture
def log() -> Iterator[list[str]]:
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}", level="WARNING")
    yield lines
    logger.remove(sink)


@pytest.mark.parametrize(
    ("authority", "warned"),
    [
        (AuthoritySettings(owner=1), "guilds is empty"),
        (AuthoritySettings(guilds=(2,)), "lets nobody"),
        (AuthoritySettings(guilds=(2,), owner=1), None),
        (AuthoritySettings(guilds=(2,), ambient_roles=(3,)), None),
        (AuthoritySettings(guilds=(2,), join_policy="guild_members"), None),
    ],
)
def test_who_could_never_be_called_is_warned_of(
    log: list[str], authority: AuthoritySettings, warned: str | None
) -> None:
    warn_who_cannot_be_called(authority)
    assert [line for line in log if warned is None or warned not in line] == []
    assert len(log) == (warned is not None)
