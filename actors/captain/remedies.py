"""A no with its reason can be passed on in his own words; a bare code cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOT_JOINED: Final[Mapping[str, str]] = {
    "authority": "whoever asks may not have you come",
    "allowlist": "you may not be in that voice channel; the operator can allow it",
    "not_in_voice": "the speaker is in no voice channel (for the operator: the owner is in none)",
    "voice_disabled": "voice is switched off in the configuration",
    "other_guild": "you are in a voice channel elsewhere, and leave nobody's call for another's",
    "no_owner": "no owner is configured, so there is nobody to follow",
    "ambiguous": "the owner is in several voice channels at once",
    "failed": "the voice channel could not be reached; it can be tried again",
}
NOT_REACHED: Final[Mapping[str, str]] = {
    "account_not_ready": "the account is not connected; it can be tried again later",
    "channel_full": "that voice channel is full",
    "leaving": "you are just leaving; it can be tried again in some seconds",
    "missing_permission_connect": "you may not enter that voice channel; a moderator can allow you Connect",
    "missing_permission_view_channel": "you may not see that channel; a moderator can allow View Channel",
    "other_room": "you are in another voice channel of this server",
}
"""What stands in the way of a join, where that is known."""
NOT_LEFT: Final[Mapping[str, str]] = {
    "authority": "whoever asks may not have you go",
    "not_in_voice": "you are in no voice channel here",
}
NOT_CONFIRMED: Final[Mapping[str, str]] = {
    "denied": "somebody who may decide this said no",
    "confirmed_by_nobody": "nobody who may decide this pressed a button in time",
    "unsupported": "nobody can be asked to confirm this here",
    "forbidden": "the buttons to confirm this cannot be shown in this chat",
    "refused": "the buttons to confirm this could not be shown; it can be tried again",
    "busy": "too much waits to be confirmed already; it can be tried again later",
    "account_not_ready": "the account is not connected; it can be tried again later",
    "gateway_lost": "the account lost its connection before anybody pressed a button; nothing was done",
}
NOT_DONE: Final[Mapping[str, str]] = {
    "account_not_ready": "the account is not connected; it can be tried again later",
    "authority": "whoever asks may not have this done",
    "bad_arguments": "the arguments are not what the tool takes; see its schema",
    "bad_frame": "what the tool's server sent cannot be read; whether it was done is not known",
    "busy": "too much is waiting already; it can be tried again later",
    "closed": "somebody closed the play surface before it was open",
    "ended": "you left the voice channel meanwhile, and the play surface closed with it",
    "forbidden": "you lack the permission for it here",
    "gateway_lost": "the account lost its connection; whether it was done is not known",
    "gone": "what it was about is not there any more",
    "no_activity": "no play surface is configured",
    "no_guild": "this is no server's channel, so there is no voice channel here",
    "no_speaker": "nobody in particular asks, so there is nobody to note it about",
    "no_room": "whoever runs you asks from no channel: it has to be noted in the one that it is about",
    "no_such_room": "the channel is not there any more",
    "no_such_tool": "there is no such tool now",
    "no_thread": "the message stands in no thread",
    "no_trigger": "it was said aloud, so there is no message to do it to",
    "not_active": "you are not in the speaker's voice channel",
    "not_in_voice": "the speaker is in no voice channel",
    "not_kept": "it could not be written down",
    "not_offered": "this tool cannot be used in this turn",
    "not_open": "the play surface is not open",
    "not_sent": "the tool's server is not there any more; nothing was done",
    "notes_full": "there are too many notes; somebody has to have some forgotten",
    "refused": "it was not accepted",
    "server_gone": "the tool's server stopped; whether it was done is not known",
    "too_long_to_confirm": "nobody could read all of it before he presses a button; ask for less at once",
    "several_speakers": "several people speak in this turn, so it is not clear whom it is about",
    "timeout": "no answer came in time; whether it was done is not known",
    "tool_error": "the tool itself says that it failed",
    "too_large": "the tool gave back more than can be taken",
    "unknown_activity": "the platform does not know the play surface that is configured",
    "unknown_emoji": "there is no such emoji here; use a Unicode one or a name of this server's",
    "unknown_tool": "there is no such tool now",
    "unsupported": "that cannot be done here",
}
