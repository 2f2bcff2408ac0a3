"""A whole house with its own models: one who sits down is heard once he says so, and hears the answer."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.sync.client import connect
from websockets.typing import Subprotocol

from actors.audio.pcm import read_wav
from actors.console.live.server import LiveConsole
from actors.console.live_room import Seats
from actors.console.port import ConsoleEvent
from actors.console.settings import key_file
from actors.local_room import LocalRoom
from actors.meter.live import Board
from actors.net.loop import IoLoop
from actors.realtime.script import Script, ScriptedReply
from messages.console import ServerReady
from messages.evidence import Consent, Left, PrivateWords, Recorded, Transcription, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.gateway import Joined as CameIn
from messages.ids import PersonId, RoomId
from supervisors.house import House
from supervisors.local import LOOP_STOP_SECONDS, room_house
from supervisors.paths import kept_in
from supervisors.secrets import NO_KEYS
from supervisors.settings import load
from supervisors.speech import LocalSpeech
from tests.actors.console.chairs import HOST, Guest
from tests.models import voice, whisper
from tests.probe import Probe
from tests.speech.clips import HUMAN

SOON = 30.0
"""How long we are willing to fail."""
QUESTION = "Clankie, what time is it? Clankie, what time is it?"
"""Twice in one breath: his ear may open a moment after the consent."""
SECOND = 48_000
"""Bytes of silence."""
ANSWER = ScriptedReply(heard="what time", text="It is almost noon.")


class ToldConsole(LiveConsole):
    """Says when it listens."""

    told: Probe[ConsoleEvent]

    def open(self, events: Callable[[ConsoleEvent], None]) -> None:
        """Tell both."""

        def tell(event: ConsoleEvent) -> None:
            self.told.tell(event)
            events(event)

        super().open(tell)


@dataclass(kw_only=True)
class Home:
    """The house, its window, and all that it records."""

    house: House
    folder: Path
    port: int
    room: LocalRoom
    told: Probe[Recorded | PrivateWords]

    @contextmanager
    def seated(self, name: str, rate: int) -> Generator[Guest]:
        """One who opened the page with the key."""
        key = key_file(self.folder / "console", self.port).read_text().strip()
        shown = [Subprotocol("clankie"), Subprotocol(f"key.{key}")]
        url = f"ws://{HOST}:{self.port}/room"
        with connect(url, compression=None, subprotocols=shown, max_queue=None, close_timeout=1.0) as line:
            guest = Guest(line)
            guest.tell(type="join", name=name, rate=rate)
            guest.welcome = guest.expect("welcome")
            yield guest

    def join(self) -> None:
        """He comes in."""
        answered: Probe[JoinAnswer] = Probe()
        self.house.gateway.tell(JoinVoice(room=self.room.id, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(CameIn, timeout=SOON)


@contextmanager
def at_home(folder: Path) -> Generator[Home]:
    """A house as a newcomer runs it, but for its mind."""
    tables = kept_in(folder)
    settings = load(None, {**tables, "console": {**tables["console"], "port": 0}})
    room, loop, speech = LocalRoom(RoomId("local")), IoLoop(), LocalSpeech(settings)
    window: Probe[ConsoleEvent] = Probe()
    told: Probe[Recorded | PrivateWords] = Probe()

    def close() -> None:
        loop.stop(LOOP_STOP_SECONDS)
        speech.close()

    def console() -> LiveConsole:
        console = ToldConsole(loop, settings.console, room=Seats(loop, room, speech.opus_library))
        console.told = window
        return console

    script = Script([ANSWER])
    with room_house(
        settings, NO_KEYS, room, speech, loop, Board(), console=console, close=close, script=script
    ) as house:
        house.evidence.tell(Watch(watcher=told, may_see_words=False))
        port = window.expect(ServerReady, SOON).port
        yield Home(house=house, folder=folder, port=port, room=room, told=told)


def test_whoever_sits_down_and_opts_in_is_answered_aloud_and_nobody_is_heard_before(tmp_path: Path) -> None:
    question = b"".join(voice().stream(QUESTION, 0.8))
    unheard = read_wav(next(clip.path for clip in HUMAN if clip.name == "ps_cards_001"))
    with at_home(tmp_path) as home, home.seated("Anna", 24_000) as anna, home.seated("Ben", 24_000) as ben:
        home.join()
        anna.expect("people", present=True)
        ben.stream(unheard)
        anna.tell(type="consent", granted=True)
        assert anna.expect("consent")["outcome"] == "granted"
        anna.stream(bytes(SECOND) + question + bytes(SECOND))
        anna.hear(0, 20, SOON)
        answer = b"".join(anna.until_silent(0, 1.5))
        assert "noon" in whisper().transcribe(answer).text.lower()
        assert len(ben.hear(1, 20)) >= 20
        anna.tell(type="consent", granted=False)
        assert anna.expect("consent")["outcome"] == "withdrawn"
    recorded = [one.receipt for one in home.told.received() if isinstance(one, Recorded)]
    heard = {one.person_id for one in recorded if isinstance(one, Transcription)}
    assert heard == {anna.person}
    counted = [one for one in recorded if isinstance(one, Consent) and one.phase == "counted"]
    assert {one.person_id: one.unread or 0 for one in counted}[PersonId(ben.person)] > 50
    (left,) = (one for one in recorded if isinstance(one, Left))
    assert left.reason == "shutdown"
