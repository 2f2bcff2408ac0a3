"""What he says about each code that the house knows, with the remedy beside it."""

from __future__ import annotations

from messages.gateway import ButtonOutcome, RefusedJoin, RefusedLeave

NO_ANSWER = "I did not get to it in time. Please try again in a minute."
REMAINS = (
    "I could not delete all of what you asked me from my disk, which takes no writing at the moment. Please"
    " say it again later; whoever runs me finds the reason in the log."
)
BROKEN = "Something in me broke over this. Please try again; whoever runs me finds the reason in the log."
GUILD_ONLY = "This works in a server only, not in a private chat."

JOIN_REFUSED = {
    RefusedJoin.AUTHORITY: "You may not move me here. Whoever runs me can name you or your role in"
    " `[authority]`.",
    RefusedJoin.ALLOWLIST: "I am not allowed in that channel. Whoever runs me can add it to `[authority]`:"
    " the server to `guilds`, the channel to `channels`.",
    RefusedJoin.NOT_IN_VOICE: "I don't see you in a voice channel. Join one that I may view, then"
    " call me again.",
    RefusedJoin.VOICE_DISABLED: "My voice is switched off. Whoever runs me can set `voice_enabled`.",
    RefusedJoin.OTHER_GUILD: "I am in a voice channel of another server. Have me leave it first; whoever runs"
    " me can also raise `[gateway] max_stays`.",
    RefusedJoin.NO_OWNER: "Nobody is named as my owner yet, so I don't know whom to follow.",
    RefusedJoin.AMBIGUOUS: "My owner is in several voice channels at once. Call me from the right one.",
    RefusedJoin.FAILED: "I tried, but it did not work. Try again in a minute.",
}
FAILED = {
    "account_not_ready": "My connection to Discord is not up yet. Try again in a minute.",
    "udp_unreachable": "No sound gets through to Discord. Whoever runs me can check that UDP may leave my"
    " machine.",
    "dave_required": "This call demands end-to-end encryption, which I lack. Whoever runs me can check"
    " that davey is installed.",
    "disconnected_rate_limited": "Discord wants me to wait. Try again in some minutes.",
    "kicked": "Somebody put me out before I was there.",
    "moved": "Somebody moved me to a channel where I am not allowed.",
    "no_such_room": "I don't see that channel. Check that I have the View Channel permission there.",
    "missing_permission_view_channel": "I may not view that channel. Allow me View Channel in its"
    " Permissions.",
    "missing_permission_connect": "I may not enter that channel. Allow me Connect in its Permissions.",
    "channel_full": "That channel is full. Raise its user limit, or call me when somebody has left.",
    "other_room": "I am in another voice channel of this server. Have me leave it, or move me over.",
    "leaving": "I am just leaving. Try again in a few seconds.",
    "join_overdue": "I tried, but no voice connection came up. Check that I may View and Connect there,"
    " then try again.",
    "not_ready": "I tried, but no voice connection came up. Try again in a minute.",
    "no_answer": "Discord did not let me in. Check that I may Connect there and that there is room.",
    "gateway_lost": "I lost my connection to Discord on the way. Try again in a minute.",
    "busy": "Too many people are calling me already. Try again in a minute.",
    "full": "I am in as many voice channels as I can be. Try again when I have left one.",
    "already_open": "I am on my way already. Try again in a minute.",
    "ended": "I was gone again before I was there. Call me again if you still want me.",
    "self_decided": "I left again before I was there. Call me again if you still want me.",
    "captain": "Somebody had me leave before I was there. Call me again if you still want me.",
    "operator": "Whoever runs me had me leave before I was there. Call me again if you still want me.",
    "slash": "Somebody sent me out before I was there. Call me again if you still want me.",
    "shutdown": "I am being stopped. Call me again when I am back.",
    "replaced": "I was called anew before I was there. Try again in a minute.",
    "media_lost": "The voice connection broke down again at once. Try again in a minute.",
    "join_failed": "I tried, but no voice connection came up. Try again in a minute.",
    "crashed": "Something in me broke over this. Try again; whoever runs me finds the reason in the log.",
}
LEAVE_REFUSED = {
    RefusedLeave.AUTHORITY: "You may not move me here. To be heard no longer:"
    " `/clankie voice-consent opt-out`.",
    RefusedLeave.NOT_IN_VOICE: "I am in no voice channel of this server.",
}
WATCH_REFUSED = {
    "authority": "You may not open it here. Ask the person who runs me.",
    "not_active": "I have to be in your voice channel for that. Call me with `/clankie join` first.",
    "not_in_voice": "I don't see you in a voice channel. Join mine and try again.",
    "not_open": "It is not open here.",
    "no_activity": "There is nothing to watch: whoever runs me has named no activity.",
    "no_such_room": "I don't see that channel any more.",
    "unknown_activity": "Discord does not know what I was to open. Whoever runs me can check `[discord]"
    " activity`: it has to be the application id of an activity.",
    "unsupported": "This kind of channel has no activities. They work in voice channels, not on a stage.",
    "forbidden": "I may not open it here. I need the permissions Create Invite and Use Activities in this"
    " channel.",
    "refused": "Discord refused to open it. Check that activities are allowed in this channel.",
    "timeout": "Discord did not open it in time. Try again in a minute.",
    "ended": "I have left the channel in the meantime. Call me back with `/clankie join` and try again.",
    "closed": "Somebody closed it before it was open. Open it again if you still want it.",
    "busy": "Too many people are waiting for it already. Try again in a minute.",
    "gateway_lost": "I lost my connection to Discord on the way. Try again in a minute.",
}
ENCRYPTION = {
    "": "I cannot say yet how the call is encrypted",
    "local": "the sound stays on this machine",
    "dave": "the call is end-to-end encrypted, and I am one of its ends",
    "transport": "the call is encrypted up to Discord, but **not** end-to-end",
}
PHASE = {
    "joining": "I am on my way into",
    "active": "I am in",
    "degraded": "I have lost the voice connection, and am getting it back, in",
    "leaving": "I am just leaving",
}
HINDRANCE = {
    "server_muted": "A moderator has muted me: nobody can hear me until that is undone.",
    "server_deafened": "A moderator has deafened me: I hear nobody until that is undone.",
    "suppressed": "I am in the audience of this stage and have raised my hand: invite me to speak.",
    "may_not_speak": "I may not speak in this channel: allow me Speak in its Permissions.",
    "astray": "I was connected where none of you is, so I am connecting anew.",
    "deaf": "I received your voices but could not make out a word, so I am connecting anew.",
    "mute": "I spoke, but no sound left me, so I am connecting anew.",
}
YES = "Yes, do it"
NO = "No"
PRESSED = {
    ButtonOutcome.GRANTED: "Thank you: I am at it.",
    ButtonOutcome.DENIED: "All right: I leave it.",
    ButtonOutcome.NOT_YOURS: "That is not for you to decide; I wait for somebody who may. Whoever runs me can"
    " name you in `[authority]`.",
    ButtonOutcome.OVER: "This is over: it was decided, or I waited for too long. Ask me again if you want it"
    " still.",
}
SETTLED = {
    "granted": "**Allowed.**",
    "denied": "**Denied.**",
    "timeout": "**Nobody answered in time, so I left it.**",
    "dropped": "**This is over.**",
}
