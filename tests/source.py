"""A Python file as the walls see it: where it stands, what it imports and what is written in it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("messages", "actors", "supervisors")
DOTTED = (".ci", ".gitignore")
SHARED = frozenset(
    {
        "authority",
        "base",
        "life",
        "clock",
        "audio",
        "chronicle",
        "costs",
        "net",
        "local_room",
        "seclusion",
        "switchboard",
    }
)
"""What under actors/ is no room: every room may lean on it."""


@dataclass(frozen=True)
class Import:
    """One imported name, in full: `actors.floor.core.State` for `from actors.floor.core import State`."""

    name: str
    line: int

    @property
    def top(self) -> str:
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Source:
    """A file's path relative to the project, with forward slashes, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.path.split("/"))

    @property
    def name(self) -> str:
        return self.parts[-1]

    @property
    def folder(self) -> str:
        return self.parts[0]

    @property
    def package(self) -> str:
        """The dotted package that a relative import in this file starts from."""
        return ".".join(self.parts[:-1])

    @property
    def module(self) -> str:
        """The dotted name under which this file is imported."""
        return (
            self.package if self.name == "__init__.py" else f"{self.package}.{self.name.removesuffix('.py')}"
        )

    @property
    def is_product(self) -> bool:
        return self.folder in PRODUCT

    @property
    def room(self) -> str | None:
        """The room that this file belongs to, None outside of rooms."""
        match self.parts:
            case ("actors", room, _, *_) if room not in SHARED:
                return room
            case _:
                return None

    @property
    def touches(self) -> bool:
        """Whether this file may touch the world: a port's live or local side, sound or sockets."""
        by_name = any(part.startswith(("live", "local")) for part in self.parts)
        shared = self.path.startswith(("actors/audio/", "actors/net/"))
        return self.folder == "actors" and (by_name or shared or self.is_media_process)

    @property
    def is_media_process(self) -> bool:
        return self.path.startswith("actors/voice/media/")

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(self._imports())

    def _imports(self) -> Iterator[Import]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (Import(alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                yield from (Import(f"{base}.{alias.name}", node.lineno) for alias in node.names)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        above = self.package.split(".")
        above = above[: len(above) - node.level + 1]
        return ".".join([*above, *([node.module] if node.module else [])])

    def at(self, line: int, what: str) -> str:
        """An offence, as an editor can jump to it."""
        return f"{self.path}:{line}: {what}"


def python_sources() -> tuple[Source, ...]:
    """Every Python file of the product and its tests."""
    paths = [path for folder in (*PRODUCT, "tests") for path in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(Source(path.relative_to(ROOT).as_posix(), path.read_text()) for path in paths)


def project_files() -> Iterator[Path]:
    """Every file that is the project's own, wherever the checkout came from."""
    waiting = [path for path in ROOT.iterdir() if not path.name.startswith(".") or path.name in DOTTED]
    while waiting:
        path = waiting.pop()
        if path.name in ignored_folders():
            continue
        if path.is_dir():
            waiting += path.iterdir()
        else:
            yield path


@cache
def ignored_folders() -> frozenset[str]:
    """The names of folders that .gitignore keeps out."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return frozenset(line.removesuffix("/") for line in lines if line.endswith("/"))


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Every call with its dotted callee; the part before the last name is empty when it is an expression."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node, dotted(node.func)


def dotted(node: ast.expr) -> str:
    """`a.b.c` for the expression a.b.c; `.c` when what stands before it is not a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return dotted(node.value) if isinstance(node, ast.Subscript) else ""


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without the docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function with its name, as in `Class.method` or `outer.inner`."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, parent = waiting.pop()
        for child in ast.iter_child_nodes(parent):
            name = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{prefix}{child.name}"
                yield name, child
                name += "."
            elif isinstance(child, ast.ClassDef):
                name = f"{prefix}{child.name}."
            waiting.append((name, child))
