"""What `clankie run` says before anybody has called him."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Self, cast

import pytest
from loguru import logger

from actors.console.settings import ConsoleSettings
from actors.gateway.settings import AuthoritySettings
from messages.gateway import ConsentsLost
from messages.ids import StayId
from supervisors import tree
from supervisors.commands import run
from supervisors.commands.invitation import Invitation
from supervisors.commands.run import warn_who_cannot_be_called
from supervisors.house import House
from tests.source import ROOT


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


class Shut:
    """A house that is told to close as soon as somebody waits for that."""

    def __init__(self, diary: list[str]) -> None:
        self.diary = diary

    @property
    def gateway(self) -> Self:
        return self

    def tell(self, loss: ConsentsLost) -> None:
        self.diary.append(f"told of {loss.stay}")

    def __enter__(self) -> Self:
        self.diary.append("open")
        return self

    def __exit__(self, *_: object) -> None:
        self.diary.append("closed")

    def wait(self, pulse: Callable[[], object]) -> bool:
        self.diary.append("waits")
        pulse()
        return True


class Sweeper:
    """A broom that is always due."""

    def __init__(self, diary: list[str]) -> None:
        self.diary = diary

    def settle(self) -> None:
        self.diary.append("settled")

    def due(self) -> bool:
        return True

    def sweep(self) -> None:
        self.diary.append("swept")


def test_what_a_stay_needs_is_imported_once_the_house_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    diary: list[str] = []
    monkeypatch.setattr(run, "_on_signals", lambda _: None)
    monkeypatch.setattr(tree, "warm", lambda: diary.append("warm"))
    monkeypatch.setattr(run, "Broom", lambda: Sweeper(diary))
    invitation = Invitation(ConsoleSettings(), screen=io.StringIO())
    losses = (ConsentsLost(stay=StayId("s1"), room=None, people=()),)
    assert run._kept(cast("House", Shut(diary)), invitation, lambda _: diary.append("begins"), losses)
    assert diary == ["open", "told of s1", "begins", "warm", "settled", "waits", "swept", "closed"]


def test_to_be_warm_is_to_know_the_rooms_of_a_stay() -> None:
    program = (
        "import json, sys; from supervisors import tree; before = 'supervisors.family' in sys.modules; "
        "tree.warm(); print(json.dumps([before, 'supervisors.family' in sys.modules]))"
    )
    done = subprocess.run(
        (sys.executable, "-c", program), cwd=ROOT, capture_output=True, text=True, timeout=30.0, check=True
    )
    assert json.loads(done.stdout) == [False, True]
