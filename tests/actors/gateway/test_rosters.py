"""However many letters come in one breath, who left a room is told to have left it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeAlias, cast

import pytest

from messages.gateway import MemberArrived, MemberDeparted, RoomRoster
from tests.actors.gateway.living import AUDIOOP

if TYPE_CHECKING:
    import discord

pytestmark = pytest.mark.filterwarnings(AUDIOOP)
News: TypeAlias = RoomRoster | MemberArrived | MemberDeparted


@pytest.mark.parametrize(
    ("letters", "told"),
    [
        ([(None, 1), (1, 1), (1, None)], ["+1", "-1"]),
        ([(None, 1), (1, 2), (2, None)], ["+1", "-1", "+2", "-2"]),
        # In one breath: every letter says the last channel as the new one.
        ([(None, None), (1, None)], []),
        ([(None, 1), (1, None), (None, 1)], ["+1", "-1", "+1"]),
        ([(None, 1), (1, 1), (2, 1)], ["+1", "-1", "+1"]),
        ([(None, 1), (1, 2), (1, 2), (1, 2)], ["+1", "-1", "+2"]),
        ([(None, 3), (1, 3), (2, 3), (3, 3), (3, 3), (4, 3)], ["+3", "-3", "+3"]),
    ],
)
def test_a_departure_is_told_even_if_he_was_back_at_once(
    letters: list[tuple[int | None, int | None]], told: list[str]
) -> None:
    from actors.gateway.live.errands import Errands
    from actors.gateway.live.rosters import Rosters

    news: list[News] = []
    rosters = Rosters(news.append, Errands())
    ada = SimpleNamespace(id=7, guild=SimpleNamespace(id=1), display_name="Ada", bot=False)
    for left, channel in letters:
        rosters.moved(cast("discord.Member", ada), left, channel)
    signs = ["+" if isinstance(one, MemberArrived) else "-" for one in news]
    assert [f"{sign}{one.room}" for sign, one in zip(signs, news, strict=True)] == told


def test_after_a_new_login_nobody_is_believed_to_be_where_he_was() -> None:
    from actors.gateway.live.errands import Errands
    from actors.gateway.live.rosters import Rosters

    news: list[News] = []
    rosters = Rosters(news.append, Errands())
    ada = SimpleNamespace(id=7, guild=SimpleNamespace(id=1), display_name="Ada", bot=False)
    for _ in range(2):
        rosters.moved(cast("discord.Member", ada), None, 1)
        rosters.forget()
    assert [type(one) for one in news] == [MemberArrived, MemberArrived]
