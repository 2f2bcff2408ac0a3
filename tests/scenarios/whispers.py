"""An evening on which every secret is on somebody's lips: who listens at the paper must find none of them."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from messages.evidence import Consent, Failed, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.gateway import Joined as CameIn
from supervisors.rehearsal.kinds import Plain
from supervisors.rehearsal.remote import RemoteHouse
from supervisors.rehearsal.stage import Lender, Lent, Overrides, Speech, merged
from supervisors.secrets import Keys
from tests.loopback.discord.evening import PATIENCE_SECONDS, Kept
from tests.loopback.discord.interactions import Reply
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.scene import Scene
from tests.loopback.discord.theatre import DiscordTheatre
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.humming import hum
from tests.loopback.openai import mind
from tests.loopback.openai.chat import Call
from tests.loopback.openai.minds import Brains
from tests.loopback.openai.server import OpenAi
from tests.loopback.providers import Frame
from tests.probe import Probe

SAID: Final = "marzipanth"
TYPED: Final = "quillfeather"
LABEL: Final = "Brunhilda Ninepence"
PERSONA: Final = "zephyrdale"
KEYWORD: Final = "Wombatite"
ANSWER: Final = "turnipocalypse"
REQUEST: Final = "xylohaven"
RESULT: Final = "ottoneum"
PROSE: Final = "prose"
"""A part of everything that a provider of ours says in words."""
WORDS: Final = (SAID, TYPED, LABEL, PERSONA, KEYWORD, ANSWER, REQUEST, RESULT)
KEYS: Final = {"openai": "sk-one-0f1e2d3c4b", "elevenlabs": "xi-two-5a69788796", "chat": "ch-three-a5b4c3d2"}
QUICK: Final[Overrides] = {
    "floor": {"volition": "off"},
    "realtime": {"retry_seconds": 0.001, "retry_longest_seconds": 0.001},
}
"""Whoever failed is asked again at once."""
HEARD: Final = f"Clankie, what about {SAID}?"


class Providers:
    """Three, with a key each, who repeat in their refusals all that they were ever told, keys included."""

    def __init__(self, settings: Overrides, folder: Path) -> None:
        notes = folder / "notes.md"
        notes.write_text(f"- The {REQUEST} opens at {RESULT}.\n", "utf-8")
        self._settings = merged(_ours(notes), settings)
        self.pause = 0.0
        """Before each word of an answer, in seconds; HELD keeps it for good."""

    @contextmanager
    def lend(self, _speech: Speech, _replies: object, _settings: object, /) -> Generator[Lent]:
        """Be there for one play."""
        brains = Brains(think=self._think, speak=briefly, hear=lambda _: HEARD)
        with (
            OpenAi(think=self._think, hear=lambda _: HEARD, brains=brains, key=KEYS["openai"]) as self.openai,
            OpenAi(brains=brains, key=KEYS["chat"]) as self.chat,
            ElevenLabs(key=KEYS["elevenlabs"], speak=briefly) as self.elevenlabs,
        ):
            places: dict[str, dict[str, Plain]] = {
                "openai": {"base_url": self.openai.service.base_url},
                "elevenlabs": {"base_url": self.elevenlabs.service.base_url},
            }
            if self._settings["realtime"]["provider"] == "chat":
                places["realtime"] = {"base_url": self.chat.service.base_url}
            keys = Keys(openai=KEYS["openai"], elevenlabs=KEYS["elevenlabs"], chat=KEYS["chat"])
            yield Lent(settings=merged(self._settings, places), keys=keys)

    def _think(self, asked: mind.Asked) -> mind.Reply:
        """Let the captain look up what is typed, and say in so many words whatever is asked."""
        calls: tuple[Call, ...] = ()
        if any(TYPED in one.text for one in asked.new):
            arguments = json.dumps({"request": f"When does the {REQUEST} open?"})
            calls = (Call(name="ask_clankie", arguments=arguments), Call(name=ANSWER, arguments="{}"))
        return mind.Reply(pieces=mind.pieces_of(f"Well, {ANSWER}."), calls=calls, pause=self.pause)


def _ours(notes: Path) -> Overrides:
    return {
        "capture": {"keywords": (KEYWORD,)},
        "captain": {"notes_file": str(notes), "delay_seconds": 0.1},
        "realtime": {"persona": f"{PERSONA} is who you are."},
    }


def briefly(text: str) -> Iterator[bytes]:
    """A quarter of a second of sound, whatever the text."""
    return hum(text[:4])


def confession() -> str:
    """What a provider might write that knows no shame."""
    return f"{PROSE}: {' '.join(KEYS.values())} {' '.join(WORDS)}"


def complaint(code: str) -> Frame:
    """An error as OpenAI writes it."""
    return {
        "type": "invalid_request_error",
        "code": code,
        "message": confession(),
        "param": SAID,
        "event_id": None,
    }


class Night:
    """He is in a room with one person, and whatever is on record is looked at."""

    def __init__(self, house: RemoteHouse, scene: Scene) -> None:
        self.house, self.scene = house, scene
        self.record = Kept()
        self.person = Participant(scene.discord.voice, scene.guild.member(LABEL))
        house.evidence.tell(Watch(watcher=self.record, may_see_words=True))

    def come(self) -> None:
        """The person and he are in the room, and she lets him hear her."""
        self.person.join(self.scene.channel)
        answered: Probe[JoinAnswer] = Probe()
        self.house.gateway.tell(JoinVoice(room=self.scene.id, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(CameIn, PATIENCE_SECONDS)
        self.command("voice-consent opt-in")
        self.record.expect(Consent)

    def command(self, words: str) -> Reply:
        """The person gives a slash command of his."""
        return self.person.member.command(f"clankie {words}", self.scene.channel)

    def write(self) -> None:
        """The person writes to him."""
        self.person.member.write(self.scene.channel, f"Clankie, what of {TYPED}?")

    def fails(self, stage: str, reason: str) -> None:
        """It is put on record that something failed, and why."""
        self.record.expect(Failed, lambda one: (one.stage, one.reason) == (stage, reason))

    def posts(self) -> list[str]:
        """What he has written in the room."""
        return [post.content for post in self.scene.discord.posts if post.channel == self.scene.channel.id]

    def port(self) -> int:
        """Where he tells how he is."""
        console = next(node for node in self.house.tree().every() if node.kind == "Console")
        return int(str(console.facts["server"]).removeprefix("port "))

    def shown(self) -> str:
        """What anybody may see who looks at the processes of this machine."""
        folders = tuple(family(self.house.process))
        assert len(folders) == 2, "the house and its media process"
        files = (folder / name for folder in folders for name in ("environ", "cmdline"))
        return "\n".join(file.read_bytes().decode(errors="replace") for file in files)


@contextmanager
def night(folder: Path, lender: Lender) -> Generator[Night]:
    """A house that is a program of its own, in a room of a Discord, with what is lent."""
    theatre = DiscordTheatre(lender)
    try:
        scene = theatre.room()
        with theatre.open(settings=QUICK, room=scene, replies=(), state=folder) as house:
            yield Night(house, scene)
    finally:
        theatre.close()


def family(process: int) -> Iterator[Path]:
    """The folders in /proc of a process and of all that it has started."""
    yield Path(f"/proc/{process}")
    for listing in Path(f"/proc/{process}/task").glob("*/children"):
        for child in listing.read_text().split():
            yield from family(int(child))
