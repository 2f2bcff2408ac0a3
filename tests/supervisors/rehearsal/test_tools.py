"""A play waits for the tools of its servers, and says which of them it has to do without."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from messages.lifecycle import LifeState, Scalar, TreeNode
from supervisors.rehearsal.narrator import Told
from supervisors.rehearsal.tools import await_tools
from tests.supervisors.rehearsal.play import PLAY, scenario

ONE = PLAY + '[settings.captain.mcp.a]\ncommand = "a"\n'
TWO = ONE + '[settings.captain.mcp.b]\ncommand = "b"\n'


class House:
    """Shows a captain with the next of these facts at each look."""

    def __init__(self, *facts: dict[str, Scalar]) -> None:
        self.facts = list(facts)

    def tree(self) -> TreeNode:
        facts = self.facts.pop(0) if len(self.facts) > 1 else self.facts[0]
        return TreeNode(
            path="root/captain",
            kind="Captain",
            state=LifeState.OPEN,
            restarts=0,
            mailbox_depth=0,
            facts=facts,
        )


NOTHING: dict[str, Scalar] = {"machine_tools": 0, "servers_in_trouble": ""}


def test_a_play_without_servers_waits_for_none(tmp_path: Path) -> None:
    assert await_tools(scenario(tmp_path), House()) == ""


def test_a_play_waits_until_the_tools_are_there(tmp_path: Path) -> None:
    house = House(NOTHING, {"machine_tools": 3, "servers_in_trouble": ""})
    assert await_tools(scenario(tmp_path, ONE), house) == ""
    assert len(house.facts) == 1


def test_a_server_that_is_not_there_is_named_and_the_other_one_waited_for(tmp_path: Path) -> None:
    ill = "a: no_program"
    house = House(
        {"machine_tools": 0, "servers_in_trouble": ill}, {"machine_tools": 3, "servers_in_trouble": ill}
    )
    assert await_tools(scenario(tmp_path, TWO), house) == ill
    assert len(house.facts) == 1
    assert await_tools(scenario(tmp_path, ONE), House({"servers_in_trouble": ill})) == ill


def test_what_is_missing_is_told_even_to_who_wants_it_short() -> None:
    out = io.StringIO()
    Told(Console(file=out, width=200), full=False).lacked("a: no_program, b: time\x1bout")
    told = (
        "He does not have the tools of a: no_program, b: time\ufffdout; docs/captain.md says what that means."
    )
    assert out.getvalue() == f"{told}\n"
