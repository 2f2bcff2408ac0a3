"""May he read this, and is it for him: one rule after another, and the first that speaks is on record."""

from __future__ import annotations

import re
from dataclasses import dataclass

from actors.gateway.lane import TextLane
from actors.gateway.state import State
from messages.gateway import MessageSeen
from messages.ids import GuildId, PersonId, RoomId

MOST_WAITING = 64
"""So many admitted messages may wait for an answer, in all rooms together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a message is admitted, and the rule that decided."""

    admitted: bool
    rule: str


def address(lane: TextLane, event: MessageSeen) -> str:
    """How this is addressed to him: `direct`, `mention`, `name`, or not at all."""
    if event.guild is None:
        return "direct"
    if event.mentions_him:
        return "mention"
    called = "|".join(map(re.escape, lane.names))
    return "name" if called and re.search(rf"(?<!\w)(?:{called})(?!\w)", event.text, re.IGNORECASE) else ""


def judge(state: State, event: MessageSeen) -> Verdict:
    """Enabled, private messages, guild, channel, reply policy, too many waiting; no bot gets here."""
    refused = forbidden(state, event.guild, event.person.id, event.room, event.parent)
    if refused:
        return Verdict(admitted=False, rule=refused)
    lane = state.text
    engaged = "engaged" if lane.engaged.get(event.room) else ""
    everything = "policy" if lane.settings.reply_policy == "all" else ""
    reason = address(lane, event) or engaged or everything
    if not reason:
        return Verdict(admitted=False, rule="not_addressed")
    if len(lane.waiting) >= MOST_WAITING:
        return Verdict(admitted=False, rule="full")
    return Verdict(admitted=True, rule=reason)


def forbidden(
    state: State, guild: GuildId | None, person: PersonId, room: RoomId, parent: RoomId | None = None
) -> str:
    """Return the rule by which he neither reads nor writes there; empty if none forbids it."""
    if not state.text.settings.enabled:
        return "disabled"
    if guild is None:
        return "" if _may_write_privately(state, person) else "dms"
    if not _is_allowed(state, guild):
        return "guild"
    channels = {RoomId(str(one)) for one in state.text.settings.channels}
    return "channel" if channels and channels.isdisjoint((room, parent)) else ""


def _may_write_privately(state: State, person: PersonId) -> bool:
    settings = state.text.settings
    if settings.dms == "deny":
        return False
    listed = settings.dms == "allowlist" and person in {PersonId(str(one)) for one in settings.dm_users}
    return listed or person == state.authority.owner


def _is_allowed(state: State, guild: GuildId) -> bool:
    return guild == state.authority.home or guild in state.authority.guilds


def request_of(lane: TextLane, event: MessageSeen) -> str:
    """What he is asked: the text without the mention that it begins with, or, without words, its pictures."""
    called = "|".join(map(re.escape, filter(None, (lane.account, *lane.names))))
    text = event.text.strip()
    if event.mentions_him and called:
        text = re.sub(rf"\A@(?:{called})(?!\w)[\s,:]*", "", text, count=1, flags=re.IGNORECASE)
    return text or (f"[images: {event.images}]" if event.images else event.text.strip())
