"""A voice channel as a rehearsal knows it: everybody in it has a client, a microphone and keys of his own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from actors.gateway.live.phrases import NO, YES
from actors.local_room import ChatTap, Posted, PostTap, SpeechTap
from messages.attachment import Attachment
from messages.ids import ConfirmationId, MessageId, PersonId, RoomId
from messages.people import Person
from tests.loopback.discord.board import Post
from tests.loopback.discord.participant import Heard, Participant
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
        self.participants: dict[PersonId, Participant] = {}
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
        self._played(person).join(self.channel)

    def _played(self, person: Person) -> Participant:
        """Whoever plays this person, who need not sit anywhere."""
        participant = self.participants.get(person.id)
        if participant is None:
            member = self.guild.member(person.label, bot=person.bot)
            participant = Participant(self.discord.voice, member)
            participant.on_heard = self._heard
            self.participants[person.id] = participant
            self.names[str(member.id)] = person.id
        return participant

    def depart(self, person: PersonId, /) -> None:
        """Hang up and go."""
        self.participants[person].leave()

    def type(self, person: PersonId, text: str, /) -> None:
        """Write in the channel's chat."""
        self.participants[person].member.write(self.channel, text)

    def write(self, person: Person, text: str) -> MessageId:
        """Write to him in the lobby, naming him."""
        member = self._played(person).member
        return MessageId(str(member.write(self.lobby, f"{self.guild.bot.mention} {text}")))

    def take_back(self, message: MessageId) -> None:
        """Delete what somebody wrote."""
        board = self.discord.board
        self.discord.ground.run(lambda: board.delete(board.messages[int(message)]))

    def press(self, person: Person, granted: bool) -> None:
        """Press a button of the latest question."""
        post = next(post for post in reversed(self.discord.posts) if post.buttons)
        self._played(person).member.press(post.id, YES if granted else NO)

    def consent(self, person: PersonId, granted: bool) -> None:
        """Give the slash command."""
        command = f"clankie voice-consent {'opt-in' if granted else 'opt-out'}"
        self.participants[person].member.command(command, self.channel)

    def kick(self) -> None:
        """Put him out of voice."""
        self.discord.kick_bot(self.guild)

    def send(self, person: PersonId, packet: bytes, /) -> None:
        """Encrypt and send."""
        self.participants[person].send_packet(packet)

    def tap_speech(self, tap: SpeechTap, /) -> Callable[[], None]:
        """Hear what anybody hears of him."""
        self._speech_taps = (*self._speech_taps, tap)
        return lambda: self._untap(tap)

    def tap_chat(self, tap: ChatTap, /) -> Callable[[], None]:
        """Read the words that he writes in the channel's chat."""

        def read(posted: Posted) -> None:
            if posted.room == self.id:
                tap(posted.text)

        return self.tap_posts(read)

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
