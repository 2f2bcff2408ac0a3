"""A voice channel as a rehearsal knows it: everybody in it has a client, a microphone and keys of his own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from actors.gateway.live.phrases import NO, YES
from actors.local_room import Posted, PostTap, SpeechTap
from messages.attachment import Attachment
from messages.ids import ConfirmationId, MessageId, PersonId, RoomId
from messages.people import Person
from tests.loopback.discord.board import Post
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Heard, Participant
from tests.loopback.discord.rooms import TextRoom
from tests.loopback.discord.server import Discord

REMEMBERED: Final = 500
"""His latest packets, so that of everybody who hears one only the first tells of it."""


class Scene:
    """One room of one guild; fulfils the rehearsal's Room. Any thread may call anything."""

    def __init__(self, discord: Discord) -> None:
        self.discord = discord
        self.guild = discord.guild("Rehearsal")
        self.channel = self.guild.voice("Stage door")
        self.lobby = self.guild.text("lobby")
        self.names: dict[str, str] = {}
        """Who in the scenario hides behind a Discord id."""
        self.participants: dict[tuple[int, PersonId], Participant] = {}
        """By guild; in each a person has a client of his own."""
        self._speech_taps: tuple[SpeechTap, ...] = ()
        self._post_taps: tuple[PostTap, ...] = ()
        self._told: deque[tuple[int, int]] = deque(maxlen=REMEMBERED)
        discord.board.on_post = self._posted

    @property
    def id(self) -> RoomId:
        """The channel's id."""
        return RoomId(str(self.channel.id))

    def arrive(self, person: Person, /) -> None:
        """Sit down, and connect."""
        self.played(person, self.guild).join(self.channel)

    def played(self, person: Person, guild: Guild) -> Participant:
        """Whoever plays this person in this guild, and need not sit anywhere."""
        participant = self.participants.get((guild.id, person.id))
        if participant is None:
            member = guild.member(person.label, bot=person.bot)
            participant = Participant(self.discord.voice, member)
            participant.on_heard = self._heard
            self.participants[guild.id, person.id] = participant
            self.names[str(member.id)] = person.id
        return participant

    @property
    def emojis(self) -> tuple[str, ...]:
        """Those that he has put under messages and not taken away again."""
        standing: dict[tuple[int, str], bool] = {}
        for one in self.discord.reactions:
            standing[one.message, one.emoji] = not one.removed
        return tuple(emoji for (_, emoji), stands in standing.items() if stands)

    def depart(self, person: PersonId, /) -> None:
        """Hang up and go."""
        self.participants[self.guild.id, person].leave()

    def type(self, person: PersonId, text: str, /) -> None:
        """Write in the channel's chat."""
        self.participants[self.guild.id, person].member.write(self.channel, text)

    def write(self, person: Person, text: str) -> MessageId:
        """Write to him in the lobby, naming him."""
        return addressed(self.played(person, self.guild), self.guild, self.lobby, text)

    def take_back(self, message: MessageId) -> None:
        """Delete what somebody wrote."""
        board = self.discord.board
        self.discord.ground.run(lambda: board.delete(board.messages[int(message)]))

    def press(self, person: Person, granted: bool) -> None:
        """Press a button of the latest question."""
        post = next((post for post in reversed(self.discord.posts) if post.buttons), None)
        if post is not None:
            self.played(person, self.guild).member.press(post.id, YES if granted else NO)

    def consent(self, person: PersonId, granted: bool) -> None:
        """Give the slash command."""
        command = f"clankie voice-consent {'opt-in' if granted else 'opt-out'}"
        self.participants[self.guild.id, person].member.command(command, self.channel)

    def kick(self) -> None:
        """Put him out of voice."""
        self.discord.kick_bot(self.guild)

    def send(self, person: PersonId, packet: bytes, /) -> None:
        """Encrypt and send."""
        self.participants[self.guild.id, person].send_packet(packet)

    def tap_speech(self, tap: SpeechTap, /) -> Callable[[], None]:
        """Hear what anybody hears of him."""
        self._speech_taps = (*self._speech_taps, tap)
        return lambda: self._untap(tap)

    def tap_posts(self, tap: PostTap, /) -> Callable[[], None]:
        """Read all that he writes anywhere; a question is called by the id of its message."""
        self._post_taps = (*self._post_taps, tap)
        return lambda: self._untap(tap)

    def _heard(self, heard: Heard) -> None:
        key = (heard.ssrc, heard.timestamp)
        if heard.user != self.discord.user or key in self._told:
            return
        self._told.append(key)
        for tap in self._speech_taps:
            tap(heard.opus, heard.at)

    def _posted(self, post: Post) -> None:
        name = str(post.id)
        posted = Posted(
            room=RoomId(str(post.channel)),
            text=post.content,
            reply_to=MessageId(str(post.reply_to)) if post.reply_to else None,
            attachments=tuple(Attachment(name=one.name, kind="", data=one.data) for one in post.files),
            question=ConfirmationId(name) if post.buttons else None,
        )
        for tap in self._post_taps:
            tap(posted)

    def _untap(self, tap: SpeechTap | PostTap) -> None:
        self._speech_taps = tuple(other for other in self._speech_taps if other is not tap)
        self._post_taps = tuple(other for other in self._post_taps if other is not tap)


def addressed(participant: Participant, guild: Guild, lobby: TextRoom, text: str) -> MessageId:
    """Write to him there, naming him."""
    return MessageId(str(participant.member.write(lobby, f"{guild.bot.mention} {text}")))
