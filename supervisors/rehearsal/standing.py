"""In a play the law names people by their names; the house knows numbers, and on Discord other ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from messages.people import Person
from supervisors.rehearsal.faults import Fault, instead
from supervisors.rehearsal.kinds import Setting
from supervisors.rehearsal.scenario import Scenario, id_of

TABLE: Final = "authority"
KEYS: Final = ("owner", "system_actors", "ambient_users")
"""The settings of that table that are about people."""


def in_authority(scenario: Scenario) -> Iterator[Fault]:
    """Whoever is named there has to be somebody, and somebody with a number."""
    entries = {entry.name: entry for entry in scenario.people}
    for key, value in scenario.settings.get(TABLE, {}).items():
        for name in _named(key, value):
            entry = entries.get(name)
            if entry is None:
                problem = f"nobody is called so{instead(name, entries)}"
            elif not id_of(entry).isdecimal():
                problem = 'has no number there; write id = "101", or another, for this [[person]]'
            else:
                continue
            yield Fault(table=f"settings.{TABLE}", index=0, key=key, problem=f"{key} = {name!r}: {problem}")


def with_numbers(scenario: Scenario, number: Callable[[Person], int]) -> Mapping[str, Mapping[str, Setting]]:
    """The settings of a play, with the number that the house knows each person by whom its law names."""
    table = scenario.settings.get(TABLE)
    if table is None:
        return scenario.settings
    numbers = {
        known: number(scenario.person(entry.name))
        for entry in scenario.people
        if id_of(entry).isdecimal()
        for known in (entry.name, str(int(id_of(entry))))
    }
    law = {key: _numbered(value, numbers) if key in KEYS else value for key, value in table.items()}
    return {**scenario.settings, TABLE: law}


def _named(key: str, value: Setting) -> Iterator[str]:
    if key in KEYS:
        yield from (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str))


def _numbered(value: Setting, numbers: Mapping[str, int]) -> Setting:
    if isinstance(value, tuple):
        return tuple(numbers.get(str(one), one) for one in value)
    return numbers.get(str(value), value)
