"""All that is around the house: a Discord with people, and providers that answer at once."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final, Self

from aiohttp import web

from tests.benchmarks.latency.moments import Moved
from tests.benchmarks.latency.sounds import STORY, Sounds, begun, peaks_of, recorded, understood
from tests.benchmarks.latency.talking import Table, his_sounds
from tests.loopback.discord.body import Body
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.people import Member
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice.record import Record
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.mind import Asked, Reply
from tests.loopback.openai.server import OpenAi
from tests.loopback.openai.transcription import Listener

ANSWER: Final = "Oh."
LONG_ANSWER: Final = (
    "Once upon a time there was a house in which everybody waited for everybody else to speak."
)
GROWING_MS: Final = 600
"""So much sound of a piece is listened to before it is committed."""
OPEN_SECONDS: Final = 60.0


class Prompt(Listener):
    """Says with the first sound that has a voice in it what it hears."""

    _said = ""

    def _append(self, event: Body) -> None:
        super()._append(event)
        if self._said != self._item and self.buffered_ms <= GROWING_MS:
            text = begun(peaks_of(bytes(self._sound)))
            if text:
                self._said = self._item
                self._tell(self._item, text)


class PromptOpenAi(OpenAi):
    """Whose listeners do not keep anybody waiting."""

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        return await Prompt(self.ground, request, self.habits, self.hearing, live=False).run()


class Place:
    """A voice channel in a guild of its own, with people who hear nobody, and a guest who only sits."""

    def __init__(self, discord: Discord, number: int, people: int) -> None:
        self._discord, self.guild = discord, discord.guild(f"Guild {number}")
        self.channel: VoiceRoom = self.guild.voice("General")
        self.people = [self._person(f"Person {number}.{one}", commits=one == 0) for one in range(people)]
        self._guest: Member = self.guild.member(f"Guest {number}")

    @property
    def room(self) -> str:
        """The room's id."""
        return str(self.channel.id)

    @property
    def his(self) -> Record:
        """What the voice server knows of him here."""
        records = self._discord.voice.desk.records
        return next(one for one in reversed(records) if one.channel == self.channel.id and self._is_his(one))

    def call(self) -> None:
        """Have him come."""
        self.people[0].member.command("clankie join", self.channel)

    def wait(self) -> None:
        """Until he is here, and everybody can be heard by him."""
        everybody = (self._discord.user, *(one.id for one in self.people))
        for one in self.people:
            one.wait_for_group(*everybody, seconds=OPEN_SECONDS)
        for session in (one.client for one in self.people):
            session.speaking(on=True)

    def move(self) -> Moved:
        """Somebody comes or, if he is there, goes."""
        at = self._discord.ground.loop.time()
        if self._guest.room is None:
            self._guest.join(self.channel)
        else:
            self._guest.leave()
        return Moved(room=self.room, at=at)

    def sound(self) -> list[float]:
        """When his packets with sound were there."""
        return his_sounds(self.his)

    def table(self, sounds: Sounds, talkers: int) -> Table:
        """The first of the people asks, and so many others talk."""
        return Table(self.room, self.people[0], self.people[1 : 1 + talkers], self.his, sounds)

    def _person(self, name: str, *, commits: bool) -> Participant:
        person = Participant(self._discord.voice, self.guild.member(name))
        person.commits = commits
        person.join(self.channel)
        self._discord.ground.run(lambda: self._deafen(person.id))
        return person

    def _deafen(self, user: int) -> None:
        for session in self._discord.voice.desk.sessions(user, self.guild.id):
            session.listens_at = None

    def _is_his(self, record: Record) -> bool:
        return record.user == self._discord.user


class Outside:
    """Up inside its `with` statement."""

    def __init__(self) -> None:
        self.sounds = recorded()
        self.discord = Discord()
        self.openai = PromptOpenAi(think=_think, hear=understood)
        self.elevenlabs = ElevenLabs()
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            for one in (self.discord, self.openai, self.elevenlabs):
                undo.enter_context(one)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()


def _think(asked: Asked) -> Reply:
    """A question is answered, and all else is nothing to say anything about."""
    if asked.trigger != "address":
        return Reply()
    return Reply(pieces=(LONG_ANSWER if any(STORY in one.text for one in asked.new) else ANSWER,))
