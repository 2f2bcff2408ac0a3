"""The commented config.toml, written from the settings themselves so that it cannot be wrong."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import json
import textwrap
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args, get_type_hints

from supervisors.environment import variable
from supervisors.settings import Settings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_WIDTH = 110
_NAMES = {"mcp": "music", "prices": '"gpt-realtime-2.1"'}
"""How a table of one's own might be called."""


def config_page() -> str:
    """Return config.toml with every setting, its meaning and its default; each default is commented out."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Everything that can be turned. Each line shows its default; take away the # to change it."
    name = variable("floor", "name")
    yield f"# The environment wins over this file: {name} is `name` in [floor], and a list is JSON."
    for table, info in Settings.model_fields.items():
        kind = cast("type[DataclassInstance]", info.annotation)
        yield ""
        yield from _comment(_heading(kind))
        yield f"[{table}]"
        meanings = _meanings(kind)
        for field in dataclasses.fields(kind):
            yield ""
            yield from _comment(meanings.get(field.name, ""))
            each = _each_of(kind, field.name)
            if each is None:
                yield f"# {field.name} = {_toml(_default(field))}"
            else:
                yield from _example(f"[{table}.{field.name}.{_NAMES[field.name]}]", each)


def _each_of(kind: type, name: str) -> type[DataclassInstance] | None:
    """What stands in each table of a setting that is many tables; None for any other."""
    arguments = get_args(get_type_hints(kind)[name])
    many = arguments and dataclasses.is_dataclass(arguments[-1])
    return cast("type[DataclassInstance]", arguments[-1]) if many else None


def _example(heading: str, kind: type[DataclassInstance]) -> Iterator[str]:
    """One such table; its lines stand to the right, as they belong to nothing while it is not there."""
    yield f"# {heading}"
    meanings = _meanings(kind)
    for field in dataclasses.fields(kind):
        yield from _comment(meanings.get(field.name, ""), "#   # ")
        yield f"#   {field.name} = {_toml(_default(field))}"


def _heading(kind: type) -> str:
    """The sentence of the module that a table has to itself; that of the class elsewhere."""
    tables = [info.annotation for info in Settings.model_fields.values() if info.annotation is not None]
    alone = sum(table.__module__ == kind.__module__ for table in tables) == 1
    return inspect.getdoc(inspect.getmodule(kind) if alone else kind) or ""


def _meanings(kind: type) -> dict[str, str]:
    """The text that follows each field in the source of a settings class."""
    source = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    body = [inner for outer in source.body if isinstance(outer, ast.ClassDef) for inner in outer.body]
    found: dict[str, str] = {}
    for before, after in itertools.pairwise(body):
        match before, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = inspect.cleandoc(text)
            case _:
                pass
    return found


def _default(field: dataclasses.Field[object]) -> object:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _toml(value: object) -> str:
    match value:
        case None:
            return '""'
        case Enum():
            return json.dumps(value.value)
        case bool():
            return str(value).lower()
        case dict():
            return "{}"
        case tuple() | list() | frozenset():
            return f"[{', '.join(_toml(one) for one in value)}]"
        case str() | Path():
            return json.dumps(str(value), ensure_ascii=False)
        case _:
            return str(value)


def _comment(text: str, mark: str = "# ") -> Iterator[str]:
    for line in textwrap.wrap(" ".join(text.split()), _WIDTH - len(mark)):
        yield mark + line
