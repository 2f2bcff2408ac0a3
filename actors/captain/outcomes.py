"""What came of a tool in a plain sentence, and what to do about it where something is in the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messages import reasons

REFUSED: Final = frozenset({"join_refused", "leave_refused", "refused", "failed", "error"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Someone:
    """Who is in a room; `heard` if he let himself be."""

    name: str
    heard: bool = False
    bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The output of a tool, as far as it can be told; all its words are untrusted."""

    outcome: str
    reason: str = ""
    channel: str = ""
    own_channel: str = ""
    """Where he is himself."""
    opted_in: bool = False
    transcripts_kept: bool = False
    url: str = ""
    people: tuple[Someone, ...] = ()
    humans: int = 0
    notes: tuple[str, ...] = ()
    text: str = ""
    files: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether it was done."""
        return self.outcome not in REFUSED

    @property
    def code(self) -> str:
        """What it comes to, in one word."""
        return self.reason if not self.done and self.reason else self.outcome


_TRY_NOW = 'Say "try now" in a moment.'
_COMING: Final[Mapping[str, str]] = {
    "authority": "You may not have me come. Whoever runs me can allow it.",
    "allowlist": "I am not allowed into that voice channel. Whoever runs me can allow it.",
    "not_in_voice": 'I don\'t see you in a voice channel. Join one and say "try now".',
    "voice_disabled": "Voice is switched off. Whoever runs me can switch it on.",
    "other_guild": "I am in a voice channel elsewhere. Somebody there has to let me go first.",
    "no_owner": "I do not know who my owner is. Set owner in [authority], and ask me again.",
    "ambiguous": 'I see my owner in several voice channels. Leave all but one and say "try now".',
    "failed": f"I could not get into the voice channel. {_TRY_NOW}",
    "channel_full": 'That voice channel is full. Make room for me and say "try now".',
    "leaving": f"I am just leaving. {_TRY_NOW}",
    "missing_permission_connect": "I may not enter that voice channel. A moderator can allow me Connect.",
    "missing_permission_view_channel": "I may not see that channel. A moderator can allow me View Channel.",
    "other_room": "I am in another voice channel of this server. Have me leave it, or move me over.",
}
_GOING: Final[Mapping[str, str]] = {
    "authority": "You may not have me go. Whoever runs me can allow it.",
    "not_in_voice": "I am in no voice channel here.",
}
_ANYTHING: Final[Mapping[str, str]] = {
    "account_not_ready": f"My account is not connected at the moment. {_TRY_NOW}",
    "authority": "You may not have me do that. Whoever runs me can allow it.",
    "bad_arguments": "The tool does not take it like that. Say it in other words.",
    "bad_frame": "What the tool sent back cannot be read, and I do not know whether it was done.",
    "busy": f"Too much is going on at once. {_TRY_NOW}",
    "closed": "Somebody closed it before it was open. Ask me again if you still want it.",
    "confirmed_by_nobody": "Nobody who may allow that pressed the button in time, so I left it.",
    "denied": "Somebody said no to that, so I left it.",
    "ended": "I have left the voice channel meanwhile. Have me come first.",
    "forbidden": "I lack the permission for that here. A moderator can give it to me.",
    "gateway_lost": "My account lost its connection, and I do not know whether it was done.",
    "gone": "What that was about is not there any more.",
    "no_activity": "No activity is configured. Whoever runs me can name one.",
    "no_guild": "There are no voice channels here. Ask me in a server.",
    "no_speaker": "I do not know who asks. If you run me, set owner in [authority], and ask me again.",
    "no_room": "There is no channel here. Have me note it in the one that it is about.",
    "no_such_room": "That channel is not there any more.",
    "no_such_tool": "I cannot do that now.",
    "no_thread": "This is no thread. Ask me inside the one that I am to join.",
    "no_trigger": "There is no message here to do that to. Ask me in writing.",
    "not_active": "I am not in your voice channel. Have me come first.",
    "not_in_voice": _COMING["not_in_voice"],
    "not_kept": f"I could not write that down. {_TRY_NOW}",
    "not_offered": "I may not do that here.",
    "not_open": "There is nothing open that I could close.",
    "not_sent": "The tool is not there any more, and nothing was done.",
    "notes_full": "I have too many notes. Have some forgotten first.",
    "refused": "Discord does not take that.",
    "server_gone": "The tool stopped, and I do not know whether it was done.",
    "several_speakers": "Several of you asked at once. Let one of you ask alone.",
    "timeout": "No answer came in time, and I do not know whether it was done.",
    "too_large": "The tool gave back more than I can take. Ask for less.",
    "too_long_to_confirm": "That is too long to be confirmed with a button. Ask for less, or in writing.",
    "tool_error": "The tool says that it failed.",
    "unknown_activity": "Discord does not know the activity. Whoever runs me can check [discord] activity.",
    "unknown_emoji": "I do not know that emoji. Name one that everybody has, or one of this server's.",
    "unknown_tool": "I cannot do that now.",
    "unsupported": "That cannot be done here.",
}
_DONE: Final[Mapping[str, str]] = {
    "create_thread": "The thread is there.",
    "join_thread": "I am in the thread.",
    "remember": "I will remember that.",
    "watch_stop": "It is closed.",
}
_NOT_FOR_YOU: Final = "I may not do that for you here. Whoever runs me can allow it."
_NOT_FROM_HERE: Final = "That cannot be done from here. Ask me in the channel where it is to be."
_ON_A_MESSAGE: Final = frozenset({"react", "unreact", "create_thread", "join_thread"})


def in_words(tool: str, came: Outcome, *, own_room: bool = False) -> str:
    """What he says of it."""
    if not came.done:
        return _in_the_way(tool, came.reason)
    match came.outcome:
        case "joined":
            return _joined(came, own_room=own_room)
        case "left":
            return f"I have left {came.channel or 'the voice channel'}."
        case "watching":
            return f"It is open: {came.url}"
        case "room":
            return _room(came)
        case "notes":
            return f"I remember: {'; '.join(came.notes)}." if came.notes else "I have no notes about that."
        case "machine":
            return came.text
        case _:
            return _DONE.get(tool, "Done.")


def not_offered(tool: str, *, operator: bool) -> str:
    """Why he does not even try; an operator may do all that can be done where he asks."""
    if operator:
        return _NOT_FROM_HERE
    return _ANYTHING["no_trigger"] if tool in _ON_A_MESSAGE else _NOT_FOR_YOU


def _in_the_way(tool: str, reason: str) -> str:
    own: Mapping[str, str] = {"voice_join": _COMING, "voice_leave": _GOING}.get(tool, {})
    known = own.get(reason) or _ANYTHING.get(reason)
    return known or f"That did not work: {reasons.in_words(reason) or 'nobody says why'}."


def _joined(came: Outcome, *, own_room: bool) -> str:
    here = f"I am in {came.channel or 'your voice channel'}."
    if not came.opted_in:
        how = 'press "Let him hear me" on the page' if own_room else "use /clankie voice-consent opt-in"
        return f"{here} If I do not hear you, {how}."
    kept = " What is said is kept in writing." if came.transcripts_kept else ""
    return f"{here} I hear you now.{kept}"


def _room(came: Outcome) -> str:
    names = [f"{one.name}{' (a bot)' if one.bot else ' (heard)' if one.heard else ''}" for one in came.people]
    where = came.own_channel or came.channel
    if not where:
        return "I am in no voice channel here, and see nobody in one."
    more = came.humans - sum(not one.bot for one in came.people)
    others = [f"{more} more"] if more > 0 else []
    here = f"In {where}: {', '.join((*names, *others))}." if names or others else f"Nobody is in {where}."
    return here if came.own_channel else f"I am in no voice channel here. {here}"
