"""The house keeps its shape: every rule is held against the real files, and against one that breaks it."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import pytest

from tests import walls
from tests.source import ROOT, Source, ignored_folders, project_files, python_sources

Rule = Callable[[Sequence[Source]], Iterator[str]]
SOURCES = python_sources()
RULES = pytest.mark.parametrize("rule", walls.RULES, ids=lambda rule: rule.__name__)

TOP_LEVEL = ("actors", "docs", "messages", "supervisors", "tests")
TRACES = re.compile(
    # Spelled in pieces, so that this file does not break the rule that it holds.
    "|".join(
        [
            "/wo" + "rk/",
            "/tm" + "p/",
            "/ro" + "ot/",
            "/op" + "t/(pypi|wheels)",
            "/ho" + r"me/\w",
            "pyp" + r"i\.org",
        ]
    )
)
GENERATED = "uv.lock"
BINARY = (".wav", ".pyc", ".onnx", ".png")
# fmt: off
HEAVY = [
    "aiohttp", "av", "ctranslate2", "discord", "elevenlabs", "faster_whisper", "hibari", "mcp", "numpy",
    "onnxruntime", "openai", "soxr",
]
# fmt: on

OPENING = '"""One sentence."""\n'
ROOM = "actors/floor"
BROKEN: list[tuple[Rule, str, str]] = [
    (walls.messages_import_only_the_standard_library, "messages/floor.py", "import pydantic"),
    (walls.messages_import_only_the_standard_library, "messages/floor.py", "from actors.base import Worker"),
    (walls.imports_run_one_way, f"{ROOM}/actor.py", "from supervisors.tree import tree"),
    (walls.imports_run_one_way, "supervisors/cli.py", "from tests.probe import Probe"),
    (walls.no_room_imports_another, f"{ROOM}/actor.py", "from actors.tts.core import State"),
    (walls.no_room_imports_another, f"{ROOM}/actor.py", "from ..tts import core"),
    (walls.no_room_imports_another, f"{ROOM}/actor.py", "from actors.local_room import Desk"),
    (walls.no_room_imports_another, "actors/base.py", "import actors.tts.core"),
    (walls.cores_only_think, f"{ROOM}/core.py", "import time"),
    (walls.cores_only_think, f"{ROOM}/core.py", "import loguru"),
    (walls.cores_only_think, f"{ROOM}/core.py", "from actors.base import Worker"),
    (walls.cores_only_think, f"{ROOM}/core.py", "from .port import Port"),
    (walls.cores_only_think, "actors/voice/media/rtp.py", "import socket"),
    (walls.cores_only_think, "supervisors/policy.py", "import threading"),
    (walls.vendors_are_met_at_the_ports, f"{ROOM}/actor.py", "import numpy as np"),
    (walls.vendors_are_met_at_the_ports, f"{ROOM}/port.py", "def f():\n    import discord"),
    (
        walls.no_actor_uses_a_name_of_pykka,
        f"{ROOM}/actor.py",
        "class A(Worker[M]):\n    def _stop(self): ...",
    ),
    (
        walls.no_actor_uses_a_name_of_pykka,
        f"{ROOM}/actor.py",
        "class A(Worker):\n    def f(self): self._stop = 1",
    ),
    (
        walls.no_actor_uses_a_name_of_pykka,
        f"{ROOM}/actor.py",
        "class A(pykka.ThreadingActor):\n    _actor_loop = 1",
    ),
    (
        walls.no_actor_uses_a_name_of_pykka,
        f"{ROOM}/actor.py",
        "class B(A):\n    def _handle_receive(self): ...\nclass A(Worker): ...",
    ),
    (
        walls.only_base_overrides_the_hooks,
        f"{ROOM}/actor.py",
        "class A(Worker):\n    def on_start(self): ...",
    ),
    (walls.nobody_looks_actors_up, f"{ROOM}/actor.py", "ref.proxy()"),
    (walls.nobody_looks_actors_up, f"{ROOM}/actor.py", "pykka.ActorRegistry.broadcast(1)"),
    (walls.nobody_looks_actors_up, f"{ROOM}/actor.py", "from pykka import ActorRegistry"),
    (walls.tests_never_sleep, "tests/test_a.py", "time.sleep(0.1)"),
    (walls.tests_never_sleep, "tests/test_a.py", "async def f():\n    await asyncio.sleep(delay)"),
    (walls.tests_never_sleep, "tests/test_a.py", "from time import sleep"),
    (walls.nobody_catches_everything, f"{ROOM}/actor.py", "try: ...\nexcept Exception: ..."),
    (walls.nobody_catches_everything, f"{ROOM}/actor.py", "try: ...\nexcept: ..."),
    (
        walls.nobody_catches_everything,
        "supervisors/tree.py",
        "try: ...\nexcept (OSError, BaseException): ...",
    ),
    (walls.one_screen_to_read, "messages/ids.py", "\n" * walls.FILE_LINES),
    (walls.one_screen_to_read, f"{ROOM}/actor.py", "\n" * walls.SHELL_LINES),
    (walls.one_screen_to_read, "tests/test_a.py", "\n" * walls.TEST_FILE_LINES),
    (walls.one_screen_to_read, f"{ROOM}/core.py", "def f():\n" + "    ...\n" * walls.FUNCTION_LINES),
    (walls.every_match_on_kinds_is_complete, f"{ROOM}/core.py", "match event:\n    case Spoke(): ..."),
    (
        walls.every_match_on_kinds_is_complete,
        f"{ROOM}/actor.py",
        "match event:\n    case Spoke() | Left(): ...\n    case _: ...",
    ),
]

SOUND: list[tuple[Rule, str, str]] = [
    (
        walls.messages_import_only_the_standard_library,
        "messages/floor.py",
        "from . import ids\nimport dataclasses",
    ),
    (
        walls.no_room_imports_another,
        f"{ROOM}/actor.py",
        "from actors.base import Worker\nfrom . import core, port",
    ),
    (walls.no_room_imports_another, f"{ROOM}/local.py", "from actors.local_room import Desk"),
    (
        walls.cores_only_think,
        f"{ROOM}/core.py",
        "from .offer import Offer\nimport dataclasses\nimport messages.floor",
    ),
    (walls.vendors_are_met_at_the_ports, f"{ROOM}/live.py", "import discord"),
    (walls.vendors_are_met_at_the_ports, f"{ROOM}/live/socket.py", "import aiohttp"),
    (walls.tests_never_sleep, "tests/test_a.py", "async def f():\n    await asyncio.sleep(0)"),
    (walls.nobody_catches_everything, f"{ROOM}/live.py", "try: ...\nexcept Exception: ..."),
    (
        walls.every_match_on_kinds_is_complete,
        f"{ROOM}/core.py",
        "match event:\n    case Spoke(): ...\n    case _ as never: assert_never(never)",
    ),
    (
        walls.every_match_on_kinds_is_complete,
        f"{ROOM}/core.py",
        "match word:\n    case 'a': ...\n    case str(): ...",
    ),
]


@RULES
def test_the_house_keeps(rule: Rule) -> None:
    assert list(rule(SOURCES)) == []


@RULES
def test_an_empty_house_breaks_no_rule(rule: Rule) -> None:
    assert list(rule([])) == []


@pytest.mark.parametrize(("rule", "path", "text"), BROKEN)
def test_a_broken_rule_is_noticed(rule: Rule, path: str, text: str) -> None:
    offences = list(rule([Source(path, OPENING + text)]))
    assert offences
    assert all(offence.startswith(f"{path}:") for offence in offences)


@pytest.mark.parametrize(("rule", "path", "text"), SOUND)
def test_what_is_allowed_is_left_alone(rule: Rule, path: str, text: str) -> None:
    assert list(rule([Source(path, OPENING + text)])) == []


@pytest.mark.parametrize(
    "opening", ["", '"""A title"""', '"""Two. Sentences."""', '"""\nA late start.\n"""', "x = 1"]
)
def test_an_opening_that_is_not_a_sentence_is_noticed(opening: str) -> None:
    assert list(walls.every_file_opens_with_a_sentence([Source("messages/a.py", opening)]))


def test_what_a_core_thinks_with_is_held_to_the_same_rule() -> None:
    core = Source(f"{ROOM}/core.py", "from .offer import Offer")
    offer = Source(f"{ROOM}/offer.py", "import socket")
    assert list(walls.cores_only_think([core, offer])) == [f"{ROOM}/offer.py:1: a core imports socket"]


def test_every_rule_is_shown_a_file_that_breaks_it() -> None:
    assert {rule for rule, _, _ in BROKEN} | {walls.every_file_opens_with_a_sentence} == set(walls.RULES)


def test_no_exception_outlives_its_reason() -> None:
    assert set(walls.LONG) <= {name for name, _ in walls.too_long(SOURCES)}


def test_the_top_level_has_only_the_folders_of_the_plan() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
    assert folders - ignored_folders() <= set(TOP_LEVEL)


def test_no_file_names_the_machine_that_it_was_written_on() -> None:
    files = {path.relative_to(ROOT).as_posix(): path for path in project_files()}
    assert "pyproject.toml" in files
    found = [
        f"{name}:{number}"
        for name, path in sorted(files.items())
        if name != GENERATED and path.suffix not in BINARY
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if TRACES.search(line)
    ]
    assert found == []


def test_thinking_and_listening_load_no_heavy_library() -> None:
    quiet = [s.module for s in SOURCES if s.folder in {"messages", "actors"} and not s.touches]
    program = (
        "import importlib, sys\n"
        f"for name in {[name for name in quiet if not name.endswith('__main__')]!r}:\n"
        "    importlib.import_module(name)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=50, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("[]", "")
