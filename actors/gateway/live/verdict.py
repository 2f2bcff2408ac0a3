"""What a look at the account means, without a look of its own: from facts to findings with their remedies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import aiohttp
import discord

from actors.gateway.live.trouble import PERSON, PORTAL, NoBot, explain
from actors.gateway.port import Finding

NEEDED: Final = {
    "view_channel": "View Channels",
    "connect": "Connect",
    "speak": "Speak",
    "use_voice_activation": "Use Voice Activity",
    "send_messages": "Send Messages",
    "read_message_history": "Read Message History",
    "add_reactions": "Add Reactions",
    "attach_files": "Attach Files",
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}
"""discord.py's name of each permission that he needs, and the one that people see."""
VIEW: Final = "view_channel"
_THREADS: Final = frozenset({"create_public_threads", "send_messages_in_threads"})
VOICE: Final = tuple(name for name in NEEDED if name not in _THREADS)
TEXT: Final = tuple(name for name in NEEDED if name not in {"connect", "speak", "use_voice_activation"})
MOST_NAMED: Final = 10
NONSENSE: Final = (AttributeError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A channel that he talks or writes in; `lacks` and `reserved` are keys of NEEDED."""

    id: int
    name: str
    lacks: frozenset[str]
    """What he needs there and may not."""
    reserved: frozenset[str] = frozenset()
    """What an ordinary member may not there either, which looks like a purpose."""


def invite_url(application: int) -> str:
    """The address at which somebody who manages a server lets him in, with all that he needs and no more."""
    needed = discord.Permissions(**dict.fromkeys(NEEDED, True))
    return discord.utils.oauth_url(application, permissions=needed, scopes=("bot", "applications.commands"))


def printable(name: str) -> str:
    """A name from Discord without anything that a terminal would take for an order."""
    return "".join(letter for letter in name if letter.isprintable())


def room_of(channel: discord.VoiceChannel | discord.TextChannel, me: discord.Member) -> Room:
    """Read off what he and an ordinary member may do in a channel."""
    needed = VOICE if isinstance(channel, discord.VoiceChannel) else TEXT
    return Room(
        id=channel.id,
        name=printable(channel.name),
        lacks=_lacking(channel.permissions_for(me), needed),
        reserved=_lacking(channel.permissions_for(channel.guild.default_role), needed),
    )


def _lacking(permitted: discord.Permissions, needed: Sequence[str]) -> frozenset[str]:
    if not permitted.view_channel:
        return frozenset({VIEW})  # whoever does not see a channel may do nothing there: that says no more
    return frozenset(name for name in needed if not getattr(permitted, name))


def about_rooms(where: str, rooms: Sequence[Room], named: frozenset[int] = frozenset()) -> Iterator[Finding]:
    """Judge channels of one kind; `where` names them together, `named` are those that the operator chose.

    What he may in none of them is said once. Of a channel that keeps ordinary members out as well, nothing
    is said unless it was chosen.
    """
    if not rooms:
        return
    nowhere = frozenset.intersection(*(room.lacks for room in rooms))
    if nowhere:
        there = f"in {rooms[0].name}" if len(rooms) == 1 else f"in any of {len(rooms)} channels"
        yield _forbidden(where, nowhere, there)
    missing = {
        room: room.lacks - nowhere - (frozenset() if room.id in named else room.reserved) for room in rooms
    }
    sick = [room for room in rooms if missing[room]]
    for room in sick[:MOST_NAMED]:
        yield _forbidden(f"channel {room.name}", missing[room], "there")
    if len(sick) > MOST_NAMED:
        says = f"so it is in {len(sick) - MOST_NAMED} more channels"
        yield Finding(name=where, ok=False, says=says, remedy="give his role the same there")
    if not nowhere and (fine := [room for room in rooms if not missing[room]]):
        yield Finding(name=where, ok=True, says=_all_well(fine, len(rooms)))


def _forbidden(name: str, what: frozenset[str], there: str) -> Finding:
    words = ", ".join(NEEDED[one] for one in NEEDED if one in what)
    remedy = "allow his role that, in Server Settings, Roles, or in the Permissions of the channel"
    return Finding(name=name, ok=False, says=f"he may not {words} {there}", remedy=remedy)


def _all_well(fine: Sequence[Room], of: int) -> str:
    hidden = sum(VIEW in room.lacks for room in fine)
    closed = sum(bool(room.lacks) for room in fine) - hidden
    count = len(fine) - hidden - closed
    says = f"he may do all that he needs in {count} of {of}" if count < of else "he may do all that he needs"
    if hidden:
        says += f"; {hidden} he does not see, like most members"
    if closed:
        says += f"; in {closed} he may only do what most members may"
    return says


def about_absent(named: frozenset[int], found: frozenset[int]) -> Iterator[Finding]:
    """Say which of the channels that the operator chose are nowhere to be found."""
    for channel in sorted(named - found)[:MOST_NAMED]:
        yield Finding(
            name=f"channel {channel}",
            ok=False,
            says="no server that he may be in has a voice channel of this id",
            remedy="copy the channel's id again (Developer Mode, Copy Channel ID) into [authority] channels",
        )


def about_content(*, granted: bool, wanted: bool) -> Finding:
    """Judge the message content intent, the only privileged one that he may want."""
    if granted:
        return Finding(name="intents", ok=True, says="the message content intent is on")
    says = "the message content intent is off"
    if not wanted:
        return Finding(name="intents", ok=True, says=f"{says}, as [discord] read_messages = false allows")
    return Finding(
        name="intents",
        ok=False,
        says=f"{says}: he cannot log in to read what does not mention him",
        remedy=f"switch on Message Content Intent at {PORTAL} (Bot), or set [discord] read_messages = false",
    )


def about_failure(failure: Exception) -> Finding:
    """Put what ended a look in words; no text of the failure's own is repeated, which might hold a secret."""
    match failure:
        case NoBot():
            says = "this is the token of a person, not of a bot"
            return Finding(name="token", ok=False, says=says, remedy=PERSON.remedy)
        case discord.LoginFailure():
            remedy = f"make a new one at {PORTAL} (Bot, Reset Token) and put it where the old one was"
            return Finding(name="token", ok=False, says="Discord does not know this token", remedy=remedy)
        case aiohttp.InvalidURL():
            return unreachable("[discord] proxy is no address", 'write it as in "http://127.0.0.1:3128"')
        case _ if isinstance(failure, NONSENSE) and not isinstance(failure, OSError):
            why = f"something else seems to answer in its place: {type(failure).__name__}"
            remedy = "see what stands between here and discord.com: a login page, or a wrong [discord] proxy"
            return unreachable(why, remedy)
        case _:
            trouble = explain(failure)
            return unreachable(trouble.reason.replace("_", " "), trouble.remedy)


def about_silence(seconds: float, last: int | None) -> Finding:
    """Judge a look that took too long; `last` is the HTTP status that was answered last."""
    match last:
        case 429:
            return unreachable("it wants this machine to wait", "ask again in some minutes")
        case int() if last >= 500:
            remedy = "look at https://discordstatus.com and ask again later"
            return unreachable(f"it has a problem of its own: HTTP {last}", remedy)
        case _:
            remedy = "look at the network, at [discord] proxy and at https://discordstatus.com"
            return unreachable(f"no answer in {seconds:.0f} s", remedy)


def unreachable(why: str, remedy: str) -> Finding:
    """Say that Discord could not be asked."""
    return Finding(name="discord", ok=False, says=f"Discord cannot be reached ({why})", remedy=remedy)
