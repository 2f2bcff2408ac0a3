"""A night: the installed program, a Discord, an OpenAI and an ElevenLabs on this machine, and guests.

`with night(folder) as evening:` opens all of it but him: `evening.program.start()` does that, and
`evening.come()` brings him among the guests, those who consent are heard when it returns. He may be
stopped, killed and started again as often as one likes, around him all goes on. `evening.ask(guest)` is
somebody who asks aloud and is answered, `evening.heard` everything of him that reached anybody: his sound
says which answer it belongs to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messages.evidence import Joined
from messages.lifecycle import TreeNode
from supervisors.paths import kept_in
from supervisors.rehearsal.stage import Overrides, merged
from supervisors.secrets import Keys
from supervisors.settings import load
from supervisors.speech import LocalSpeech
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.program import command, configured, environment
from tests.loopback.discord.rooms import TextRoom, VoiceRoom
from tests.loopback.discord.server import Discord
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.server import OpenAi
from tests.reliability.guests import Ears, Guest, Sound
from tests.reliability.mind import Answered, Mind
from tests.reliability.program import Program
from tests.reliability.told import PATIENCE_SECONDS, Told
from tests.reliability.voices import Line, understood

GUESTS: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
CLOUD: Final[Overrides] = {
    "capture": {"provider": "openai"},
    "realtime": {"provider": "openai"},
    "tts": {"provider": "elevenlabs"},
    "captain": {"provider": "openai"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """He was asked aloud, and answered: monotonic seconds; `tone` is the number of the answer."""

    asked_at: float
    """When the last packet of the question had left."""
    first_heard_at: float
    tone: int
    late: float = 0.0
    """How much longer the question took than it has sound: nobody speaks so slowly but on a busy machine."""

    @property
    def seconds(self) -> float:
        """How long the asker waited."""
        return self.first_heard_at - self.asked_at


class Evening:
    """Everything of one night."""

    def __init__(
        self, discord: Discord, guild: Guild, rooms: Sequence[VoiceRoom], lobby: TextRoom, mind: Mind
    ) -> None:
        self.discord, self.guild, self.rooms, self.lobby, self.mind = discord, guild, rooms, lobby, mind
        self.ears = Ears(discord)
        self.record = Told()
        self.guests: dict[str, Guest] = {}
        self.openai: OpenAi
        self.elevenlabs: ElevenLabs
        self.program: Program
        self.consenting = 0
        self._deaf: set[int] = set()
        discord.voice.faults.carries = self._carries

    @property
    def heard(self) -> list[Sound]:
        """Every packet of his that reached a guest, so far."""
        return self.ears.all()

    @property
    def bot(self) -> int:
        """His user id."""
        return self.discord.user

    def invite(self, name: str, *, arrives: bool = True, listens: bool = True) -> Guest:
        """One guest more; one who does not listen costs less."""
        guest = Guest(self.discord, self.guild.member(name), self.rooms[0], self.lobby, self.ears)
        # One may be away when somebody has to be let in.
        guest.participant.commits = len(self.guests) < 2
        self.guests[name] = guest
        if not listens:
            self._deaf.add(guest.id)
        if arrives:
            guest.arrive()
        return guest

    def come(self, room: VoiceRoom | None = None) -> None:
        """An operator has him come; whoever consents opts in, and is heard when this returns."""
        room = room or self.rooms[0]
        after = time.monotonic()
        self.program.join(room.id)
        self.record.expect(Joined, after=after)
        self.consent(room.id)

    def consent(self, room: int | None, seconds: float = PATIENCE_SECONDS) -> None:
        """Whoever consents and sits in this room opts in, and is heard when this returns."""
        wanting = list(self.guests.values())[: self.consenting]
        there = [guest for guest in wanting if guest.member.room == room]
        for guest in there:
            guest.consent()
        self.wait_until_heard(*there, seconds=seconds)

    def wait_until_heard(self, *guests: Guest, seconds: float = PATIENCE_SECONDS) -> None:
        """Until he has an open ear for each of these."""
        self.until(
            lambda: {str(one.id) for one in guests} <= ears(self.program.tree()),
            seconds,
            f"open ears for {', '.join(one.name for one in guests)}",
        )

    def until(self, true: Callable[[], bool], seconds: float = PATIENCE_SECONDS, what: str = "that") -> None:
        """Look ten times a second until something is true; AssertionError after so many seconds."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() >= end:
                raise AssertionError(f"{what} did not come true within {seconds} s")
            self.rest(0.1)

    def rest(self, seconds: float) -> None:
        """Let so much of the night pass."""
        self.ears.wait(lambda _: None, time.monotonic() + seconds, seconds)

    def ask(self, guest: Guest, seconds: float = 10.0, line: str | Line = "time") -> Answer | None:
        """Somebody asks aloud; the first packet of the answer that reached another, if it comes in time.

        An answer is his to this if it was decided on after he began to ask, and he is among its speakers.
        """
        due = guest.say(line)
        began, label = guest.said[-1][0], guest.name

        def found(sounds: list[Sound]) -> float | None:
            numbers = {one.number for one in self._answers(began, label)}
            return next((one.at for one in sounds if one.tone in numbers and one.listener != label), None)

        at = self.ears.wait(found, began, due - time.monotonic() + seconds)
        if at is None:
            return None
        tone = next(one.tone for one in self.ears.all(after=at) if one.at == at and one.tone is not None)
        return Answer(asked_at=guest.said_at, first_heard_at=at, tone=tone, late=guest.said_at - due)

    def open_sounds(self) -> int:
        """How many packets, his or others', lay open although they had to be sealed."""
        plain = sum(guest.participant.plain_frames for guest in self.guests.values())
        records = self.discord.voice.desk.records
        return plain + sum(len(record.leaked()) for record in records if record.user == self.bot)

    def _carries(self, speaker: int, listener: int) -> bool:
        """Guests do not hear each other, which saves half of what a night costs."""
        return listener == self.bot or (speaker == self.bot and listener not in self._deaf)

    def _answers(self, after: float, label: str) -> list[Answered]:
        recent: list[Answered] = []
        for one in reversed(self.mind.answers):
            if one.at < after:
                break
            if label in one.speakers:
                recent.append(one)
        return recent


def ears(tree: TreeNode) -> set[str]:
    """The ids of the people for whom he has an open ear."""
    return {node.path.rpartition("/")[2] for node in tree.every() if "/ears/" in node.path}


@contextmanager
def night(
    folder: Path,
    guests: Sequence[str] = GUESTS,
    consenting: int = 4,
    settings: Overrides | None = None,
    *,
    rooms: int = 2,
    whisper: bool = False,
) -> Generator[Evening]:
    """Open a night; he is not there before `program.start()`, and nothing of him is left after it.

    The first `consenting` of the guests opt in whenever he has come. `settings` are laid over those of the
    night. With `whisper` the ear of the loopback OpenAI is a real one, otherwise it is exact.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mind = Mind()
    with ExitStack() as undo:
        hear = understood
        if whisper:
            speech = LocalSpeech(load(None))
            undo.callback(speech.close)
            hear = speech.transcribe
        discord = undo.enter_context(Discord())
        openai = undo.enter_context(OpenAi(think=mind.think, hear=hear, live=True))
        elevenlabs = undo.enter_context(ElevenLabs(speak=mind.speak))
        guild = discord.guild("Night")
        places = [guild.voice(f"Room {number + 1}") for number in range(rooms)]
        evening = Evening(discord, guild, places, guild.text("lobby"), mind)
        undo.callback(evening.ears.close)
        evening.openai, evening.elevenlabs, evening.consenting = openai, elevenlabs, consenting
        keys = Keys(openai=openai.service.key, elevenlabs=elevenlabs.service.key)
        tables = merged(CLOUD, _around(evening), kept_in(folder), settings or {})
        config = configured(tables, folder)
        evening.program = Program(
            command(config), environment(tables, discord.token, keys), folder, evening.record
        )
        undo.callback(evening.program.stop)
        for name in guests:
            evening.invite(name)
        yield evening


def _around(evening: Evening) -> Overrides:
    discord = evening.discord
    return {
        "discord": {"proxy": discord.proxy, "ca_file": str(discord.ca_file)},
        "authority": {"join_policy": "guild_members", "guilds": (str(evening.guild.id),)},
        "openai": {"base_url": evening.openai.service.base_url},
        "elevenlabs": {"base_url": evening.elevenlabs.service.base_url},
    }
