"""Why he spoke or did not, how fast he was and what it cost: what the console keeps of the record."""

from __future__ import annotations

from dataclasses import replace

from actors.console.core import step
from actors.console.decisions import AnswerWhy, Decision
from actors.console.recounting import MAX_LEFT, MAX_LINES, MAX_TURNS
from actors.console.report import Latencies, Latency, StayStatus, WhyReport
from actors.console.reporting import report
from actors.console.state import State
from actors.costs import CostSettings, Price, Spent
from messages import console as ask
from messages import evidence as say
from messages.ids import (
    CallId,
    HandoffId,
    LineId,
    PersonId,
    RoomId,
    SegmentId,
    StayId,
    Token,
    TurnId,
    UtteranceId,
)
from tests.actors.console.fake import node

COSTS = CostSettings(currency="EUR", prices={"talker": Price(input=1.0, output=2.0)})
NEW = State(version="1", opened_at=100.0, token=Token(0), ask_seconds=60.0, costs=COSTS)
STAY, OTHER, ANN, TURN = StayId("s1"), StayId("s2"), PersonId("ann"), TurnId("t1")
JOINED = say.Joined(stay_id=STAY, room_id=RoomId("r1"), humans=2, bots=1, encryption="dave")
LEFT = say.Left(stay_id=STAY, reason="kicked", duration_ms=1)


def after(*receipts: say.Receipt, state: State = NEW) -> State:
    for at, receipt in enumerate(receipts):
        state, _ = step(state, say.Recorded(receipt=receipt, at=float(at), json_line="{}"), 100.0)
    return state


def stay_after(*receipts: say.Receipt) -> StayStatus:
    [stay] = report(after(*receipts), 100.0).stays
    return stay


def why(state: State, stay: StayId | None = None, most: int = 50) -> WhyReport:
    known = asked(state, stay, most)
    assert known is not None
    return known


def asked(state: State, stay: StayId | None = None, most: int = 50) -> WhyReport | None:
    decisions: tuple[Decision, ...]
    _, decisions = step(state, ask.WhyAsked(stay=stay, most=most, answer=lambda _: None), 100.0)
    [answer] = decisions
    assert isinstance(answer, AnswerWhy)
    return answer.why


def line(name: str, stay: StayId = STAY, turn: TurnId | None = None) -> say.FloorDecision:
    return say.FloorDecision(
        stay_id=stay,
        person_id=ANN,
        line_id=LineId(name),
        heard_as="addressed",
        decision="wake",
        rule="name",
        turn_id=turn,
    )


def turn(name: TurnId, phase: str, outcome: str | None = None, stay: StayId = STAY) -> say.ModelResponse:
    return say.ModelResponse(stay_id=stay, turn_id=name, phase=phase, trigger="address", outcome=outcome)


def heard(first: int, since: int | None = None) -> say.Response:
    return say.Response(
        stay_id=STAY,
        turn_id=TURN,
        utterance_id=UtteranceId("u"),
        trigger="address",
        whole=True,
        decision_to_first_audio_ms=first,
        speech_end_to_first_audio_ms=since,
    )


def transcription(outcome: str, took: int) -> say.Transcription:
    return say.Transcription(
        stay_id=STAY,
        person_id=ANN,
        segment_id=SegmentId("g"),
        outcome=outcome,
        latency_ms=took,
        characters=1,
    )


def test_a_turn_is_told_from_the_line_that_asked_for_it_to_its_outcome() -> None:
    asked = line("l1", turn=TURN)
    told = after(asked, asked, turn(TURN, "requested"), turn(TURN, "completed", "silent"))
    known = why(told)
    assert [(each.line_id, each.decision, each.turn_id) for each in known.lines] == [("l1", "wake", TURN)] * 2
    [one] = known.turns
    assert (one.turn_id, one.lines, one.trigger, one.outcome) == (TURN, ("l1",), "address", "silent")


def test_of_all_or_of_one_stay_the_latest_come_last_and_no_more_than_asked_for() -> None:
    names = [(f"l{n}", (STAY, OTHER)[n % 2]) for n in range(6)]
    state = after(*[line(name, stay, TurnId(name)) for name, stay in names])
    assert [each.line_id for each in why(state, most=3).lines] == ["l3", "l4", "l5"]
    assert [each.line_id for each in why(state, OTHER, most=2).lines] == ["l3", "l5"]
    assert [each.turn_id for each in why(state, STAY).turns] == ["l0", "l2", "l4"]
    assert why(state, most=0) == WhyReport(lines=(), turns=())


def test_of_a_stay_that_nobody_knows_nothing_is_said_and_of_one_without_words_that_there_are_none() -> None:
    nothing = WhyReport(lines=(), turns=())
    assert asked(after(line("l1")), StayId("never")) is None
    assert asked(after(JOINED), STAY) == asked(after(JOINED, LEFT), STAY) == nothing
    seen = node("root", node("root/body/stays/s1", node("root/body/stays/s1/stay")))
    assert asked(replace(NEW, tree=seen), STAY) == nothing
    assert asked(replace(NEW, tree=seen), StayId("stay")) is None


def test_only_the_latest_lines_and_turns_are_kept() -> None:
    many = range(MAX_LINES + 3)
    state = after(*[line(f"l{n}", turn=TurnId(f"t{n}")) for n in many])
    known = why(state, most=10_000)
    assert [each.line_id for each in known.lines] == [f"l{n}" for n in many][-MAX_LINES:]
    assert [each.turn_id for each in known.turns] == [f"t{n}" for n in many][-MAX_TURNS:]


def test_what_he_did_before_he_left_is_still_known() -> None:
    state = after(JOINED, line("l1"), LEFT)
    assert [each.line_id for each in why(state).lines] == ["l1"]


def test_a_stay_that_is_over_does_not_come_back_by_a_late_receipt() -> None:
    state = after(JOINED, LEFT, turn(TURN, "failed"))
    assert (report(state, 100.0).stays, report(state, 100.0).counts.joined) == ((), 1)
    many = [replace(LEFT, stay_id=StayId(f"x{n}")) for n in range(MAX_LEFT + 1)]
    assert len(after(*many).left) == MAX_LEFT


def test_latencies_are_the_last_and_the_median_of_twenty() -> None:
    stay = stay_after(
        *[heard(10_000) for _ in range(5)],
        *[heard(100 * n, 200 * n) for n in range(1, 21)],
        transcription("words", 400),
        transcription("empty", 9),
        say.Playback(
            stay_id=STAY,
            utterance_id=UtteranceId("u"),
            turn_id=TURN,
            phase="cut",
            at_ms=1,
            decision_to_silence_ms=60,
        ),
    )
    assert stay.latencies == Latencies(
        first_audio=Latency(last_ms=2000, median_ms=1050),
        speech_end_to_first_audio=Latency(last_ms=4000, median_ms=2100),
        transcript=Latency(last_ms=400, median_ms=400),
        cut_to_silence=Latency(last_ms=60, median_ms=60),
    )
    assert stay_after(JOINED, heard(5)).latencies.cut_to_silence is None


def test_what_a_stay_costs_is_what_its_models_did_at_the_operators_prices() -> None:
    talked = say.Usage(
        stay_id=STAY,
        service="conversation",
        provider="openai",
        model="talker",
        input_tokens=500_000,
        output_tokens=250_000,
    )
    captain = say.CaptainUsage(
        handoff_id=HandoffId("h"), provider="openai", model="thinker", input_tokens=9, stay_id=STAY
    )
    stay = stay_after(JOINED, talked, captain, talked)
    assert (stay.costs.amount, stay.costs.currency, stay.costs.unpriced) == (2.0, "EUR", ("thinker",))
    assert stay.costs.bill[0] == Spent(
        provider="openai", model="talker", input_tokens=1_000_000, output_tokens=500_000
    )
    elsewhere = (replace(talked, stay_id=OTHER), replace(captain, stay_id=None))
    assert stay_after(JOINED, *elsewhere).costs.bill == ()
    assert report(after(talked), 100.0).stays == ()


def test_a_stay_says_since_when_who_holds_the_floor_and_whom_he_hears() -> None:
    holds = say.Floor(stay_id=STAY, state="engaged", holder_id=ANN)
    granted = [
        say.Consent(stay_id=STAY, person_id=person, phase="granted") for person in (PersonId("bob"), ANN)
    ]
    stay = stay_after(JOINED, holds, *granted)
    assert (stay.joined_at, stay.holder, stay.heard) == (0.0, ANN, ("ann", "bob"))
    assert stay_after(JOINED, holds, say.Floor(stay_id=STAY, state="dormant")).holder is None


def test_restarts_and_letters_are_counted_in_the_house_and_in_the_stay() -> None:
    rooms = [replace(node(f"root/body/stays/{stay}/voice"), restarts=2) for stay in (STAY, OTHER)]
    state, _ = step(after(JOINED), replace(node("root", *rooms), mailbox_depth=3), 100.0)
    counts = report(state, 100.0).counts
    assert (counts.actors, counts.restarts, counts.waiting, counts.joined, counts.receipts) == (3, 4, 3, 1, 1)
    [stay] = report(state, 100.0).stays
    assert stay.restarts == 2


def test_a_tool_of_a_turn_is_told_with_it() -> None:
    tool = say.RealtimeTool(
        stay_id=STAY, turn_id=TURN, call_id=CallId("c"), name="voice_leave", phase="called"
    )
    [told] = why(after(turn(TURN, "requested"), tool)).turns
    assert told.tools == ("voice_leave",)
    assert why(after(replace(tool, turn_id=None))).turns == ()
