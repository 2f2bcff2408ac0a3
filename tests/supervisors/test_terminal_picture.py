"""What the full-screen console would draw, line by line, before anybody has painted it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from actors.console.report import StayCosts, WhyReport
from actors.console.wire_views import WordsView, parse_view
from actors.costs import Spent
from messages.ids import StayId
from messages.lifecycle import LifeState
from supervisors.terminal import picture as pictures
from supervisors.terminal.house import NEWS_LOOKS, actors, news, row
from supervisors.terminal.ink import Tone, harmless, harmless_json, plain, short, written
from supervisors.terminal.latency import spark, summed_up
from supervisors.terminal.money import cost
from supervisors.terminal.news import Box, Lost
from supervisors.terminal.picture import Picture, after
from supervisors.terminal.standing import opened, standing
from supervisors.terminal.stays import rows
from supervisors.terminal.talk import told
from tests.supervisors.window import STAY, line, node, receipt, report, stay, turn, words_view


def shown(picture: Picture, raw: str) -> Picture:
    view = parse_view(raw)
    assert view is not None
    return after(picture, view)


@pytest.mark.parametrize(
    ("values", "width", "bars"),
    [
        ((), 5, ""),
        ((0, 0), 5, "▁▁"),
        ((100,), 5, "█"),
        ((0, 50, 100), 5, "▁▅█"),
        ((100, 0, 50), 2, "▁█"),
        ((5,), 0, ""),
    ],
)
def test_a_spark_is_in_proportion_to_the_greatest(values: tuple[float, ...], width: int, bars: str) -> None:
    assert spark(values, width) == bars


def test_latencies_are_summed_up_in_words() -> None:
    assert summed_up(()) == "–"
    assert summed_up((100, 900, 300)) == "300 ms, median 300 ms"
    assert summed_up((12_345,)) == "12.3 s, median 12.3 s"


def test_an_id_is_known_by_its_end_and_a_text_gives_no_orders() -> None:
    assert (short("abc"), short("418100000000000042")) == ("abc", "…000000042")
    assert plain("a\x1b[2J\u202eb\nc\td\u2028e") == "a[2Jb c d e"
    assert harmless("a\x1b[2J\u202eb\nc\x9b\td") == "a[2Jb\nc\td"


def test_what_is_for_machines_gives_no_orders_and_says_the_same() -> None:
    said = {"a": '\x1b\x9b\u202e\U000e0001 ü "\n', "b": ["\x7f"]}
    shown = harmless_json(json.dumps(said, ensure_ascii=False, indent=1))
    assert (json.loads(shown), shown.replace("\n", "").isprintable()) == (said, True)
    assert "ü" in shown


@pytest.mark.parametrize(
    ("facts", "line_of"),
    [
        ({}, "  ● floor"),
        ({"restarts": 2, "waiting": 3}, "  ● floor ↻2 ✉3"),
        ({"state": LifeState.CLOSING}, "  ✗ floor closing"),
    ],
)
def test_an_actor_tells_what_is_worth_a_look(facts: dict[str, int], line_of: str) -> None:
    tree = node("root", node("root/floor", **facts))  # type: ignore[arg-type]
    assert [written(row(actor, new=False)) for actor in actors(tree)] == ["● root", line_of]


def test_what_changed_stays_marked_for_some_looks_and_the_first_look_is_no_news() -> None:
    before = node("root", node("root/a"), node("root/b"))
    now = node("root", node("root/a", restarts=1), node("root/b"), node("root/c"))
    assert news(None, before, {}) == {}
    marked = news(before, now, {})
    assert marked == {"root/a": NEWS_LOOKS, "root/c": NEWS_LOOKS}
    for _ in range(NEWS_LOOKS - 1):
        marked = news(now, now, marked)
        assert set(marked) == {"root/a", "root/c"}
    assert news(now, now, marked) == {}
    assert row(next(actors(now)), new=True)[2] == ("root", Tone.NEW)


def test_how_it_stands_is_health_and_the_gravest_reason_for_silence() -> None:
    assert written(standing(report(stay()))) == "healthy"
    quiet = report(stay(consented=0, floor="dormant"))
    assert written(standing(quiet)).startswith("healthy · silent, for nobody has consented to be heard (and ")
    ill = replace(report(stay(link_lost="closed_4006")), evidence_lost=2)
    assert written(standing(ill)).startswith("not well: a voice link is lost · silent, for the voice link")
    assert written(standing(ill)).endswith("2 receipts lost")
    assert opened(ill) == "clankie 0.1.0 · open for 1 h 2 min"
    assert opened(replace(ill, uptime_s=0.2)) == "clankie 0.1.0 · open for 0 s"


def test_a_stay_is_a_few_lines() -> None:
    costs = StayCosts(
        amount=0.25,
        bill=(Spent(provider="openai", model="m", input_tokens=900, output_tokens=100),),
        unpriced=("m",),
    )
    known = stay(holder="person-1", heard=("person-1",), restarts=1, hushed_s=240.0, costs=costs)
    said = [written(each) for each in rows([known], STAY, {(STAY, "first sound"): (400.0, 800.0)}, 4)]
    assert said == [
        "▶ room room-1  stay stay-0001",
        "  floor engaged with person-1  last turn spoke  hushed for 4 min more",
        "  people 2  heard 1 (person-1)",
        "  link up  restarts 1",
        "  first sound  ▅█   800 ms, median 600 ms",
        "  cost 0.2500 USD  1,000 tokens  without a price: m",
    ]


def test_a_stay_of_which_little_is_known_says_so() -> None:
    bare = stay(room_id=None, humans=None, consented=None, floor=None, last_turn=None, link_lost="timeout")
    said = [written(each) for each in rows([bare], None, {}, 4)]
    assert said[:4] == [
        "  room unknown  stay stay-0001",
        "  floor unknown",
        "  people unknown  heard unknown",
        "  link lost (timeout)",
    ]
    assert written(rows([stay(hindrance="server_muted")], None, {}, 4)[3]) == "  link server_muted"
    assert [written(each) for each in rows([], None, {}, 4)] == ["He is in no room. j has him join."]


def test_lines_turns_and_words_are_in_the_order_in_which_they_happened() -> None:
    said = parse_view(words_view("Hi", at=1_000.5, typed=True, whole=False))
    assert isinstance(said, WordsView)
    over = turn(outcome="cut", reason="stop", tools=("voice_leave",), first_audio_ms=700, trigger="address")
    going = turn(at=1_002.0)
    rows_of = [written(each.row)[9:] for each in told([line("listen")], [going, over], [said])]
    assert rows_of == [
        "…234567890 addressed → listen by name",
        "Anna: Hi (typed) (cut off)",
        "turn address → cut (stop) with voice_leave · first sound 700 ms",
        "turn unknown → under way",
    ]


def test_a_receipt_is_one_line_and_its_latencies_are_kept() -> None:
    picture = shown(Picture(), json.dumps({"view": "status", "status": json.loads(status_of(stay()))}))
    picture = shown(
        picture,
        receipt(
            "discord.voice.response",
            stayId=STAY,
            turnId="turn-1234567890",
            whole=True,
            decisionToFirstAudioMs=700,
        ),
    )
    assert written(picture.receipts[-1].row)[9:] == (
        "response turnId …234567890 whole yes decisionToFirstAudioMs 700"
    )
    assert picture.latencies == {(STAY, "first sound"): (700.0,)}
    gone = pictures.with_status(picture, report())
    assert gone.latencies == {}


def status_of(*stays: object) -> str:
    from actors.console.wire import to_json

    return to_json(report(*stays))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raw", "tone"),
    [
        (receipt("discord.voice.failed", stage="playback"), Tone.BAD),
        (receipt("discord.voice.consent", phase="lost"), Tone.BAD),
        (receipt("discord.voice.floor", state="engaged"), Tone.STRONG),
    ],
)
def test_a_receipt_of_a_failure_stands_out(raw: str, tone: Tone) -> None:
    assert shown(Picture(), raw).receipts[-1].row[1][1] is tone


@pytest.mark.parametrize("moment", ["yesterday", "0001-01-01T00:00:00"])
def test_a_receipt_with_a_time_that_is_none_is_left_out(moment: str) -> None:
    raw = receipt("discord.voice.floor").replace("2026-01-02T03:04:05.678Z", moment)
    assert shown(Picture(), raw) == Picture()


@pytest.mark.parametrize("ms", [float("nan"), float("inf"), -1.0, 10**400, 1e300])
def test_a_latency_that_cannot_be_is_none(ms: float) -> None:
    picture = shown(Picture(), receipt("discord.voice.response", stayId=STAY, decisionToFirstAudioMs=ms))
    assert (len(picture.receipts), picture.latencies) == (1, {})


@pytest.mark.parametrize(
    ("raw", "what", "most"),
    [
        (receipt("discord.voice.floor"), "receipts", pictures.MOST_RECEIPTS),
        (words_view("Hi"), "words", pictures.MOST_WORDS),
        (json.dumps({"view": "log", "at": 1.0, "level": "INFO", "text": "x"}), "logs", pictures.MOST_LOGS),
    ],
)
def test_every_list_has_an_end(raw: str, what: str, most: int) -> None:
    picture = Picture()
    for _ in range(most + 3):
        picture = shown(picture, raw)
    assert len(getattr(picture, what)) == most


def test_latencies_from_before_somebody_looked_are_taken_once() -> None:
    why = WhyReport(lines=(), turns=(turn(first_audio_ms=500, speech_end_to_first_audio_ms=900), turn()))
    once = pictures.with_why(Picture(), why)
    assert once.latencies == {(STAY, "after speech"): (900.0,), (STAY, "first sound"): (500.0,)}
    assert pictures.with_why(once, why).latencies == once.latencies


def test_the_chosen_stay_is_one_that_there_is_and_the_next_one_follows() -> None:
    other = StayId("stay-0002")
    assert pictures.with_next_stay(Picture()) == Picture()
    picture = pictures.with_status(Picture(), report(stay(), stay(other)))
    assert picture.chosen == STAY
    picture = pictures.with_next_stay(picture)
    assert picture.chosen == other
    assert pictures.with_next_stay(picture).chosen == STAY
    assert pictures.with_status(picture, report(stay())).chosen == STAY
    assert pictures.with_status(picture, report()).chosen is None


def test_a_house_that_is_lost_stays_in_sight_until_it_is_back() -> None:
    picture = pictures.with_trouble(pictures.with_status(Picture(), report(stay())), "gone; start it")
    assert (picture.trouble, picture.stays) == ("gone; start it", (STAY,))
    assert pictures.with_status(picture, report()).trouble == ""


def test_a_box_that_nobody_opens_drops_the_oldest_and_counts() -> None:
    box = Box(2)
    for name in "abc":
        box.put(Lost(trouble=name))
    assert box.take() == (Lost(trouble="b"), Lost(trouble="c"))
    assert (box.take(), box.dropped) == ((), 1)


def test_what_it_cost_is_said_as_on_the_page() -> None:
    here, paid = Spent(provider="local", model="tiny"), Spent(provider="openai", model="m")
    assert cost(StayCosts()) == "nothing yet"
    assert cost(StayCosts(bill=(here,))) == "nothing: all local"
    assert cost(StayCosts(bill=(here, paid), currency="EUR")) == "0.0000 EUR"
    assert cost(StayCosts(bill=(paid,), amount=1.256)) == "1.26 USD"
