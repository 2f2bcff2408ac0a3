"""The page stands alone, says what is in the record and nothing else, and grows no faster than the record."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tracemalloc
from collections.abc import Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from actors.costs import CostSettings, Price
from messages import evidence as say
from messages.ids import HandoffId, LineId, PersonId, RoomId, StayId, TurnId
from supervisors.report.gathering import Found, Stamped, gather
from supervisors.report.page import Report, page
from supervisors.report.prices import NO_PRICES
from supervisors.report.story import stories
from supervisors.report.summary import to_json
from tests.supervisors.report.evening import PEOPLE, evening, write

MADE = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EVIL = '"><script>alert(1)</script>'


def page_of(found: Found, settings: CostSettings = NO_PRICES) -> str:
    return page(Report(found=found, stories=tuple(stories(found)), settings=settings, made=MADE))


def read(*paths: Path) -> Found:
    return gather(paths, lambda _: None)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """An evening of half an hour or so."""
    return read(write(tmp_path_factory.mktemp("record") / "receipts.jsonl", evening(1_500)))


@pytest.fixture(scope="module")
def html(record: Found) -> str:
    """Its page."""
    return page_of(record)


class Ids(HTMLParser):
    """Every id of a page, and every place that is linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.links.append(value or "")
            elif name in {"src", "srcset", "action", "style"} or name.startswith("on"):
                self.loaded.append(f"{tag} {name}")


def test_every_link_leads_to_its_own_place_on_the_page_and_nothing_is_loaded(html: str) -> None:
    found = Ids()
    found.feed(html)
    assert len(found.ids) == len(set(found.ids))
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
    assert found.loaded == []
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)


def test_its_own_style_and_script_are_all_that_it_may_run(html: str) -> None:
    policy = re.search(r'Content-Security-Policy content="([^"]+)"', html)
    assert policy
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none';")


def test_people_are_numbers_with_the_id_for_who_points_at_them(html: str) -> None:
    assert f'title="{PEOPLE[0]}"' in html
    assert re.search(r"person \d …0001", html)
    assert f">{PEOPLE[0]}" not in html


def test_numbers_on_the_page_are_those_of_the_summary(record: Found, html: str) -> None:
    (stay,) = json.loads(to_json(record, tuple(stories(record)), NO_PRICES))["stays"]
    for name in ("utterances", "spoken", "ducks", "false_overlaps"):
        assert f"<td class=n>{stay[name]:,}<" in html, name
    answer = stay["latencies"]["answer"]
    assert f"{answer['measured']} measurements" in html
    assert answer["median_ms"] < answer["p95_ms"] < answer["longest_ms"]
    assert stay["cost"] is None
    assert stay["unpriced"] == ["gpt-realtime-2.1"]


def test_with_prices_it_says_what_it_cost(record: Found) -> None:
    settings = CostSettings(
        currency="EUR", prices={"gpt-realtime-2.1": Price(input=4, cached=0.4, output=16)}
    )
    (stay,) = json.loads(to_json(record, tuple(stories(record)), settings))["stays"]
    text = page_of(record, settings)
    assert f"<td class=n>{stay['cost']:,.4f}" in text
    assert ">EUR<" in text
    assert "Without a price" not in text


def test_what_the_captain_spends_in_writing_is_told_without_any_stay() -> None:
    used = say.CaptainUsage(
        handoff_id=HandoffId("h"), provider="openai", model="gpt-5", input_tokens=2_000_000
    )
    found = Found(house=[Stamped(at=0.0, receipt=used)] * 2, receipts=2)
    settings = CostSettings(prices={"gpt-5": Price(input=1.25)})
    told = json.loads(to_json(found, (), settings))
    assert (told["stays"], told["elsewhere"]["cost"], told["elsewhere"]["unpriced"]) == ([], 5.0, [])
    assert json.loads(to_json(found, (), NO_PRICES))["elsewhere"]["cost"] is None
    text = page_of(found, settings)
    assert "<td class=n>4,000,000<" in text
    assert "<td class=n>5.0000" in text
    assert "<table class=index>" not in text


def test_what_stands_in_a_record_is_never_markup(tmp_path: Path) -> None:
    stay, person, turn = StayId(EVIL), PersonId(EVIL), TurnId(EVIL)
    told: list[tuple[float, say.Receipt]] = [
        (0, say.Joined(stay_id=stay, room_id=RoomId(EVIL), humans=1, bots=0, encryption=EVIL)),
        (1, say.Consent(stay_id=stay, person_id=person, phase="granted")),
        (2, say.Floor(stay_id=stay, state="engaged", holder_id=person, rule=EVIL)),
        (3, say.ModelResponse(stay_id=stay, turn_id=turn, phase="failed", trigger=EVIL, outcome=EVIL)),
        (4, say.Failed(stay_id=stay, stage=EVIL, reason=EVIL, turn_id=turn)),
        (4, say.TextInput(stay_id=stay, person_id=person, line_id=LineId(EVIL), characters=1)),
        (5, say.Usage(stay_id=stay, service=EVIL, provider=EVIL, model=EVIL, input_tokens=1)),
        (6, say.BridgeStopped(reason=EVIL)),
        (7, say.Left(stay_id=stay, reason=EVIL, duration_ms=1)),
    ]
    path = tmp_path / "receipts.jsonl"
    foreign = {
        "schemaVersion": 1,
        "id": "f",
        "occurredAt": "2026-03-01T19:00:00.000Z",
        "type": EVIL,
        "data": {"type": "x", EVIL: EVIL},
    }
    path.write_text(json.dumps(foreign) + '\n["' + EVIL + "\n")
    found = read(path)
    found.house = [Stamped(at=at, receipt=one) for at, one in told if isinstance(one, say.BridgeStopped)]
    found.stays = {
        stay: [Stamped(at=at, receipt=one) for at, one in told if not isinstance(one, say.BridgeStopped)]
    }
    text = page_of(found)
    assert "<script>alert" not in text
    assert text.count("<script>") == 1
    assert "&lt;script&gt;alert" in text


def test_a_stay_of_one_receipt_has_a_page() -> None:
    stay = StayId("s")
    found = Found(stays={stay: [Stamped(at=0.0, receipt=say.Left(stay_id=stay, reason="x", duration_ms=0))]})
    text = page_of(found)
    assert "never spoke" in text
    assert "Nobody said anything to him" in text


def test_whoever_did_nothing_in_a_stretch_has_no_lane_in_it() -> None:
    stay, ann, bob = StayId("s"), PersonId("ann"), PersonId("bob")
    came = [(float(number), ann) for number in range(3_100)] + [(90_000.0, bob)]
    told = [
        Stamped(at=at, receipt=say.Membership(stay_id=stay, person_id=who, change="arrived", humans=2))
        for at, who in came
    ]
    text = page_of(Found(stays={stay: told}))
    assert text.count("<details class=stretch") == 2
    assert text.count('data-name="person 1 ann"') == text.count('data-name="person 2 bob"') == 2


def test_trouble_is_seen_at_a_glance() -> None:
    stay = StayId("s")
    told: list[say.Receipt] = [
        say.Failed(stay_id=stay, stage="playback", reason="stalled"),
        say.Degraded(stay_id=stay, phase="lost", reason="x"),
    ]
    found = Found(stays={stay: [Stamped(at=float(at), receipt=one) for at, one in enumerate(told)]})
    text = page_of(found)
    for chip in ("1 failure", "link lost 1 time", "no end on record"):
        assert f"</span>{chip}" in text, chip
    # A browser draws nothing of what has no width, and a failure takes no time.
    assert re.search(r"<rect class=trouble [^>]*width=0\.010%", text)


def test_a_page_costs_as_much_more_as_its_record_is_longer(tmp_path: Path) -> None:
    def cost(receipts: int) -> tuple[int, int]:
        path = write(tmp_path / f"{receipts}.jsonl", evening(receipts))
        tracemalloc.start()
        text = page_of(read(path))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return len(text) // 1_000, peak // 1_000

    page_of(read(write(tmp_path / "first.jsonl", evening(50))))
    (small, less), (large, more) = cost(1_000), cost(4_000)
    assert large < 4.5 * small
    assert more < 4.5 * less
    assert large < 4_000 * 0.15
