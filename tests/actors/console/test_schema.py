"""What is written down about the window is what it does: the document itself is what asks a real console."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from actors.base import Life
from actors.clock import SystemClock
from actors.console.actor import Console
from actors.console.live.openapi import document
from actors.console.live.routes import ROUTES
from actors.console.live.server import LiveConsole
from actors.console.settings import HOST, ConsoleSettings, key_file
from actors.costs import CostSettings
from actors.net.loop import IoLoop
from messages.lifecycle import CloseHouse, Ending
from tests.actors.console.obliging import Account, Captain, House, Record
from tests.probe import Probe

EXAMPLES = int(os.environ.get("CLANKIE_EXAMPLES", "3"))
"""For each operation, of what is right and of what is wrong; a run by hand takes more."""
STREAMS = {"/events", "/room"}
SCHEMA: Any = schemathesis.openapi.from_dict(json.loads(document()))
OPERATIONS: dict[str, Any] = {
    operation.path: operation for each in SCHEMA.get_all_operations() if (operation := each.ok())
}
SECONDS = 5.0


class Front:
    """A real console, with a real window, among neighbours who do whatever it wants."""

    def __init__(self, loop: IoLoop, directory: Path) -> None:
        self.directory, self.clock, self.way_out = directory, SystemClock(), Probe[CloseHouse]()
        self.clock.start()
        settings = ConsoleSettings(port=0, directory=directory)
        self.console = Console(
            Life.alone("root/console"),
            house=House(),
            gateway=Account(),
            captain=Captain(),
            evidence=Record(),
            way_out=self.way_out,
            clock=self.clock,
            port=LiveConsole(loop, settings, metrics=lambda: "clankie_up 1\n"),
            settings=settings,
            costs=CostSettings(),
            home=None,
            words=True,
        )
        self.console.begin()
        while not (server := str(self.console.describe()["server"])).startswith("port "):
            assert server == "not listening yet"
        port = int(server.removeprefix("port "))
        self.address = f"http://{HOST}:{port}"
        self.key = {"Authorization": f"Bearer {key_file(directory, port).read_text()}"}

    def close(self) -> None:
        self.console.life.ask_to_stop(Ending.SHUTDOWN, SECONDS)
        assert self.console.life.wait_gone(SECONDS)
        assert self.clock.stop(2)


@pytest.fixture
def front(loop: IoLoop, tmp_path: Path) -> Iterator[Front]:
    front = Front(loop, tmp_path / "console")
    yield front
    front.close()


def test_every_path_that_is_answered_is_written_down() -> None:
    assert sorted(OPERATIONS) == sorted(ROUTES)


@pytest.mark.parametrize("path", sorted(set(ROUTES) - STREAMS))
def test_whatever_may_be_asked_is_answered_as_it_is_written_down(front: Front, path: str) -> None:
    assert {400, 413, 415, 422} & statuses(front, path, GenerationMode.POSITIVE) == set()


@pytest.mark.parametrize("path", [path for path, each in ROUTES.items() if each.posts or path == "/why"])
def test_whatever_may_not_be_asked_is_refused_as_it_is_written_down(front: Front, path: str) -> None:
    # Which of them may be answered otherwise, the check of that name knows: what it changed may be the key,
    # and of a few it may always be that, with other constants in the program.
    assert {401, 422} & statuses(front, path, GenerationMode.NEGATIVE)


def statuses(front: Front, path: str, mode: GenerationMode) -> set[int]:
    """With which it is answered; every answer is held against the document."""
    answered = set[int]()

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.function_scoped_fixture,
        ],
    )
    @given(case=OPERATIONS[path].as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        with requests.Session() as session:
            session.trust_env = False
            response = case.call_and_validate(
                base_url=front.address,
                session=session,
                headers=front.key,
                timeout=SECONDS,
                # It takes an order that came too late for one that was not understood.
                excluded_checks=[positive_data_acceptance],
            )
        answered.add(response.status_code)

    ask()
    assert answered
    assert max(answered) < 500
    return answered
