"""A house on a Discord of ours, with two people in its room: one speaks and writes, the other listens."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from actors.console.knock import ClientError, exchange
from actors.console.settings import HOST
from actors.realtime.items import Heard, Seed, TurnBrief
from actors.realtime.local import LocalBrain
from actors.realtime.script import SILENCE, Script, ScriptedReply
from messages.captain import AskAsOperator
from messages.console import OperatorAnswered, OperatorNews
from messages.evidence import BridgeReady, Consent, Transcription, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice, LeaveAnswered, LeaveVoice
from messages.gateway import Joined as CameIn
from messages.ids import Connection, HandoffId, RoomId, new_id
from messages.lifecycle import Scalar
from supervisors.house import House
from supervisors.live import discord_house
from supervisors.paths import kept_in
from supervisors.providers import Providers
from supervisors.settings import Settings, load
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.server import Discord
from tests.probe import Probe
from tests.reliability.supervision.lives import Lives, watched
from tests.reliability.supervision.record import Record
from tests.reliability.supervision.sound import Listener, LoudIsVoice, ToneSpeech, WritesTheSame, tone

PATIENCE_SECONDS: Final = 20.0
"""How long we are willing to fail."""
LONG, SHORT = "Clankie, tell us a story.", "Clankie, are you there?"
STORY_SENTENCES: Final = 5


class Numbered(Script):
    """A mind that answers every address in numbered sentences, and remembers which it gave."""

    def __init__(self) -> None:
        super().__init__(())
        self._next = 1
        self.given: list[range] = []
        """The numbers of each answer, in their order."""

    def reply(self, brief: TurnBrief) -> ScriptedReply:
        """A story of some sentences if it is asked for, else one sentence; silence where nobody asked."""
        if not brief.lines:
            return SILENCE
        many = STORY_SENTENCES if "story" in brief.lines[-1].text else 1
        self.given.append(range(self._next, self._next + many))
        self._next += many
        return ScriptedReply(text=" ".join(f"Sentence {one}." for one in self.given[-1]))


class Seeded(LocalBrain):
    """A mind of which is known what each of its conversations begins with."""

    def __init__(self, script: Script, seeds: list[tuple[float, Seed]]) -> None:
        super().__init__(script)
        self._seeds = seeds

    def connect(self, connection: Connection, seed: Seed) -> None:
        """Note it."""
        self._seeds.append((time.monotonic(), seed))
        super().connect(connection, seed)


class Room:
    """The house, the guild, and who is in it."""

    def __init__(self, discord: Discord, lives: Lives, folder: Path) -> None:
        self.discord, self.lives, self.folder = discord, lives, folder
        self.guild = discord.guild("Home")
        self.channel, self.lobby = self.guild.voice("General"), self.guild.text("lobby")
        self.script, self.record = Numbered(), Record()
        self.listener = Listener(lambda: discord.user)
        self.seeds: list[tuple[float, Seed]] = []
        """What each conversation began with, and when."""
        self.port = free_port()
        self.house: House

    def enter(self, house: House) -> None:
        """The house is open: watch it, and sit down."""
        self.house = house
        house.evidence.tell(Watch(watcher=self.record, may_see_words=False))
        self.ada, self.ben = self._person("Ada"), self._person("Ben")
        self.ben.on_heard = self.listener.hear

    def _person(self, name: str) -> Participant:
        person = Participant(self.discord.voice, self.guild.member(name))
        person.join(self.channel)
        return person

    # --- what people do

    def come(self, seconds: float = PATIENCE_SECONDS) -> float | None:
        """An operator has him come; when he was in, or None."""
        answered: Probe[JoinAnswer] = Probe()
        room = RoomId(str(self.channel.id))
        self.house.gateway.tell(JoinVoice(room=room, asked_by=AskedBy.OPERATOR, reply_to=answered))
        try:
            answered.expect(CameIn, seconds)
        except AssertionError:
            return None
        return time.monotonic()

    def settle(self) -> None:
        """He comes in, and Ada opts in."""
        since = time.monotonic()
        if self.come() is None or not self.consent(since):
            raise AssertionError("he did not come in, or heard nobody")
        self.ben.wait_for_group(self.ada.id, self.discord.user)

    def consent(self, since: float) -> bool:
        """Ada opts in by slash command; whether that is on record."""
        self.ada.member.command("clankie voice-consent opt-in", self.channel)
        granted = self.record.wait(Consent, since, PATIENCE_SECONDS, lambda one: one.phase == "granted")
        return granted is not None

    def story(self) -> range:
        """Ada asks for a story in the room's chat, and this returns when its second sentence is heard."""
        before, since = len(self.script.given), time.monotonic()
        self.ada.member.write(self.channel, LONG)
        if not until(lambda: any(len(one) > 1 for one in self.script.given[before:]), PATIENCE_SECONDS):
            raise AssertionError("he tells no story")
        story = next(one for one in self.script.given[before:] if len(one) > 1)
        if self.listener.wait_for(story[1], since, PATIENCE_SECONDS) is None:
            raise AssertionError("his story is not heard")
        return story

    def served_aloud(self, seconds: float = PATIENCE_SECONDS) -> float | None:
        """Ada asks something in the room's chat; when Ben hears the first packet of its answer."""
        before, since = len(self.script.given), time.monotonic()
        self.ada.member.write(self.channel, SHORT)
        return self.heard_answer(before, since, seconds)

    def heard_answer(self, before: int, since: float, seconds: float) -> float | None:
        """When the first packet of the answer is heard that was decided on after so many others."""
        if not until(lambda: len(self.script.given) > before, seconds):
            return None
        return self.listener.wait_for(self.script.given[before][0], since, seconds)

    def understood(self, seconds: float = PATIENCE_SECONDS) -> float | None:
        """Ada says something, for most of a second; when her words are on record."""
        since = time.monotonic()
        self.ada.speak(tone(3) * 2 + tone(4))
        heard = self.record.wait(Transcription, since, seconds, lambda one: one.outcome == "words")
        return None if heard is None else time.monotonic()

    def leave(self, seconds: float = PATIENCE_SECONDS) -> None:
        """An operator has him leave; AssertionError if he does not."""
        answered: Probe[LeaveAnswered] = Probe()
        self.house.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(LeaveAnswered, seconds)

    def served_in_writing(self, seconds: float = PATIENCE_SECONDS) -> float | None:
        """Ada asks something in another channel; when it is answered there."""
        before = len(self.posts(self.lobby.id))
        self.ada.member.write(self.lobby, f"<@{self.discord.user}> what time is it?")
        try:
            self.discord.wait(lambda: len(self.posts(self.lobby.id)) > before, seconds)
        except AssertionError:
            return None
        return time.monotonic()

    def remembers(self, since: float) -> bool:
        """Whether the story that Ada asked for is in every conversation that began since."""
        told = [
            [one.line.text for one in seed.remembered if isinstance(one, Heard)]
            for at, seed in self.seeds
            if at > since
        ]
        return all(LONG in lines for lines in told)

    def posts(self, channel: int) -> list[str]:
        """What he has written in a channel."""
        return [one.content for one in self.discord.posts if one.channel == channel and one.author.bot]

    def served_the_operator(self, seconds: float = PATIENCE_SECONDS) -> float | None:
        """The operator asks the captain; when he has his answer."""
        answered: Probe[OperatorNews] = Probe()
        asked = AskAsOperator(handoff=HandoffId(new_id()), request="What time is it?", reply_to=answered)
        self.house.captain.tell(asked)
        try:
            answer = answered.expect(OperatorAnswered, seconds)
        except AssertionError:
            return None
        return None if answer.failed else time.monotonic()

    # --- the window

    def look(self, path: str, seconds: float = 1.0) -> str | None:
        """What the console says to a GET; None if nobody answers."""
        try:
            reply = exchange(self.port, self.folder / "console", f"GET {path}", seconds=seconds)
        except ClientError:
            return None
        return reply.body.decode() if reply.status == 200 else None

    def counted(self) -> float:
        """How many receipts of typed lines the meter has counted."""
        page = self.look("/metrics") or ""
        found = re.search(r'^clankie_receipts_total{kind="text_input"} (\S+)$', page, re.MULTILINE)
        return float(found[1]) if found else 0.0

    # --- the house

    def path(self, name: str) -> str | None:
        """The one path that ends like this."""
        return next(
            (one.path for one in self.house.tree().every() if f"/{one.path}".endswith(f"/{name}")), None
        )

    def stay(self) -> str:
        """The path of his stay's family."""
        above = "/stays/"
        paths = [one.path for one in self.house.tree().every() if above in one.path]
        return min(paths, key=len)

    def fact(self, name: str, actor: str) -> Scalar:
        """What an actor says of itself."""
        return next(
            one.facts.get(name) for one in self.house.tree().every() if one.path.endswith(f"/{actor}")
        )


def until(true: Callable[[], bool], seconds: float) -> bool:
    """Look every five milliseconds whether something has become true, for so long."""
    deadline, pause = time.monotonic() + seconds, threading.Event()
    while not true():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.005)
    return True


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server((HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _settings(room: Room) -> Settings:
    kept = kept_in(room.folder)
    return load(
        None,
        {
            **kept,
            "discord": {"proxy": room.discord.proxy, "ca_file": str(room.discord.ca_file)},
            "authority": {"guilds": [str(room.guild.id)], "join_policy": "guild_members"},
            "console": {**kept["console"], "port": room.port},
            "captain": {**kept["captain"], "delay_seconds": 0.0},
        },
    )


@contextmanager
def room(folder: Path) -> Generator[Room]:
    """A house in which he is in the room and hears Ada; everything is closed at the end."""
    with watched() as lives, Discord() as discord, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Providers, "activity", lambda _: LoudIsVoice())
        patch.setattr(Providers, "transcriber", lambda _: WritesTheSame())
        ground = Room(discord, lives, folder)
        patch.setattr(Providers, "mind", lambda _: Seeded(ground.script, ground.seeds))
        settings = _settings(ground)
        with discord_house(settings, discord.token, ToneSpeech(settings), ground.script) as house:
            ground.enter(house)
            ground.record.wait(BridgeReady, 0.0, PATIENCE_SECONDS)
            ground.settle()
            yield ground
