"""A town with a far mind, far ears and a far voice, whose records are thrown away before they grow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final
from weakref import WeakSet

from actors.captain.journal import Book, Entry, LaneId, Note
from actors.captain.local_ledger import LocalLedger
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.port import TranscriberPort
from actors.capture.settings import CaptureSettings
from actors.gateway.port import GatewayPort
from actors.meter.actor import Meter
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.port import RealtimePort
from actors.realtime.script import Script
from actors.realtime.settings import RealtimeSettings
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.port import TtsPort
from actors.tts.settings import TtsSettings
from actors.voice.port import VoicePort
from messages.gateway import AskedBy, Asker, JoinVoice, MemberArrived, MemberDeparted
from messages.ids import PersonId, RoomId
from messages.people import Person
from supervisors.settings import Settings
from tests.actors.meter.fake import FakeBoard
from tests.actors.net.staged import StagedDial, StagedLoop
from tests.loopback.discord.body import Body
from tests.loopback.openai.mind import Think
from tests.loopback.openai.refusals import Refused, wrong
from tests.stage import Stage
from tests.stories.cloudy import ELEVENLABS, HOUR, OPENAI
from tests.stories.far import Book as Rules
from tests.stories.far import Ear, Mind, Voice
from tests.stories.pages import Pages
from tests.stories.town import PLACES
from tests.stories.writers import Writers

KNOWN: Final = ("anna", "ben", "cleo", "dan")
GUEST: Final = "guest"
FIRST_GUEST: Final = 1_000


class Shelf(Pages):
    """The captain's real ledger, on disk; each life of his opens it anew."""

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        super().__init__()
        self._folder, self._now = folder, now
        self._ledger = self._next()

    def _next(self) -> LocalLedger:
        return LocalLedger(self._folder, keep_days=1, now=self._now)

    def open(self) -> Book:
        self._ledger = self._next()
        return self._ledger.open()

    def append(self, lane: LaneId, entry: Entry) -> bool:
        return self._ledger.append(lane, entry)

    def keep(self, notes: tuple[Note, ...]) -> bool:
        return self._ledger.keep(notes)

    def forget(self, person: PersonId, texts: tuple[str, ...]) -> bool:
        return self._ledger.forget(person, texts)

    def close(self) -> None:
        self._ledger.close()


class Patient(Mind):
    """A conversation in which an answer may be cancelled, as the vendor lets one."""

    def complain(self, refused: Refused, about: str | None) -> None:
        """Whoever takes back an item that the cut took back already could not have known."""
        if refused.message.startswith("Error delete"):
            self.say("error", error={**refused.body(), "event_id": about})
        else:
            super().complain(refused, about)

    def _take(self, event: Body) -> None:
        if event.text("type") != "response.cancel":
            super()._take(event)
            return
        if self._active is None:
            raise wrong("Cancellation failed: no active response found", None, "response_cancel_not_active")
        steps, self._active = self._active.cut(()), None
        for kind, fields in steps:
            self.say(kind, **fields)


class Dial(StagedDial):
    """Dials lines, and can forget those that are over."""

    def forget(self) -> None:
        """Keep those that are not."""
        self.lines[:] = [line for line in self.lines if not line.over]


class House(Writers):
    """A whole house with real ports at staged lines. `anna` may move him in HOME and `ben` in CLUB.

    Anybody else is a guest, of whom there are as many as one wants; `forget` has to be called now and then.
    """

    def __init__(self, seed: int, folder: Path, *, think: Think, **people: RoomId) -> None:
        self.minds: list[Mind] = []
        self.dials: WeakSet[Dial] = WeakSet()
        self.broken: list[str] = []
        self.guests = 0
        self._think, self._folder = think, folder
        super().__init__(seed, text=None, replies=(), pages=None, **people)

    def open(
        self,
        script: Script,
        settings: Settings,
        gateway: Callable[[], GatewayPort],
        voice: Callable[[], VoicePort],
    ) -> None:
        """Let there be an I/O thread and a ledger, and then the house."""
        self.loop, self.rules = StagedLoop(self.stage), Rules(self.clock.now, self._wall)
        self._pages, self._listeners = Shelf(self._folder, self._wall), Listeners(25)
        super().open(script, settings, gateway, voice)

    def _wall(self) -> float:
        return self.clock.wall().timestamp()

    def _dial(self, peer: Callable[[], Mind | Ear | Voice]) -> Dial:
        dial = Dial(self.stage, peer)
        self.dials.add(dial)
        return dial

    def _mind(self, script: Script) -> RealtimePort:
        return LiveConversation(
            self.loop, self._dial(self._new_mind), OPENAI, RealtimeSettings(), wall=self._wall
        )

    def _transcriber(self) -> TranscriberPort:
        dial = self._dial(lambda: Ear(self.rules))
        return LiveTranscriber(self.loop, dial, OPENAI, CaptureSettings(), self._listeners, ("Clankie",))

    def _synthesizer(self) -> TtsPort:
        return ElevenLabsVoice(self.loop, self._dial(lambda: Voice(self.rules)), ELEVENLABS, TtsSettings())

    def _new_mind(self) -> Mind:
        self.minds.append(Patient(self.rules, self._think, HOUR))
        return self.minds[-1]

    # --- people

    def person(self, name: str) -> Person:
        """The known ones are 101 to 104; each guest has a number of his own, which never comes again."""
        if name in KNOWN:
            return super().person(name)
        number = FIRST_GUEST + int(name.removeprefix(GUEST))
        return Person(id=PersonId(str(number)), label=name.title())

    def guest(self, room: RoomId) -> str:
        """Somebody comes in who was never here before; his name."""
        self.guests += 1
        name = f"{GUEST}{self.guests}"
        self.where = {**self.where, name: room}
        self.account.people[room].append(self.person(name))
        self.account.tell(MemberArrived(room=room, person=self.person(name)))
        return name

    def goes_home(self, name: str) -> None:
        """A guest goes, and does not come again."""
        person, room = self.person(name), self.where[name]
        self.where = {one: at for one, at in self.where.items() if one != name}
        self.account.people[room].remove(person)
        self.account.tell(MemberDeparted(room=room, person=person.id))

    def calls(self, name: str) -> None:
        """Somebody asks him to where they are."""
        asker = Asker(person=self.person(name), guild=PLACES[self.where[name]])
        self.account.tell(JoinVoice(asked_by=AskedBy.SLASH, asker=asker, reply_to=self.answers))

    # --- what must not grow because it is ours

    def lose_lines(self) -> int:
        """All lines to providers break at this moment; how many."""
        living = [line for dial in self.dials for line in dial.lines if not line.over and not line.closed]
        for line in living:
            line.end("aborted", 1006)
        return len(living)

    def series(self) -> int:
        """How many series of numbers the meter keeps."""
        return len(self._board().counts)

    def forget(self) -> None:
        """Throw away what this world has written down, and whatever of it is over."""
        self.broken += self.rules.broken
        for lot in (self.posts, self.paper, self.rules.broken, self.chat, self.account.posts):
            lot.clear()
        self.account.answered = ()
        for seen in (self.account.deeds, self.account.shown, self.account.settled):
            seen.clear()
        for air in self.airs.values():
            air.spoken.clear()
            air.carried.clear()
        for probe in (self._watcher, self.answers, self.stage.exited):
            probe.clear()
        self._board().measured.clear()
        self._board().spans.clear()
        self.minds = [mind for mind in self.minds if not mind.line.over]
        for dial in self.dials:
            dial.forget()
        forget_the_dead(self.stage)

    def _board(self) -> FakeBoard:
        meter = self.stage.worker("root/meter")
        assert isinstance(meter, Meter)
        board = meter._port  # pyright: ignore[reportPrivateUsage]
        assert isinstance(board, FakeBoard)
        return board


def forget_the_dead(stage: Stage) -> None:
    """Let a stage keep those who live, and none of the peers, who live by their letters."""
    cast = stage._workers  # pyright: ignore[reportPrivateUsage]
    for path, worker in tuple(cast.items()):
        if worker.life.over or path.startswith("peer-"):
            del cast[path]
    alone = stage._alone  # pyright: ignore[reportPrivateUsage]
    alone[:] = [life for life in alone if not life.path.startswith("peer-")]
