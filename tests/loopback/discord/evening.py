"""An evening on a Discord of ours: the whole house, people with clients of their own, all that is heard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeVar

import pytest

from actors.audio.pcm import RATE
from actors.audio.voice import LocalVoice
from actors.realtime.script import Script, ScriptedReply
from actors.voice.live.books import Microphones
from actors.voice.media import mail
from messages.audio import SoundSink
from messages.evidence import BridgeReady, Consent, Playback, PrivateWords, Receipt, Recorded, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.gateway import Joined as CameIn
from messages.ids import CaptureId, PersonId, RoomId
from messages.lifecycle import Scalar
from supervisors.house import House
from supervisors.live import discord_house
from supervisors.paths import kept_in
from supervisors.settings import Settings, load
from supervisors.speech import LocalSpeech
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.probe import Probe

PATIENCE_SECONDS: Final = 30.0
"""How long we are willing to fail on a busy machine."""
GREETING: Final = ScriptedReply(when="greeting", text="Hum. " * 200)
"""Forty seconds of a voice that hums."""
ANSWER: Final = ScriptedReply(heard="are you there", text="Yes. " * 20)
QUESTION: Final = "Clankie, are you there?"

R = TypeVar("R", bound=Receipt | PrivateWords)


class Hum(LocalVoice):
    """A voice that hums a fifth of a second for each word; no model has to be loaded for it."""

    def __init__(self) -> None:
        """Nothing is loaded."""

    def stream(self, text: str, pitch: float = 1.0) -> Iterator[bytes]:
        """House PCM, the words of one sentence after the other."""
        high, low = (4000).to_bytes(2, "little", signed=True), (-4000).to_bytes(2, "little", signed=True)
        for _ in text.split():
            yield (high * 60 + low * 60) * (RATE // 120 // 5)


class HummingSpeech(LocalSpeech):
    """The ears are real, the voice hums."""

    def voice(self) -> LocalVoice:
        """Hum."""
        return Hum()


class Kept:
    """Everything that the house puts on record, and the words; any thread may ask."""

    def __init__(self) -> None:
        self._came: list[Receipt | PrivateWords] = []
        self._given: set[int] = set()
        self._changed = threading.Condition()

    def tell(self, message: Recorded | PrivateWords, /) -> None:
        """Keep it, and wake whoever expects it."""
        with self._changed:
            self._came.append(message.receipt if isinstance(message, Recorded) else message)
            self._changed.notify_all()

    def expect(
        self, kind: type[R], wanted: Callable[[R], bool] = lambda _: True, seconds: float = PATIENCE_SECONDS
    ) -> R:
        """The next of this kind that is wanted and that nobody was given before."""
        found: list[R] = []

        def look() -> bool:
            for place, one in enumerate(self._came):
                if place not in self._given and isinstance(one, kind) and wanted(one):
                    self._given.add(place)
                    found.append(one)
                    return True
            return False

        with self._changed:
            if not self._changed.wait_for(look, seconds):
                came = "\n  ".join(map(repr, self._came))
                raise AssertionError(f"no such {kind.__name__} within {seconds} s; what came:\n  {came}")
        return found[0]

    def skip(self, kind: type[Receipt | PrivateWords]) -> None:
        """Those of this kind that have come so far are not what will be expected."""
        with self._changed:
            self._given |= {place for place, one in enumerate(self._came) if isinstance(one, kind)}

    def all(self, kind: type[R]) -> list[R]:
        """Every one of this kind so far."""
        with self._changed:
            return [one for one in self._came if isinstance(one, kind)]


class Ears:
    """What comes out of the media process for the ears of the house, frame by frame."""

    def __init__(self) -> None:
        self._frames: dict[int, list[mail.Heard]] = {}
        self._open: set[int] = set()
        self._changed = threading.Condition()

    def set(self, order: mail.Microphone) -> None:
        """Somebody's microphone was opened or closed."""
        with self._changed:
            (self._open.add if order.open else self._open.discard)(order.user)
            self._changed.notify_all()

    def wait_for_open(self, *users: int, seconds: float = PATIENCE_SECONDS) -> None:
        """Until these people are heard, and nobody else."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._open == {*users}, seconds):
                raise AssertionError(f"{self._open} are heard instead of {users} after {seconds} s")

    def put(self, heard: mail.Heard) -> None:
        """One more."""
        with self._changed:
            self._frames.setdefault(heard.user, []).append(heard)
            self._changed.notify_all()

    def of(self, user: int) -> list[mail.Heard]:
        """Every frame of one person so far."""
        with self._changed:
            return list(self._frames.get(user, ()))

    def wait_for_more(self, user: int, frames: int, seconds: float = PATIENCE_SECONDS) -> None:
        """So many more frames of a person, from now on."""
        with self._changed:
            wanted = len(self._frames.get(user, ())) + frames
            if not self._changed.wait_for(lambda: len(self._frames.get(user, ())) >= wanted, seconds):
                raise AssertionError(f"not {frames} more frames of {user} within {seconds} s")

    def longest_gap(self, user: int) -> float:
        """Seconds from one real frame to the next, at the most."""
        times = [one.at for one in self.of(user) if not one.concealed]
        return max((later - earlier for earlier, later in pairwise(times)), default=0.0)


class Evening:
    """One house that is logged in, and one room with whoever is asked into it."""

    def __init__(self, discord: Discord, guild: Guild, room: VoiceRoom, house: House) -> None:
        self.discord, self.guild, self.room, self.house = discord, guild, room, house
        self.record, self.ears = Kept(), Ears()
        house.evidence.tell(Watch(watcher=self.record, may_see_words=True))

    @property
    def bot(self) -> int:
        """His user id."""
        return self.discord.user

    def person(self, name: str) -> Participant:
        """Somebody with a client of his own comes into the room."""
        participant = Participant(self.discord.voice, self.guild.member(name))
        participant.join(self.room)
        return participant

    def come(self) -> None:
        """An operator has him come in; he is there, and the room is encrypted, when this returns."""
        self.record.expect(BridgeReady)
        answered: Probe[JoinAnswer] = Probe()
        room = RoomId(str(self.room.id))
        self.house.gateway.tell(JoinVoice(room=room, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(CameIn, PATIENCE_SECONDS)

    def consent(self, *people: Participant) -> None:
        """They opt in by slash command, and are heard when this returns; nobody else is."""
        for one in people:
            one.member.command("clankie voice-consent opt-in", self.room)
            assert self.record.expect(Consent).person_id == str(one.id)
        self.ears.wait_for_open(*(one.id for one in people))

    def ask(self, person: Participant, seconds: float = PATIENCE_SECONDS) -> None:
        """Somebody writes to him, and he begins to answer aloud."""
        self.record.skip(Playback)
        person.member.write(self.room, QUESTION)
        self.record.expect(Playback, lambda one: one.phase == "started", seconds)

    def wait_until_heard(self, person: Participant, packets: int = 10, after: float = 0.0) -> float:
        """So many packets of his voice that left after a monotonic second reach somebody; when the first did.

        Without `after` it is from now on.
        """
        after = after or time.monotonic()

        def found() -> list[float]:
            times = [one.at for one in person.heard_from(self.bot) if one.at >= after]
            return times if len(times) >= packets else []

        return person.wait(found, PATIENCE_SECONDS, f"{packets} packets of his voice")[0]

    def fact(self, name: str) -> Scalar:
        """What the voice room says of itself at the moment."""
        return next(node.facts[name] for node in self.house.tree().every() if node.path.endswith("/voice"))


def configured(discord: Discord, guild: Guild, folder: Path, rooms: tuple[VoiceRoom, ...]) -> Settings:
    """The settings of a house for this guild, and, unless there are none, for these rooms alone."""
    authority: dict[str, object] = {"guilds": [str(guild.id)], "join_policy": "guild_members"}
    return load(
        None,
        {
            "discord": {"proxy": discord.proxy, "ca_file": str(discord.ca_file)},
            "authority": {**authority, "channels": [str(room.id) for room in rooms]},
            **kept_in(folder),
        },
    )


@contextmanager
def evening(
    folder: Path,
    *replies: ScriptedReply,
    speech: Callable[[Settings], LocalSpeech] = HummingSpeech,
    confined: bool = False,
) -> Generator[Evening]:
    """A house on a Discord of its own; everything is closed at the end.

    `replies` are what he decides; `confined` to the room, he may be in no other.
    """
    with Discord() as discord, pytest.MonkeyPatch.context() as patch:
        guild = discord.guild("Home")
        room = guild.voice("General")
        settings = configured(discord, guild, folder, (room,) if confined else ())
        script = Script(replies or (GREETING, *[ANSWER] * 5))
        with discord_house(settings, discord.token, speech(settings), script) as house:
            night = Evening(discord, guild, room, house)
            _listen_in(night.ears, patch)
            yield night


def _listen_in(ears: Ears, patch: pytest.MonkeyPatch) -> None:
    put, set_ = Microphones.put, Microphones.set

    def noted(microphones: Microphones, heard: mail.Heard) -> None:
        ears.put(heard)
        put(microphones, heard)

    def noted_set(
        microphones: Microphones, person: PersonId, capture: CaptureId, sink: SoundSink | None
    ) -> mail.Microphone | None:
        order = set_(microphones, person, capture, sink)
        if order is not None:
            ears.set(order)
        return order

    patch.setattr(Microphones, "put", noted)
    patch.setattr(Microphones, "set", noted_set)
