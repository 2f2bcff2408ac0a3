"""The real tree on real threads: whoever crashes while he speaks, it stands again, and it closes in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest

from actors.audio.pcm import RATE
from actors.captain.live_toolbox.toolbox import EmptyToolbox
from actors.captain.local import LocalMind
from actors.captain.local_ledger import LocalLedger
from actors.clock import SystemClock
from actors.console.local import ClosedConsole
from actors.evidence.local import LocalSink
from actors.gateway.local import LocalAccount
from actors.local_room import LocalRoom
from actors.realtime.local import LocalBrain
from actors.realtime.script import Script, ScriptedReply
from actors.tts.local import LocalSynthesizer
from actors.voice.local import LocalVoiceLink
from messages.captain import MindEvent
from messages.evidence import Consent, Joined, Left, Playback, PrivateWords, Receipt, Recorded, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.gateway import Joined as CameIn
from messages.ids import PersonId, RoomId
from messages.people import Person
from supervisors import house as houses
from supervisors.house import House
from supervisors.paths import kept_in
from supervisors.settings import load
from supervisors.wiring import Ports
from tests.actors.meter.fake import FakeBoard
from tests.probe import Probe
from tests.stories.sound import Activity, Transcriber

R = TypeVar("R", bound=Receipt)
ANNA = PersonId("anna")
GREETING = ScriptedReply(when="greeting", text="This goes on for a while. " * 2)
ANSWER = ScriptedReply(heard="are you there", text="Yes.")
PATIENCE = 10.0
"""How long we are willing to fail."""
TRIES = 15
"""Of a second or so each: what was asked of somebody who crashed is asked again."""


class Hum:
    """A voice that hums a fifth of a second for each word."""

    def stream(self, text: str, pitch: float = 1.0) -> Iterator[bytes]:
        high, low = (4000).to_bytes(2, "little", signed=True), (-4000).to_bytes(2, "little", signed=True)
        yield (high * 60 + low * 60) * (RATE // 120 * len(text.split()) // 5)


@dataclass(kw_only=True)
class Scene:
    """A house with Anna in its room, and everything that it records."""

    house: House
    room: LocalRoom
    told: Probe[Recorded | PrivateWords] = field(default_factory=Probe)
    _kept: list[Receipt] = field(default_factory=list)

    def join(self) -> None:
        """He comes in, at the latest when everybody is back."""
        answered: Probe[JoinAnswer] = Probe()
        for _ in range(TRIES):
            self.house.gateway.tell(
                JoinVoice(room=self.room.id, asked_by=AskedBy.OPERATOR, reply_to=answered)
            )
            try:
                answered.expect(CameIn, timeout=1.5)
            except AssertionError:
                continue
            self.room.consent(ANNA, True)
            return
        raise AssertionError(answered.received())

    def expect(
        self, kind: type[R], wanted: Callable[[R], bool] = lambda _: True, timeout: float = PATIENCE
    ) -> R:
        """A receipt of this kind that is wanted and was not yet given; the others are kept."""
        waiting = self._kept
        self._kept = []
        while True:
            for place, receipt in enumerate(waiting):
                if isinstance(receipt, kind) and wanted(receipt):
                    self._kept += waiting[place + 1 :]
                    return receipt
                self._kept.append(receipt)
            waiting = [self.told.expect(Recorded, timeout=timeout).receipt]

    def forget(self) -> None:
        """What was recorded so far is of no interest."""
        self._kept.clear()
        self.told.clear()

    def expect_speech(self, timeout: float = PATIENCE) -> None:
        """He can be heard."""
        self.expect(Playback, lambda one: one.phase == "started", timeout)

    def expect_answer(self) -> None:
        """Who writes to him is answered aloud, at the latest when everybody is back."""
        for _ in range(TRIES):
            self.room.type(ANNA, "Clankie, are you there?")
            try:
                self.expect_speech(1.0)
            except AssertionError:
                continue
            return
        raise AssertionError(self.told.received())

    def all(self, kind: type[R]) -> list[R]:
        """Every receipt of this kind."""
        found = [one.receipt for one in self.told.received() if isinstance(one, Recorded)]
        return [one for one in found if isinstance(one, kind)]


class NotedActivity(Activity):
    """Says when an ear has opened, which is later than the consent."""

    def __init__(self, opened: Probe[str]) -> None:
        super().__init__()
        self._opened = opened

    def open(self) -> None:
        """Be in the tree by now."""
        self._opened.tell("an ear")


def ports(folder: Path, room: LocalRoom, clock: SystemClock, opened: Probe[str]) -> Ports:
    """The local ports, with ears that read and a voice that hums, so that no model is needed."""
    settings = load(None, kept_in(folder))
    script = Script([GREETING, *[ANSWER] * TRIES, GREETING])
    return Ports(
        gateway=lambda: LocalAccount(room),
        voice=lambda: LocalVoiceLink(room, settings.voice),
        activity=lambda: NotedActivity(opened),
        transcriber=lambda: Transcriber(clock),
        realtime=lambda: LocalBrain(script),
        tts=lambda: LocalSynthesizer(settings.tts, Hum),
        captain_mind=lambda: LocalMind(clock),
        toolbox=EmptyToolbox,
        ledger=lambda: LocalLedger(folder / "captain", keep_days=30, now=time.time),
        evidence=lambda: LocalSink(settings.evidence),
        meter=FakeBoard,
        console=ClosedConsole,
    )


@contextmanager
def speaking(folder: Path) -> Generator[Scene]:
    """A house in which he is saying something long."""
    room, clock = LocalRoom(RoomId("den")), SystemClock()
    room.arrive(Person(id=ANNA, label="Anna"))
    settings = load(None, {"gateway": {"join_seconds": 1.0}, "stay": {"join_seconds": 0.9}})
    opened: Probe[str] = Probe()
    with House(settings, ports(folder, room, clock, opened), clock) as house:
        scene = Scene(house=house, room=room)
        house.evidence.tell(Watch(watcher=scene.told, may_see_words=False))
        scene.join()
        scene.expect(Consent, lambda one: one.phase == "granted")
        opened.expect(str)
        scene.expect_speech()
        yield scene


@pytest.mark.parametrize(
    "actor",
    [
        *("evidence", "captain", "console", "voice", "mouth", "playback", "tts", "floor", "realtime"),
        *("ears", "ears/anna"),
    ],
)
def test_a_crash_while_he_speaks_costs_at_most_the_sentence(tmp_path: Path, actor: str) -> None:
    with speaking(tmp_path) as scene:
        scene.house.crash(actor)
        scene.forget()
        scene.expect_answer()
        assert scene.all(Left) == []
        began = time.monotonic()
    assert time.monotonic() - began < houses.STOP_SECONDS
    assert [one.reason for one in scene.all(Left)] == ["shutdown"]


@pytest.mark.parametrize(
    ("actor", "reason"),
    [("stay", "crashed"), ("stays", "crashed"), ("gateway", "gateway_lost"), ("body", "crashed")],
)
def test_a_crash_that_costs_the_stay_leaves_a_house_that_can_join_again(
    tmp_path: Path, actor: str, reason: str
) -> None:
    with speaking(tmp_path) as scene:
        scene.house.crash(actor)
        assert scene.expect(Left).reason == reason
        scene.join()
        scene.expect_answer()
        began = time.monotonic()
    assert time.monotonic() - began < houses.STOP_SECONDS
    assert len(scene.all(Joined)) == len(scene.all(Left)) == 2


def test_a_house_closes_the_ears_first_and_the_record_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_order = (
        *(ClosedConsole, Transcriber, LocalBrain, LocalSynthesizer, LocalVoiceLink),
        *(LocalAccount, LocalMind, EmptyToolbox, LocalLedger, LocalSink),
    )
    closed: list[type] = []

    def noting(kind: type[Any]) -> Callable[..., object]:
        close = kind.close

        def noted(port: object, *deadline: float) -> object:
            closed.append(kind)
            return close(port, *deadline)

        return noted

    for kind in in_order:
        monkeypatch.setattr(kind, "close", noting(kind))
    with speaking(tmp_path):
        pass
    assert tuple(closed) == in_order


def test_a_port_that_will_not_close_keeps_the_house_no_longer_than_it_may_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released, close = threading.Event(), LocalSynthesizer.close

    def stuck(port: LocalSynthesizer) -> None:
        released.wait(2 * PATIENCE)
        close(port)

    monkeypatch.setattr(LocalSynthesizer, "close", stuck)
    monkeypatch.setattr(houses, "STOP_SECONDS", 1.5)
    with speaking(tmp_path) as scene:
        began = time.monotonic()
    assert time.monotonic() - began < PATIENCE
    released.set()
    assert [one.reason for one in scene.all(Left)] == ["shutdown"]


def test_a_root_that_has_mended_enough_gives_up_and_whoever_waits_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Probe[str] = Probe()
    open_captain = LocalMind.open

    def noted(port: LocalMind, events: Callable[[MindEvent], None]) -> None:
        opened.tell("once more")
        open_captain(port, events)

    monkeypatch.setattr(LocalMind, "open", noted)
    with speaking(tmp_path) as scene:
        for _ in range(4):
            opened.expect(str)
            scene.house.crash("captain")
        assert not scene.house.wait()
    assert len(opened.received()) == 4
    assert [one.reason for one in scene.all(Left)] == ["crashed"]
