"""From a file to a play: whatever is wrong with it is one line with a file, a number and a remedy."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import BaseModel, ValidationError

from supervisors.rehearsal.checks import first_fault
from supervisors.rehearsal.faults import instead
from supervisors.rehearsal.kinds import PEOPLE_FIELDS, Plain, snake
from supervisors.rehearsal.lines import Lines
from supervisors.rehearsal.minds import BrainTable, CaptainReplyEntry, CaptainTable, ReplyEntry
from supervisors.rehearsal.scenario import (
    BadScenario,
    Cue,
    Expectation,
    PersonEntry,
    Play,
    RoomEntry,
    Scenario,
    Step,
    id_of,
)
from supervisors.rehearsal.screen import shown
from supervisors.rehearsal.settings import placed
from supervisors.toml import NotToml, tables_in

_MODELS: dict[str, type[BaseModel]] = {
    "": Play,
    "person": PersonEntry,
    "room": RoomEntry,
    "do": Step,
    "brain": BrainTable,
    "brain.reply": ReplyEntry,
    "captain": CaptainTable,
    "captain.reply": CaptainReplyEntry,
    "expect": Expectation,
}


def load(path: Path) -> Scenario:
    """Read and check a scenario; raises BadScenario with the first thing that is wrong with it."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise BadScenario(f"{path}: {error.strerror}; name a scenario file in TOML") from error
    except UnicodeDecodeError as error:
        raise BadScenario(f"{path}: not UTF-8 text; name a scenario file in TOML") from error
    lines = Lines.of(text)
    try:
        play = Play.model_validate(_frozen(tables_in(text)))
    except NotToml as error:
        raise _syntax(path, str(error)) from error
    except ValidationError as error:
        table, index, key, problem = _explained(error)
        raise BadScenario(f"{path}:{lines.at(table, index, key)}: {problem}") from error
    scenario = _scenario(path, play, lines)
    if (fault := first_fault(scenario)) is not None:
        raise scenario.wrong(fault.table, fault.index, fault.key, fault.problem)
    return scenario


def _syntax(path: Path, message: str) -> BadScenario:
    said, _, where = message.partition(" (at ")
    line = found[1] if (found := re.search(r"line (\d+)", where)) else "end"
    return BadScenario(f"{path}:{line}: not correct TOML: {said}; mend that line")


def _scenario(path: Path, play: Play, lines: Lines) -> Scenario:
    names = {entry.name: str(id_of(entry)) for entry in play.person}
    return Scenario(
        path=path,
        title=play.title or path.stem.replace("_", " "),
        limit=play.limit,
        apart=play.apart,
        rooms=play.room,
        people=play.person,
        steps=tuple(step.model_copy(update={"after": _by_id(step.after, names)}) for step in play.do),
        replies=play.brain.reply,
        captain_replies=play.captain.reply,
        expectations=tuple(_expectation_by_id(expectation, names) for expectation in play.expect),
        settings={room: placed(path.parent, table) for room, table in play.settings.items()},
        lines=lines,
    )


def _frozen(value: object) -> object:
    """TOML arrays as tuples, since the strict model of a frozen thing takes nothing else."""
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    return tuple(_frozen(inner) for inner in value) if isinstance(value, list) else value


def _by_id(cue: Cue | None, names: dict[str, str]) -> Cue | None:
    return cue.model_copy(update={"where": _where_by_id(cue.where, names)}) if cue else None


def _expectation_by_id(expectation: Expectation, names: dict[str, str]) -> Expectation:
    changes = {
        "where": _where_by_id(expectation.where, names),
        "start": _by_id(expectation.start, names),
        "end": _by_id(expectation.end, names),
    }
    return expectation.model_copy(update=changes)


def _where_by_id(where: dict[str, Plain], names: dict[str, str]) -> dict[str, Plain]:
    return {
        snake(key): names.get(str(value), value) if snake(key) in PEOPLE_FIELDS else value
        for key, value in where.items()
    }


def _explained(error: ValidationError) -> tuple[str, int, str | None, str]:
    """Table, index, key and one sentence for the first complaint of the models."""
    complaint = error.errors(include_url=False)[0]
    table, index, rest = _place(list(complaint["loc"]))
    key = str(rest[0]) if rest else None
    name = ".".join(str(part) for part in rest) or table
    if complaint["type"] == "extra_forbidden":
        wrong = str(rest[-1])
        where = f"[{table}]" if table else "a scenario"
        model = Cue if len(rest) > 1 else _MODELS[table]
        known = [field.alias or key for key, field in model.model_fields.items()]
        return table, index, key, f"{name}: there is no such key in {where}{instead(wrong, known)}"
    if complaint["type"] == "missing":
        return table, index, key, f"{name}: is missing in [{table}]; write it"
    if complaint["type"] == "tuple_type" and key == "tools":
        return table, index, key, f'{name}: must be a list; write {name} = ["…"]'
    if complaint["type"] == "tuple_type":
        name = f"{table}.{name}" if table else name
        return table, index, key, f"{name}: must be a list; write [[{name}]]"
    if table.startswith("settings.") and key is not None:
        # Each kind that it might have been of would complain, in the pages that pydantic writes of it.
        return (
            table,
            index,
            key,
            f"{key}: is no value, no list and no table of tables; see the page on settings",
        )
    problem = complaint["msg"][0].lower() + complaint["msg"][1:]
    return table, index, key, f"{name} = {shown(repr(complaint['input']))}: {problem}"


def _place(loc: list[int | str]) -> tuple[str, int, list[int | str]]:
    """The table and index in which pydantic found something, and the way from there to it."""
    table, rest = "", loc
    if loc[:2] in (["brain", "reply"], ["captain", "reply"]) and len(loc) > 2:
        table, rest = f"{loc[0]}.reply", loc[2:]
    elif loc[0] == "settings":
        many = 2 if len(loc) > 2 else 1
        table, rest = ".".join(str(part) for part in loc[:many]), loc[many:]
    elif len(loc) > 1 and loc[0] in _MODELS:
        table, rest = str(loc[0]), loc[1:]
    if rest and isinstance(rest[0], int):
        return table, rest[0], rest[1:]
    return table, 0, rest
