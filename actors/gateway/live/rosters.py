"""Who is in a room is told at once, and again when the names of strangers have been looked up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import discord
from loguru import logger

from actors.gateway.live import facts
from actors.gateway.live.errands import Errands
from actors.gateway.live.trouble import FAILURES
from messages.gateway import MemberArrived, MemberDeparted, RoomRoster
from messages.ids import PersonId
from messages.people import Person

LOOK_UP_SECONDS = 5.0
MOST_STRANGERS = 25
"""So many people of one room are looked up; it is the most that a room with video takes."""


class Rosters:
    """Tells who is where; Discord does not always say along with an id whose it is."""

    def __init__(
        self, tell: Callable[[RoomRoster | MemberArrived | MemberDeparted], None], errands: Errands
    ) -> None:
        self._tell, self._errands = tell, errands
        self._met: dict[tuple[int, int], Person] = {}
        self._told: dict[tuple[int, int], int] = {}
        self._ahead: set[tuple[int, int]] = set()
        """Who was told to be where only a later letter says that he is."""

    def forget(self) -> None:
        """Nothing that was told counts any more."""
        self._told.clear()
        self._ahead.clear()

    def moved(self, member: discord.Member, left: int | None, channel: int | None) -> None:
        """Somebody's voice state changed, from a channel that he `left`: told if it was not told before.

        discord.py changes the same object for each letter: of several that came together, all handlers see
        the last as where he is now. Who went out and came back in one breath is where he was told to be,
        but was elsewhere: that is told too, for a departure takes back his consent.
        """
        name = member.guild.id, member.id
        before = self._told.pop(name, None)
        if channel is not None:
            self._told[name] = channel
        if before == channel and (left == channel or name in self._ahead):
            if left == channel:
                self._ahead.discard(name)
            return
        self._ahead.add(name)
        if before is not None:
            self._tell(MemberDeparted(room=facts.room_id(before), person=PersonId(str(member.id))))
        if channel is not None:
            self._tell(MemberArrived(room=facts.room_id(channel), person=facts.person_of(member)))

    def tell(self, channel: facts.VoiceRoom, himself: int) -> None:
        """Everybody in this room but him."""
        unknown = self._tell_known(channel, himself)
        if unknown:
            self._errands.run(self._look_up(channel, himself, unknown))

    def _tell_known(self, channel: facts.VoiceRoom, himself: int) -> tuple[int, ...]:
        for user in channel.voice_states:
            self._told[channel.guild.id, user] = channel.id
        known, unknown = facts.roster(channel, himself)
        met = {user: self._met.get((channel.guild.id, user)) for user in unknown}
        strangers = tuple(person or _somebody(user) for user, person in met.items())
        self._tell(RoomRoster(room=facts.room_id(channel.id), people=(*known, *strangers)))
        return tuple(user for user, person in met.items() if person is None)

    async def _look_up(self, channel: facts.VoiceRoom, himself: int, users: tuple[int, ...]) -> None:
        try:
            async with asyncio.timeout(LOOK_UP_SECONDS):
                for user in users[:MOST_STRANGERS]:
                    member = await channel.guild.fetch_member(user)
                    self._met[channel.guild.id, user] = facts.person_of(member)
        except FAILURES as failure:
            logger.debug("somebody in room {} stays unknown: {}", channel.id, type(failure).__name__)
        self._tell_known(channel, himself)


def _somebody(user: int) -> Person:
    return Person(id=PersonId(str(user)), label="somebody")
