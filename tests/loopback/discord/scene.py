"""A voice channel as a rehearsal knows it: everybody in it has a client, a microphone and keys of his own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from actors.local_room import ChatTap, SpeechTap
from messages.ids import PersonId, RoomId
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
        self.names: dict[str, str] = {}
        """Who in the scenario hides behind a Discord id."""
        self.participants: dict[PersonId, Participant] = {}
        self._speech_taps: tuple[SpeechTap, ...] = ()
        self._chat_taps: tuple[ChatTap, ...] = ()
        self._told: deque[tuple[int, int]] = deque(maxlen=REMEMBERED)
        discord.board.on_post = self._posted

    @property
    def id(self) -> RoomId:
        """The channel's id."""
        return RoomId(str(self.channel.id))

    def arrive(self, person: Person, /) -> None:
        """Sit down, and connect."""
        participant = self.participants.get(person.id)
        if participant is None:
            member = self.guild.member(person.label, bot=person.bot)
            participant = Participant(self.discord.voice, member)
            participant.on_heard = self._heard
            self.participants[person.id] = participant
            self.names[str(member.id)] = person.id
        participant.join(self.channel)

    def depart(self, person: PersonId, /) -> None:
        """Hang up and go."""
        self.participants[person].leave()

    def type(self, person: PersonId, text: str, /) -> None:
        """Write in the channel's chat."""
        self.participants[person].member.write(self.channel, text)

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
        """Read what he writes."""
        self._chat_taps = (*self._chat_taps, tap)
        return lambda: self._untap(tap)

    def _heard(self, heard: Heard) -> None:
        key = (heard.ssrc, heard.timestamp)
        if heard.user != self.discord.user or key in self._told:
            return
        self._told.append(key)
        for tap in self._speech_taps:
            tap(heard.opus, heard.at)

    def _posted(self, post: Post) -> None:
        if post.channel == self.channel.id:
            for tap in self._chat_taps:
                tap(post.content)

    def _untap(self, tap: SpeechTap | ChatTap) -> None:
        self._speech_taps = tuple(other for other in self._speech_taps if other is not tap)
        self._chat_taps = tuple(other for other in self._chat_taps if other is not tap)
