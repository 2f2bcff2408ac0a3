"""However a conversation's line ends, each turn is answered once, and by nothing that was said too late."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from actors.realtime.actor import Realtime
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.settings import RealtimeSettings
from messages.captain import AskCaptain, CaptainMessage
from messages.evidence import Failed, ModelResponse, RealtimeTool
from messages.floor import FloorMessage, ResultWaiting, Trigger, TurnAnswered, WorkBegan, WorkEnded
from messages.ids import LineId, PersonId, RoomId, StayId, TurnId
from messages.people import Line, LineSource, Person
from messages.realtime import CancelTurn, ConversationLost, HandoffReturned, RealtimeMessage, TurnAsked
from messages.stay import SayInChat, StayMessage
from messages.tts import SayEnd, SayText, TtsMessage
from supervisors.address import Address
from tests.actors.net.staged import CLOSE_SECONDS
from tests.probe import Probe
from tests.stories.mind_peer import FIRST, LATE, REST, WALL, Provider
from tests.stories.sound import after
from tests.stories.telling import SEEDS
from tests.stories.wired import PARTINGS, SERVICE, STRIKES, Fault, Plan, Wired

ANNA = Person(id=PersonId("anna"), label="Anna")
WHOLE = FIRST + REST
EXPIRED = "session_expired"


class Mind(Wired):
    """The conversation's room."""

    def __init__(self, seed: int, provider: Provider, settings: RealtimeSettings | None = None) -> None:
        super().__init__(seed, provider)
        self.provider = provider
        self.floor: Probe[FloorMessage] = Probe()
        self.tts: Probe[TtsMessage] = Probe()
        self.stay: Probe[StayMessage] = Probe()
        self.captain: Probe[CaptainMessage] = Probe()
        self.realtime: Address[RealtimeMessage] = Address()
        settings = settings or RealtimeSettings()
        self.house(
            lambda life: Realtime(
                life,
                stay_id=StayId("s1"),
                room=RoomId("den"),
                floor=self.floor,
                tts=self.tts,
                stay=self.stay,
                captain=self.captain,
                returns=self.realtime,
                evidence=self.evidence,
                clock=self.clock,
                port=self.overheard(
                    LiveConversation(
                        self.loop, self.dial, SERVICE, settings, wall=lambda: WALL + self.clock.now()
                    )
                ),
                settings=settings,
            ),
            self.realtime,
        )

    def ask(self, turn: str, trigger: Trigger = Trigger.ADDRESS) -> None:
        """It may be his turn."""
        line = Line(
            id=LineId(turn),
            person=ANNA,
            text="What time is it?",
            source=LineSource.SPOKEN,
            began=0.0,
            ended=1.0,
        )
        lines = (line,) if trigger is Trigger.ADDRESS else ()
        self.realtime.tell(TurnAsked(turn=TurnId(turn), trigger=trigger, lines=lines))

    def cancel(self, turn: str) -> None:
        """The floor wants nothing more of it."""
        self.realtime.tell(CancelTurn(turn=TurnId(turn)))

    def turn_after_turn(self, last: int, number: int = 0) -> None:
        """Each turn is cancelled at some moment, for the next one."""
        if number:
            self.cancel(f"t{number - 1}")
        if number < last:
            self.ask(f"t{number}")
            self.by_chance(lambda: self.turn_after_turn(last, number + 1))

    def heard(self, kind: type[FloorMessage]) -> list[object]:
        """What the floor was told of this kind."""
        return [one for one in self.floor.received() if isinstance(one, kind)]

    def answers(self, turn: str) -> list[str]:
        """How this turn was answered."""
        answered = [one for one in self.floor.received() if isinstance(one, TurnAnswered)]
        return [f"{one.outcome.value} {one.detail}".strip() for one in answered if one.turn == turn]

    def text(self, turn: str) -> str:
        """What was given to the synthesizer of it; with a full stop behind it once it was ended."""
        said = [one for one in self.tts.received() if isinstance(one, SayText | SayEnd)]
        mine = [one for one in said if one.utterance == f"{turn}-speech"]
        return "".join(one.text if isinstance(one, SayText) else "|" for one in mine)

    def is_whole(self, turn: str) -> bool:
        """Whether it was answered, once, to its end."""
        return self.answers(turn) == ["spoke"] and self.text(turn) == f"{WHOLE}|"

    def failures(self) -> list[tuple[str, str, str | None]]:
        """What is on record."""
        return [(one.stage, one.reason, one.turn_id) for one in self.receipts(Failed)]

    def notices(self) -> int:
        """How often the room was told that he cannot answer."""
        return sum(isinstance(one, SayInChat) for one in self.stay.received())

    def open_lines(self) -> int:
        """How many lines are neither closed nor over."""
        return sum(not line.closed and not line.over for line in self.dial.lines)

    def check(self) -> None:
        super().check()
        assert LATE not in repr((self.tts.received(), self.floor.received(), self.told))
        assert LATE not in repr((self.stay.received(), self.evidence.received()))
        assert all(
            times == 1 for times in Counter(one.turn_id for one in self.receipts(ModelResponse)).values()
        )
        for told in self.told:
            lost = [event.connection for event in told if isinstance(event, ConversationLost)]
            assert len(set(lost)) == len(lost)
            assert not _afterwards(told), "reported of a conversation that was lost"


def _afterwards(told: list[object]) -> list[object]:
    """What was reported of a conversation after its loss."""
    lost, late = set[object](), list[object]()
    for event in told:
        connection = getattr(event, "connection", None)
        if connection in lost:
            late.append(event)
        if isinstance(event, ConversationLost):
            lost.add(connection)
    return late


def test_what_is_answered_to_its_end_fails_for_nobody() -> None:
    for seed in range(SEEDS):
        with Mind(seed, Provider(Plan())) as room:
            for turn in ("t1", "t2"):
                room.ask(turn)
                room.run(3.0)
                assert room.is_whole(turn)
            assert len(room.dial.lines) == 1
        assert room.failures() == []


@pytest.mark.parametrize("parting", PARTINGS)
def test_what_a_line_does_after_it_was_closed_is_nothing_to_anybody(parting: Fault) -> None:
    for seed in range(SEEDS):
        with Mind(seed, Provider(Plan(parting=parting))) as room:
            room.ask("t1")
            room.by_chance(room.stop, 40)
            room.run()
            room.run(CLOSE_SECONDS)
            assert all(line.over for line in room.dial.lines)
        assert room.failures() == []
        assert room.answers("t1") in ([], ["spoke"])


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_fails_while_it_answers_is_one_failure_of_that_turn(fault: Fault) -> None:
    for seed in range(SEEDS):
        begins = bool(seed & 2)
        with Mind(seed, Provider(Plan(fault, begins=begins, parting=Fault.ABORTED))) as room:
            room.ask("t1")
            room.run(3.0)
            assert room.answers("t1") == [f"failed {fault.value}"]
            assert room.text("t1") == (f"{FIRST}|" if begins else "")
            assert room.failures() == [("conversation_session", fault.value, "t1")]
            assert [(one.phase, one.reason) for one in room.receipts(ModelResponse)] == [
                ("failed", fault.value)
            ]
            assert room.notices() == 1
            room.ask("t2")
            room.run(3.0)
            assert room.is_whole("t2")
            assert len(room.dial.lines) == 2
        assert len(room.failures()) == 1


def test_text_of_an_answer_that_was_cancelled_is_dropped_though_it_happen_twelve_times() -> None:
    for seed in range(SEEDS):
        provider = Provider(Plan())
        provider.held = True
        with Mind(seed, provider) as room:
            room.turn_after_turn(12)
            room.run()
            provider.held = False
            room.ask("t12")
            room.run(3.0)
            assert room.is_whole("t12")
            for number in range(12):
                assert room.answers(f"t{number}") in (["cut"], ["failed replaced"])
                assert room.text(f"t{number}") in ("", f"t{number}", f"t{number}|")
            assert len(room.dial.lines) == 1
            assert room.captain.received() == []
            assert set(provider.peers[0].outputs) == provider.peers[0].calls
        assert room.failures() == []


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_ends_while_nobody_asks_is_opened_again_by_the_next_turn(fault: Fault) -> None:
    for seed in range(SEEDS):
        provider = Provider(Plan())
        with Mind(seed, provider) as room:
            room.ask("t1")
            room.run(3.0)
            assert room.is_whole("t1")
            provider.peers[0].strike(fault)
            if seed & 2:
                room.run()
            room.by_chance(lambda: room.ask("t2"), 6)
            room.run(3.0)
            if room.failures():
                assert not seed & 2
                ((stage, reason, turn),) = room.failures()
                assert (stage, turn) == ("conversation_session", "t2")
                assert reason in (fault.value, "closed_1008")
                assert room.answers("t2") == [f"failed {reason}"]
            else:
                assert room.is_whole("t2")
                assert len(room.dial.lines) == 2 or not seed & 2


@pytest.mark.parametrize("stands", [False, True])
def test_a_peer_that_never_answers_is_one_failure(stands: bool) -> None:
    for seed in range(SEEDS):
        plan = Plan(Fault.SILENT, begins=bool(seed & 2), parting=Fault.SILENT)
        plan.stands = stands
        with Mind(seed, Provider(plan)) as room:
            room.ask("t1")
            room.run(21.0)
            reason = "deadline" if stands else "timeout"
            assert room.answers("t1") == [f"failed {reason}"]
            assert room.failures() == [("conversation_session", reason, "t1")]
            plan.stands = True
            plan.answers.clear()
            room.ask("t2")
            room.run(3.0)
            assert room.is_whole("t2")
            assert room.open_lines() == 1
        assert len(room.failures()) == 1


@pytest.mark.parametrize("fault", STRIKES)
def test_the_owner_may_close_it_while_it_fails(fault: Fault) -> None:
    for seed in range(SEEDS):
        plan = Plan(fault, begins=bool(seed & 2), parting=fault)
        with Mind(seed, Provider(plan)) as room:
            room.ask("t1")
            room.by_chance(room.restart, 40)
            room.run(CLOSE_SECONDS)
            ends = room.answers("t1")
            assert ends in ([], [f"failed {fault.value}"], ["spoke"])
            assert len(room.failures()) == (ends not in ([], ["spoke"]))
            room.run(3.0)
            plan.answers.clear()
            room.ask("t2")
            room.run(3.0)
            assert room.is_whole("t2")
            assert room.answers("t1") == ends


@pytest.mark.parametrize("how", ["the house knows", "the provider says", "the provider ends it", "it fails"])
def test_a_conversation_is_renewed_in_the_midst_of_a_turn_and_nobody_notices(how: str) -> None:
    for seed in range(SEEDS):
        provider = Provider(Plan())
        settings = RealtimeSettings(hold_seconds=1000.0)
        if how in ("the house knows", "it fails"):
            settings = RealtimeSettings(session_seconds=110.0, renew_seconds=10.0)
        provider.lasts = 110.0 if how == "the provider says" else None
        with Mind(seed, provider, settings) as room:
            room.ask("t1")
            room.run(1.0)
            provider.lasts, due = None, 55.0 if how == "the provider says" else 100.0
            if how == "the provider ends it":
                line = room.dial.lines[0]
                after(room.clock, due - 1.0, lambda: line.later(lambda: line.end("closed_1001", 1001)))  # noqa: B023
            if how == "it fails":
                strike = partial(provider.strike, Fault.ABORTED)
                after(room.clock, due - 1.0, partial(room.by_chance, strike, 4))
            after(room.clock, due - 1.0, lambda: room.by_chance(lambda: room.ask("t2"), 4))
            room.run(150.0)
            assert room.is_whole("t1")
            if how == "the provider ends it" and not room.is_whole("t2"):
                assert room.answers("t2") == [f"failed {EXPIRED}"]
                assert room.text("t2").startswith(FIRST)
            else:
                assert room.is_whole("t2")
            assert room.failures() == []
            assert room.notices() == 0
            assert room.open_lines() <= 1
            assert len(room.dial.lines) == 2
            room.ask("t3")
            room.run(3.0)
            assert room.is_whole("t3")
        assert room.failures() == []


@pytest.mark.parametrize("fault", STRIKES)
def test_a_line_that_fails_as_a_tool_is_called_costs_neither_the_work_nor_its_result(fault: Fault) -> None:
    for seed in range(SEEDS):
        provider = Provider(Plan())
        provider.calls.append(True)
        with Mind(seed, provider) as room:
            room.ask("t1")
            room.by_chance(partial(provider.strike, fault), 40)
            room.run()
            asked = [one for one in room.captain.received() if isinstance(one, AskCaptain)]
            (ending,) = room.answers("t1")
            closed = "closed_1008" if fault is Fault.REFUSED else fault.value
            assert ending in ("tool", f"failed {fault.value}", f"failed {closed}")
            assert len(asked) == (ending == "tool")
            assert [one.phase for one in room.receipts(RealtimeTool)] == ["called", "answered"] * len(asked)
            room.run(3.0)
            for one in asked:
                back = HandoffReturned(handoff=one.handoff, request=one.request, text="Nine.")
                room.realtime.tell(back)
                room.run()
                assert len(room.heard(WorkBegan)) == len(room.heard(WorkEnded)) == 1
                assert len(room.heard(ResultWaiting)) == 1
            provider.calls.clear()
            room.ask("t2", Trigger.HANDOFF_RESULT if asked else Trigger.ADDRESS)
            room.run(3.0)
            assert room.is_whole("t2")
        assert len(room.failures()) <= 1
