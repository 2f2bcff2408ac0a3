"""The report says why he is silent, and whether there is a room of this process to sit down in."""

import pytest

from actors.console.reporting import report
from actors.console.silence import why_silent
from actors.console.state import State
from messages.ids import RoomId, Token


@pytest.mark.parametrize("home", [None, RoomId("local")])
def test_a_report_names_the_room_and_what_keeps_him_silent(home: RoomId | None) -> None:
    state = State(version="1", opened_at=0.0, token=Token(0), ask_seconds=1.0, home=home)
    told = report(state, 2.0)
    assert told.room == home
    assert told.silent == why_silent(told)
    assert "he is not in a room" in told.silent
