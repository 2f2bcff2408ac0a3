"""What a play sets is checked as its house will check it, before anybody comes on stage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from supervisors.preflight import check_notes
from supervisors.rehearsal.faults import Fault
from supervisors.rehearsal.scenario import Scenario
from supervisors.rehearsal.stage import Overrides, merged
from supervisors.rehearsal.standing import with_numbers
from supervisors.settings import BadConfig, Settings, load

HERE: Final[Overrides] = {"authority": {"guilds": (1,), "channels": (1,), "join_policy": "guild_members"}}
"""As over a Discord; an owner's own house has to name where he may be, and this place is allowed anyway."""
_OWN: Final = (("evidence", None), ("console", None), ("captain", "directory"))
"""A rehearsal keeps a record, a console and lanes of its own, whatever it is told."""
_ABOUT: Final = re.compile(r"(?:the settings: )?\[?(\w+)\]?(?:[ .:]+([\w.]+))?")
"""The table that a complaint is about, and the way from there to the value."""


def in_settings(scenario: Scenario) -> Iterator[Fault]:
    """What a house does not open with, and what is another's to set."""
    for room, key in _OWN:
        if room in scenario.settings and (key is None or key in scenario.settings[room]):
            problem = f"a rehearsal keeps its own {room}, which cannot be set; remove the {key or 'table'}"
            yield Fault(table=f"settings.{room}", index=0, key=key, problem=problem)
    try:
        settled(merged(HERE, with_numbers(scenario, lambda person: int(person.id))))
    except BadConfig as error:
        for why in str(error).splitlines():
            if _about(why)[0] in scenario.settings:  # the environment's faults are not the scenario's
                yield fault_of(scenario, why)


def settled(tables: Overrides) -> Settings:
    """The settings of the house of a play; raises BadConfig."""
    chosen = load(None, tables)
    check_notes(chosen.captain.notes_file)
    return chosen


def fault_of(scenario: Scenario, why: str) -> Fault:
    """The complaint, with the table and key that it is about."""
    table, *way = _about(why)
    if table not in scenario.settings:
        table, way = next(iter(scenario.settings), ""), []
    place = f"settings.{table}"
    while len(way) > 1 and scenario.lines.has(f"{place}.{way[0]}"):
        place = f"{place}.{way.pop(0)}"
    key = way[0] if way else None
    return Fault(table=place, index=0, key=key, problem=why.removeprefix("the settings: "))


def _about(why: str) -> list[str]:
    found = _ABOUT.match(why)
    return [found[1], *(found[2] or "").strip(".").split(".")] if found else [""]
