"""A step is paid for when it ends, whether it came to anything or not."""

from __future__ import annotations

import pytest

from actors.captain.live.wire import used
from actors.captain.settings import CaptainSettings
from actors.net.loop import IoLoop
from actors.net.usage import Tokens
from messages.captain import MindSpent, MindStepped
from messages.usage import Spending
from tests.actors.captain.live.asked import H1, Desk, says
from tests.loopback.discord.body import Body
from tests.loopback.openai.fixtures import PATIENCE
from tests.loopback.openai.rest import Rest

USAGE = {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}}


def test_a_step_costs_what_the_server_says(desk: Desk, rest: Rest) -> None:
    says(rest, "Here I am.")
    desk.begin()
    desk.step()
    bill = Body.of(rest.billed[0])
    spent = Spending(
        provider="openai",
        model="gpt-6.1-sol",
        input_tokens=bill.number("input_tokens"),
        cached_tokens=bill.body("input_tokens_details").number("cached_tokens"),
        output_tokens=bill.number("output_tokens"),
    )
    assert desk.said.expect(MindSpent, PATIENCE) == MindSpent(handoff=H1, spent=spent)
    ends = [type(one) for one in desk.said.received() if isinstance(one, MindSpent | MindStepped)]
    assert ends == [MindSpent, MindStepped]


def test_a_server_of_his_own_on_this_machine_is_local(loop: IoLoop, rest: Rest) -> None:
    own = CaptainSettings(provider="openai", base_url=rest.base_url, model="gpt-6-luna")
    desk = Desk(loop, rest.base_url, own)
    desk.begin()
    desk.step()
    spent = desk.said.expect(MindSpent, PATIENCE).spent
    assert (spent.provider, spent.model) == ("local", "gpt-6-luna")
    desk.mind.close()


@pytest.mark.parametrize("end", ["completed", "incomplete", "failed", "cancelled"])
def test_every_end_is_paid_for(end: str) -> None:
    event = {"type": f"response.{end}", "response": {"usage": USAGE}}
    assert used(event) == Tokens(read=9, cached=4, written=2)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "response.in_progress", "response": {"usage": USAGE}},
        {"type": "response.completed", "response": {"usage": {"input_tokens": "9", "output_tokens": 2}}},
        {"type": "response.completed", "response": {"usage": None}},
        {"type": "response.completed", "response": None},
        {"type": "response.completed"},
        "response.completed",
    ],
)
def test_what_says_nothing_costs_nothing(event: object) -> None:
    assert used(event) is None
