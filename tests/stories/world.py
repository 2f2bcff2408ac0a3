"""A world for stories: a room, people who say text, and a whole house that hears them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from actors.gateway.local import LocalAccount
from actors.local_room import LocalRoom
from actors.realtime.script import Script, ScriptedReply
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.ids import PersonId, RoomId
from messages.people import Person
from supervisors.settings import Settings, load
from tests.probe import Probe
from tests.stories.sound import CHUNK_SECONDS, Air, Link, after, chunks_of
from tests.stories.staged import Staged

ROOM = RoomId("den")


@cache
def _settings(captain_delay: float) -> Settings:
    return load(None, {"captain": {"delay_seconds": captain_delay}})


class World(Staged):
    """Everything outside him, and the whole of him, from one seed. Use as a context manager."""

    def __init__(
        self,
        seed: int,
        *,
        replies: Sequence[ScriptedReply] = (),
        people: Sequence[str] = ("anna",),
        consented: Sequence[str] | None = None,
        captain_delay: float = 1.0,
    ) -> None:
        super().__init__(seed)
        self.room = LocalRoom(ROOM)
        self.room.tap_chat(self.posts.append)
        self.air = Air(self.clock)
        self.answers: Probe[JoinAnswer] = Probe()
        self.open(
            Script(list(replies)),
            _settings(captain_delay),
            gateway=lambda: LocalAccount(self.room),
            voice=lambda: Link(self.air),
        )
        for name in people:
            self.arrive(name)
        self.join()
        self.run(0.5)
        for name in people if consented is None else consented:
            self.room.consent(PersonId(name), True)
        self.run(0.5)

    # --- what happens

    def join(self) -> None:
        """Somebody asks him in."""
        self.doors.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=self.answers))

    def arrive(self, name: str, *, bot: bool = False) -> None:
        """Somebody comes in."""
        self.room.arrive(Person(id=PersonId(name), label=name.title(), bot=bot))

    def depart(self, name: str) -> None:
        """Somebody goes."""
        self.room.depart(PersonId(name))

    def say(self, name: str, words: str, delay: float = 0.0) -> float:
        """Somebody says something from `delay` seconds on; return how long the words take."""
        chunks = list(chunks_of(words))
        for number, chunk in enumerate(chunks):
            after(
                self.clock,
                delay + number * CHUNK_SECONDS,
                lambda chunk=chunk: self.air.carry(PersonId(name), chunk),  # type: ignore[misc]
            )
        return (len(chunks) - 7) * CHUNK_SECONDS

    def speaking(self) -> list[str]:
        """Return the words of his that have been sent so far, each as its sound began."""
        begun = [chunk.partition(b"\0")[0] for _, chunk in self.air.spoken]
        return [word.decode() for word in begun if word.isascii() and word[:1].isalpha()]
