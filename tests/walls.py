"""The walls of the house as functions: each takes files and returns the places that break one rule."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

import pykka

from tests.source import SHARED, Source, calls, dotted, functions, length

FILE_LINES = 250
SHELL_LINES = 120
FUNCTION_LINES = 30
TEST_FILE_LINES = 400
TEST_FUNCTION_LINES = 45

LONG: dict[str, str] = {
    "messages/captain.py": "the captain hears from askers, from his ports and from every other room: a list",
    "messages/console.py": "the console hears from outside, and from whomever it passes orders to: a list",
    "messages/evidence.py": "one class for each kind of receipt: a list to look things up in",
    "messages/gateway.py": "the account hears from outside, people and stays: a list to look things up in",
    "messages/stay.py": "a stay hears from its room and from all its parts: a list to look things up in",
    "messages/floor.py": "the floor hears from every neighbour: a list to look things up in",
}
"""What may be longer than its limit, `path` or `path::Class.method`, and why."""

LIGHT = frozenset({"messages", "actors", "supervisors", "pykka", "pydantic", "loguru"})
"""What an actor's thinking and listening files may import beside the standard library."""

# fmt: off
IMPURE = frozenset({
    "asyncio", "concurrent", "http", "io", "logging", "multiprocessing", "os", "queue", "random", "secrets",
    "select", "selectors", "shutil", "signal", "socket", "ssl", "subprocess", "sys", "tempfile", "threading",
    "time", "urllib", "uuid",
})
# fmt: on
"""The parts of the standard library that have a clock, a thread, chance or the outside world in them."""

LIVES = frozenset({"actors/base.py", "actors/life.py"})
"""Where the life of an actor is written, so that no other file thinks about it."""

THOUGHT_WITH = ("actors.authority", "actors.costs", "actors.chronicle")
"""What every core may think with, beside its siblings; it is held to the same rule."""

PORT_FILES = frozenset({"actor", "port", "live", "local", "wire"})
HOOKS = frozenset({"on_start", "on_stop", "on_failure", "on_receive"})
PYKKA_PRIVATE = frozenset(
    name for name in dir(pykka.ThreadingActor) if name.startswith("_") and not name.startswith(("__", "_abc"))
) | {"actor_inbox", "actor_stopped", "actor_urn", "actor_ref", "start", "stop"}

Offences = Iterator[str]


def is_light(name: str) -> bool:
    return name in sys.stdlib_module_names or name in LIGHT


def messages_import_only_the_standard_library(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if source.folder == "messages":
            for used in source.imports:
                if used.top != "messages" and used.top not in sys.stdlib_module_names:
                    yield source.at(used.line, f"a message imports {used.name}")


def imports_run_one_way(sources: Sequence[Source]) -> Offences:
    for source in sources:
        for used in source.imports:
            upwards = source.folder == "actors" and used.top == "supervisors"
            if upwards or (source.is_product and used.top == "tests"):
                yield source.at(used.line, f"imports {used.name}, which lies above it")


def no_room_imports_another(sources: Sequence[Source]) -> Offences:
    for source in sources:
        for used in source.imports if source.folder == "actors" else ():
            path = used.name.split(".")
            if path[0] == "actors" and len(path) > 1 and path[1] not in SHARED | {source.room}:
                yield source.at(used.line, f"imports {used.name}, another room")
            elif path[:2] == ["actors", "local_room"] and source.room and not source.touches:
                yield source.at(used.line, "only a port's local side may know the local room")


def is_core(source: Source) -> bool:
    sans_io = source.is_media_process and source.name in {"link.py", "rtp.py"}
    return source.is_product and (source.name in {"core.py", "policy.py"} or sans_io)


def is_thought_with(module: str) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in THOUGHT_WITH)


def cores_and_what_they_import(sources: Sequence[Source]) -> list[Source]:
    """Every core, with the siblings that it thinks with: they are held to the same rule."""
    by_module = {source.module: source for source in sources}
    found = [source for source in sources if is_core(source)]
    for source in found:  # grows while it is read
        for used in source.imports:
            for module in (used.name, used.name.rpartition(".")[0]):
                sibling = by_module.get(module)
                thinks = sibling and (sibling.package == source.package or is_thought_with(module))
                if sibling and thinks and sibling not in found:
                    found.append(sibling)
    return found


def cores_only_think(sources: Sequence[Source]) -> Offences:
    for source in cores_and_what_they_import(sources):
        for used in source.imports:
            sibling = used.name.removeprefix(f"{source.package}.")
            if used.name.startswith(f"{source.package}."):
                allowed = sibling.partition(".")[0] not in PORT_FILES
            else:
                allowed = used.top == "messages" or used.top in sys.stdlib_module_names - IMPURE
                allowed = allowed or is_thought_with(used.name.rpartition(".")[0])
            if not allowed:
                yield source.at(used.line, f"a core imports {used.name}")


def vendors_are_met_at_the_ports(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if source.folder == "actors" and not source.touches:
            for used in source.imports:
                if not is_light(used.top):
                    yield source.at(used.line, f"imports {used.name} outside a port")


def actor_classes(sources: Sequence[Source]) -> Iterator[tuple[Source, ast.ClassDef]]:
    """Every class of the product that is an actor, by the names of its bases, however indirectly."""
    classes = [
        (source, node)
        for source in sources
        if source.is_product
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef)
    ]
    actors = {"Actor", "ThreadingActor", "Worker"}
    grew = True
    while grew:
        more = {n.name for _, n in classes if any(dotted(b).rpartition(".")[2] in actors for b in n.bases)}
        grew, actors = not more <= actors, actors | more
    return ((source, node) for source, node in classes if node.name in actors)


def names_written(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """The methods, class attributes and `self` attributes that a class makes."""
    for child in ast.walk(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child.name, child.lineno
        elif (
            isinstance(child, ast.Attribute)
            and isinstance(child.ctx, ast.Store)
            and dotted(child.value) == "self"
        ):
            yield child.attr, child.lineno
    for child in node.body:
        if isinstance(child, (ast.Assign, ast.AnnAssign)):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            yield from ((dotted(target), child.lineno) for target in targets)


def no_actor_uses_a_name_of_pykka(sources: Sequence[Source]) -> Offences:
    for source, node in actor_classes(sources):
        if source.path not in LIVES:
            for name, line in names_written(node):
                if name in PYKKA_PRIVATE:
                    yield source.at(line, f"{node.name}.{name} hides a name that Pykka uses")


def only_base_overrides_the_hooks(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if source.is_product and source.path not in LIVES:
            for name, node in functions(source.tree):
                if node.name in HOOKS:
                    yield source.at(node.lineno, f"{name}: rooms override opened, receive and closed")


def nobody_looks_actors_up(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if source.is_product and source.path not in LIVES:
            for call, name in calls(source.tree):
                if name.endswith(".proxy"):
                    yield source.at(call.lineno, f"uses {name}")
            for node in ast.walk(source.tree):
                name = dotted(node) if isinstance(node, ast.Attribute) else ""
                if re.search(r"\b(ActorRegistry|ActorProxy|traversable)\b", name):
                    yield source.at(node.lineno if isinstance(node, ast.Attribute) else 0, f"uses {name}")
            for used in source.imports:
                if used.name in {"pykka.ActorRegistry", "pykka.ActorProxy", "pykka.traversable"}:
                    yield source.at(used.line, f"uses {used.name}")


def tests_never_sleep(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if source.folder != "tests":
            continue
        for used in source.imports:
            if used.name in {"time.sleep", "asyncio.sleep"}:
                yield source.at(used.line, f"imports {used.name}")
        for call, name in calls(source.tree):
            # asyncio.sleep(0) waits for no time: it lets the other coroutines have their turn.
            a_turn = bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
            if name == "time.sleep" or (name == "asyncio.sleep" and not a_turn):
                yield source.at(call.lineno, f"{name}: wait for an event instead")


def may_catch_everything(source: Source) -> bool:
    return source.touches or source.path in {*LIVES, "supervisors/cli.py"}


def nobody_catches_everything(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if not source.is_product or may_catch_everything(source):
            continue
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ExceptHandler):
                kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                if any(kind is None or dotted(kind) in {"Exception", "BaseException"} for kind in kinds):
                    yield source.at(node.lineno, "catches whatever comes")


def every_file_opens_with_a_sentence(sources: Sequence[Source]) -> Offences:
    for source in sources:
        opening = (ast.get_docstring(source.tree, clean=False) or "").partition("\n")[0]
        if not re.fullmatch(r"[^\s].*[.!?]", opening) or re.search(r"[.!?] +[A-Z]", opening):
            yield source.at(1, "does not open with one sentence on one line")


def too_long(sources: Iterable[Source]) -> Iterator[tuple[str, str]]:
    """What is longer than its limit: its name in LONG, and the offence."""
    for source in sources:
        file_limit = FILE_LINES if source.is_product else TEST_FILE_LINES
        if source.room and source.name == "actor.py":
            file_limit = SHELL_LINES
        lines = len(source.text.splitlines())
        if lines > file_limit:
            yield source.path, source.at(1, f"{lines} lines, more than {file_limit}")
        limit = FUNCTION_LINES if source.is_product else TEST_FUNCTION_LINES
        for name, node in functions(source.tree):
            if length(node) > limit:
                why = f"{name} has {length(node)} lines, more than {limit}"
                yield f"{source.path}::{name}", source.at(node.lineno, why)


def one_screen_to_read(sources: Sequence[Source]) -> Offences:
    return (offence for name, offence in too_long(sources) if name not in LONG)


def kinds_of(pattern: ast.pattern) -> Iterator[str]:
    """The classes that a case names at its top level."""
    if isinstance(pattern, ast.MatchClass):
        yield dotted(pattern.cls).rpartition(".")[2]
    elif isinstance(pattern, ast.MatchAs) and pattern.pattern:
        yield from kinds_of(pattern.pattern)
    elif isinstance(pattern, ast.MatchOr):
        for alternative in pattern.patterns:
            yield from kinds_of(alternative)


def ends_in_assert_never(node: ast.Match) -> bool:
    last = node.cases[-1]
    catches_all = isinstance(last.pattern, ast.MatchAs) and last.guard is None
    body = last.body[0]
    call = body.value if isinstance(body, (ast.Expr, ast.Return)) else None
    return catches_all and isinstance(call, ast.Call) and dotted(call.func).endswith("assert_never")


def every_match_on_kinds_is_complete(sources: Sequence[Source]) -> Offences:
    for source in sources:
        if not is_core(source) and not (source.is_product and source.name == "actor.py"):
            continue
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.Match) or ends_in_assert_never(node):
                continue
            # A builtin such as str() begins with a small letter: that is no union of ours.
            if any(kind[:1].isupper() for case in node.cases for kind in kinds_of(case.pattern)):
                yield source.at(node.lineno, "a match on kinds of message does not end in assert_never")


RULES = (
    messages_import_only_the_standard_library,
    imports_run_one_way,
    no_room_imports_another,
    cores_only_think,
    vendors_are_met_at_the_ports,
    no_actor_uses_a_name_of_pykka,
    only_base_overrides_the_hooks,
    nobody_looks_actors_up,
    tests_never_sleep,
    nobody_catches_everything,
    every_file_opens_with_a_sentence,
    one_screen_to_read,
    every_match_on_kinds_is_complete,
)
