"""The key: whole or not there, for nobody else's eyes, and taken away by the house that put it there only."""

from __future__ import annotations

import asyncio
import os
import weakref
from pathlib import Path
from unittest.mock import Mock

import pytest

from actors.console import knock
from actors.console.live import guard
from actors.console.live.guard import Guests
from actors.console.live.key import Key, NoKey, shown_in
from actors.console.settings import door_file, key_file


def test_a_key_opens_for_what_its_file_says_and_for_nothing_else(tmp_path: Path) -> None:
    key, other = Key(), Key()
    key.put(tmp_path / "new" / "console", 4330)
    shown = shown_in(key_file(tmp_path / "new" / "console", 4330))
    assert key.opens_for(f"Bearer {shown}")
    assert key.opens_for(f"bearer  {shown} ")
    assert not other.opens_for(f"Bearer {shown}")
    for header in (None, "", "Bearer", "Bearer ", shown, f"Bearer {shown[:-1]}", f"Bearer {shown}x"):
        assert not key.opens_for(header)
    assert (repr(key), shown in str(vars(key).keys())) == ("Key()", False)


def test_a_house_takes_away_its_own_key_and_not_the_next_ones(tmp_path: Path) -> None:
    first, second = Key(), Key()
    first.put(tmp_path, 1)
    second.put(tmp_path, 1)
    first.remove()
    assert second.opens_for(f"Bearer {shown_in(key_file(tmp_path, 1))}")
    door_file(tmp_path, 1).touch()
    second.remove()
    second.remove()
    Key().remove()
    assert list(tmp_path.iterdir()) == []


def test_a_link_that_lies_in_the_way_is_not_followed(tmp_path: Path) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "console"
    victim.write_text("mine")
    folder.mkdir(mode=0o700)
    for name in (key_file(folder, 1), folder / "console-1.key.new"):
        name.symlink_to(victim)
    Key().put(folder, 1)
    assert victim.read_text() == "mine"
    assert [path.name for path in folder.iterdir()] == ["console-1.key"]
    assert not key_file(folder, 1).is_symlink()


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(key_file(tmp_path, 1))
    with pytest.raises(OSError, match="is no file"):
        shown_in(key_file(tmp_path, 1))


def test_a_key_of_another_user_is_said_to_be_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knock, "shown_in", Mock(side_effect=PermissionError))
    with pytest.raises(knock.NoKey, match="cannot be read; ask as the user as whom the house runs"):
        knock.key_of(4330, tmp_path)


def test_a_key_that_cannot_be_kept_is_said_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoKey, match=r"no key can be kept in .*/file .*; set \[console\] directory"):
        Key().put(tmp_path / "file", 1)
    with pytest.raises(NoKey, match=r"nobody's home; write \[console\] directory in full"):
        Key().put(Path("~nobody-of-that-name/console"), 1)


class Line(asyncio.Transport):
    """A connection of which only its end counts."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = asyncio.Event()

    def abort(self) -> None:
        self.ended.set()


def test_a_guest_stays_as_long_as_he_is_served_and_then_as_long_as_anybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "LIFE_SECONDS", 0.01)

    async def visit() -> None:
        guests, line = Guests(), Line()
        standing = weakref.ref[asyncio.BaseTransport](line)
        with guests.staying(line):
            guests.hang_up(standing)
            assert not line.ended.is_set()
        await asyncio.wait_for(line.ended.wait(), 5)
        line.ended.clear()
        guests.hang_up(standing)
        assert line.ended.is_set()

    asyncio.run(visit())
