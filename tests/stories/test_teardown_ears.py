"""However a line to the one who writes words down ends, each breath gets one last word, and only its own."""

from __future__ import annotations

import pytest

from actors.capture.actor import Capture
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.settings import CaptureSettings
from messages.audio import FRAME_BYTES, Frame
from messages.capture import CaptureMessage, ListenerLost
from messages.evidence import Failed, Transcription
from messages.floor import FloorMessage, VoiceBegan, WordsFailed, WordsHeard
from messages.ids import CaptureId, PersonId, StayId
from messages.people import Person
from messages.stay import EarOpened, EarTroubled, StayMessage
from supervisors.address import Address
from tests.actors.net.staged import CLOSE_SECONDS
from tests.probe import Probe
from tests.stories.ear_peer import LATE, EarPeer
from tests.stories.sound import CHUNK_BYTES, CHUNK_SECONDS, SILENCE, Activity, after, chunks_of
from tests.stories.telling import SEEDS
from tests.stories.wired import PARTINGS, SERVICE, STRIKES, Fault, Plan, Wired

ANNA = Person(id=PersonId("anna"), label="Anna")
EAR = CaptureId("ear")
COUGH = (b"~\x00" + bytes(FRAME_BYTES - 2)) * (CHUNK_BYTES // FRAME_BYTES)
WORDS = "hello there"


class Listening(Wired):
    """One person's ear."""

    def __init__(self, seed: int, plan: Plan) -> None:
        self.peers: list[EarPeer] = []
        super().__init__(seed, lambda: self._peer(plan))
        self.early = bool(seed & 2)
        self.floor: Probe[FloorMessage] = Probe()
        self.stay: Probe[StayMessage] = Probe()
        self.listeners = Listeners(1)
        settings = CaptureSettings(commit_early=self.early)
        address: Address[CaptureMessage] = Address()
        self.house(
            lambda life: Capture(
                life,
                stay_id=StayId("s1"),
                person=ANNA,
                capture_id=EAR,
                stay=self.stay,
                floor=self.floor,
                evidence=self.evidence,
                clock=self.clock,
                activity=Activity(),
                port=self.overheard(
                    LiveTranscriber(self.loop, self.dial, SERVICE, settings, self.listeners, ("Clankie",))
                ),
                settings=settings,
            ),
            address,
        )
        self.run()
        self.sink = self.stay.expect(EarOpened).sink

    def _peer(self, plan: Plan) -> EarPeer:
        self.peers.append(EarPeer(plan))
        return self.peers[-1]

    def say(self, words: str = WORDS) -> None:
        """Somebody says this from now on; it takes two seconds at most."""
        self._hear(list(chunks_of(words)))

    def cough(self) -> None:
        """Somebody makes a noise that is too short to be a word."""
        self._hear([COUGH, *[SILENCE] * 7])

    def _hear(self, chunks: list[bytes]) -> None:
        for number, chunk in enumerate(chunks):
            after(self.clock, number * CHUNK_SECONDS, lambda chunk=chunk: self._put(chunk))  # type: ignore[misc]

    def _put(self, chunk: bytes) -> None:
        for at in range(0, CHUNK_BYTES, FRAME_BYTES):
            pcm = chunk[at : at + FRAME_BYTES]
            self.sink.put(Frame(person=ANNA.id, capture=EAR, pcm=pcm, at=self.clock.now()))

    def some_time(self, seconds: float) -> float:
        """A moment at which sound may come, too."""
        return self.chance.randrange(round(seconds / CHUNK_SECONDS)) * CHUNK_SECONDS

    def last_words(self) -> list[str]:
        """What came of each breath, in order: its words, or in brackets why there are none."""
        said: list[str] = []
        for one in self.floor.received():
            if isinstance(one, WordsHeard) and one.final:
                said.append(f"{one.segment}: {one.text}")
            elif isinstance(one, WordsFailed):
                said.append(f"{one.segment}: ({one.reason})")
        return said

    def failures(self) -> list[tuple[str, str, str | None]]:
        """What is on record."""
        return [(one.stage, one.reason, one.person_id) for one in self.receipts(Failed)]

    def check(self) -> None:
        super().check()
        assert LATE not in repr(self.floor.received())
        assert LATE not in repr(self.told)
        began = [one.segment for one in self.floor.received() if isinstance(one, VoiceBegan)]
        assert [one.partition(":")[0] for one in self.last_words()] == began
        assert [one.segment_id for one in self.receipts(Transcription)] == began
        assert self.listeners.open == 0
        for told in self.told:
            lost = [event.connection for event in told if isinstance(event, ListenerLost)]
            assert len(set(lost)) == len(lost)


def test_what_is_written_down_to_its_end_fails_for_nobody() -> None:
    for seed in range(SEEDS):
        with Listening(seed, Plan()) as room:
            for number in (1, 2):
                room.say()
                room.run(3.0)
                assert room.last_words()[number - 1 :] == [f"ear.{number}: {WORDS}"]
            assert len(room.dial.lines) == 1
        assert room.failures() == []


@pytest.mark.parametrize("parting", PARTINGS)
def test_what_a_line_does_after_it_was_closed_is_nothing_to_anybody(parting: Fault) -> None:
    for seed in range(SEEDS):
        with Listening(seed, Plan(parting=parting)) as room:
            room.say()
            room.run(room.some_time(1.6))
            room.by_chance(room.stop)
            room.run()
            room.run(CLOSE_SECONDS)
            assert all(line.over for line in room.dial.lines)
        assert room.failures() == []
        assert room.last_words() in ([], ["ear.1: (ear_closed)"], [f"ear.1: {WORDS}"])


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_fails_while_words_are_awaited_is_one_failure_of_that_breath(fault: Fault) -> None:
    for seed in range(SEEDS):
        with Listening(seed, Plan(fault, begins=bool(seed & 4), parting=Fault.ABORTED)) as room:
            room.say()
            room.run(3.0)
            reason = "listener_lost" if room.early else fault.value
            assert room.last_words() == [f"ear.1: ({reason})"]
            assert [one.reason for one in room.receipts(Transcription)] == [reason]
            assert room.failures() == [("transcription_session", fault.value, "anna")]
            troubled = [one.reason for one in room.stay.received() if isinstance(one, EarTroubled)]
            assert troubled == (["quota"] if fault is Fault.REFUSED else [])
            room.say()
            room.run(3.0)
            assert room.last_words()[1:] == [f"ear.2: {WORDS}"]
            assert len(room.dial.lines) == 2
        assert len(room.failures()) == 1


def test_text_of_a_sound_that_was_no_speech_is_dropped_though_it_happen_twelve_times() -> None:
    for seed in range(SEEDS):
        with Listening(seed, Plan()) as room:
            for _ in range(12):
                room.cough()
                room.run(0.8 + room.some_time(0.3))
            room.say()
            room.run(3.0)
            assert room.last_words() == [*(f"ear.{number}: " for number in range(1, 13)), f"ear.13: {WORDS}"]
            assert {one.reason for one in room.receipts(Transcription)} == {"near_silence", None}
            assert len(room.dial.lines) == 1
        assert room.failures() == []


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_ends_while_nobody_speaks_is_opened_again_by_the_next_voice(fault: Fault) -> None:
    for seed in range(SEEDS):
        with Listening(seed, Plan()) as room:
            room.say()
            room.run(3.0)
            if seed & 4:
                room.peers[0].strike(fault)
                room.run()
                assert len(room.dial.lines) == 1
                room.say()
            else:
                room.say()
                room.run(room.some_time(0.3))
                room.by_chance(lambda: room.peers[0].strike(fault))
            room.run(3.0)
            if room.failures():
                assert not seed & 4
                assert room.failures() == [("transcription_session", fault.value, "anna")]
                assert room.last_words()[1:] == ["ear.2: (listener_lost)"]
            else:
                assert room.last_words()[1:] == [f"ear.2: {WORDS}"]
                assert len(room.dial.lines) == 2


@pytest.mark.parametrize("stands", [False, True])
def test_a_peer_that_never_answers_is_one_failure_and_its_late_words_are_nobodys(stands: bool) -> None:
    for seed in range(SEEDS):
        plan = Plan(Fault.SILENT, begins=bool(seed & 4), parting=Fault.SILENT)
        plan.stands = stands
        with Listening(seed, plan) as room:
            room.say()
            room.run(10.0)
            plan.stands = True
            reason = "deadline" if stands else "timeout"
            assert room.last_words() == [f"ear.1: ({reason})"]
            assert room.failures() == [("transcription_session", reason, "anna")]
            plan.answers.clear()
            room.say()
            room.run(3.0)
            assert room.last_words()[1:] == [f"ear.2: {WORDS}"]
        assert len(room.failures()) == 1


@pytest.mark.parametrize("fault", STRIKES)
def test_the_owner_may_close_it_while_it_fails(fault: Fault) -> None:
    for seed in range(SEEDS):
        with Listening(seed, Plan(fault, begins=bool(seed & 4), parting=fault)) as room:
            room.say()
            room.run(0.8 + room.some_time(0.7))
            room.by_chance(room.stop)
            room.run(CLOSE_SECONDS)
        assert len(room.last_words()) == 1
        assert room.failures() in ([], [("transcription_session", fault.value, "anna")])
