"""The stand-in for Discord: `room.py` is a door and sound in the air, `chat.py` all that is written."""

from actors.local_room.chat import GUILD, LOBBY, Chat, Posted, PostTap, Question, Written, WrittenTap
from actors.local_room.room import ACCOUNT, ChatTap, LocalRoom, PacketTaker, SpeechTap, Watcher

__all__ = [
    "ACCOUNT",
    "GUILD",
    "LOBBY",
    "Chat",
    "ChatTap",
    "LocalRoom",
    "PacketTaker",
    "PostTap",
    "Posted",
    "Question",
    "SpeechTap",
    "Watcher",
    "Written",
    "WrittenTap",
]
