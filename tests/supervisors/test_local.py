"""A house around one room is everybody's who sits in it, unless its configuration says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.authority import Authority
from actors.gateway.authority import authority_of
from actors.local_room import GUILD
from messages.gateway import Asker
from messages.ids import PersonId
from messages.people import Person
from supervisors.local import HOSPITABLE
from supervisors.settings import configured

VARIABLE = "CLANKIE_AUTHORITY__JOIN_POLICY"
SEATED = Asker(person=Person(id=PersonId("web-1"), label="Ann"), guild=GUILD)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def law(config: Path | None = None) -> Authority:
    return authority_of(configured(config, HOSPITABLE).authority, GUILD)


def test_whoever_sits_in_the_local_room_may_have_him_come_and_go(folder: Path) -> None:
    assert law().may_move(SEATED)
    silent = folder / "silent.toml"
    silent.write_text("[authority]\nguilds = [1]\n")
    assert law(silent).may_move(SEATED)
    assert not authority_of(configured(silent).authority, GUILD).may_move(SEATED)


def test_a_configuration_that_says_who_moves_him_is_obeyed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = folder / "strict.toml"
    strict.write_text('[authority]\njoin_policy = "ambient"\n')
    assert not law(strict).may_move(SEATED)
    monkeypatch.setenv(VARIABLE, "ambient")
    assert not law().may_move(SEATED)
