"""`clankie status`: how the house is, and in words why he is silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from actors.captain.live_toolbox.checkup import in_words
from actors.console.client import fetch_status
from actors.console.report import Latencies, StatusReport, StayCosts, StayStatus
from actors.console.silence import why_silent
from actors.console.wire import to_json
from messages.ids import StayId
from messages.lifecycle import LifeState, Scalar, TreeNode
from supervisors.commands.tools import A_MODEL, NO_MODEL
from supervisors.paths import at_home
from supervisors.settings import configured
from supervisors.terminal.durations import in_units
from supervisors.terminal.ink import clock, plain

_ENCRYPTION = {
    "dave": "encrypted from end to end",
    "transport": "encrypted as far as Discord, and not from end to end",
}
PIPE_WIDTH = 10_000
"""Whoever reads a pipe looks for lines, not for what a terminal makes of them."""
_SENTENCES = frozenset(("remedy", "privacy_code", "scheduling", "servers_in_trouble"))
"""Facts that are told below the tree, in words."""


def show(config: Path | None, port: int | None, *, as_json: bool) -> int:
    """Print the status of the running house; raises ClientError where there is none."""
    settings = configured(config).console
    directory = at_home("[console] directory", settings.directory)
    report = fetch_status(port if port is not None else settings.port, directory)
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    if as_json:
        console.print_json(to_json(report), ensure_ascii=True)
        return 0
    console.print(_text(f"clankie {report.version}, open for {in_units(report.uptime_s)}", style="bold"))
    if report.tree is not None:
        console.print(_branch(report.tree))
        console.print(Text(_sum(report.tree)))
        for trouble in _no_tools(report.tree):
            console.print(_text(trouble, style="yellow"))
    for stay in report.stays:
        console.print(_text(_stay(stay)))
        if report.tree is not None:
            for sentence in _voice(report.tree, stay.stay_id):
                console.print(_text(f"  {sentence}"))
        for sentence in (*_paces(stay.latencies), *_costs(stay.costs)):
            console.print(_text(f"  {sentence}"))
    _print_reasons(console, report)
    return 0


def _sum(tree: TreeNode) -> str:
    nodes = list(tree.every())
    restarts = sum(node.restarts for node in nodes)
    waiting = sum(node.mailbox_depth for node in nodes)
    return f"{len(nodes)} actors, {restarts} restarts, {waiting} letters waiting to be read"


def _no_tools(tree: TreeNode) -> Iterator[str]:
    """Why tools of servers are not used, and what to do about it."""
    for node in tree.every():
        if node.kind != "Captain":
            continue
        servers = str(node.facts.get("servers_in_trouble") or "")
        for server in filter(None, servers.split(", ")):
            name, _, trouble = server.partition(": ")
            what, remedy = in_words(trouble)
            yield f"the tools of {name} cannot be used: {what}; {remedy}"
        if (servers or node.facts.get("machine_tools")) and str(node.facts.get("mind")).startswith("rules"):
            yield f"nobody uses the tools of servers: {NO_MODEL}; {A_MODEL}"


def _stay(stay: StayStatus) -> str:
    people = "unknown" if stay.humans is None else str(stay.humans)
    heard = "" if stay.consented is None else f" ({stay.consented} may be heard)"
    turn = f", last turn {stay.last_turn}" if stay.last_turn else ""
    return (
        f"in room {stay.room_id or 'unknown'}: people {people}{heard}, floor {stay.floor or 'unknown'}{turn}"
    )


def _voice(tree: TreeNode, stay: StayId) -> Iterator[str]:
    """How his voice is protected and sent in this stay, as far as its rooms say so."""
    rooms = [node for node in tree.every() if f"/{stay}/" in node.path]
    facts = {
        key: value for node in rooms if node.kind in {"Stay", "Voice"} for key, value in node.facts.items()
    }
    encryption = _ENCRYPTION.get(str(facts.get("encryption")))
    if encryption:
        # In groups of five, as people's own programs show it.
        code = " ".join(re.findall(".{1,5}", str(facts.get("privacy_code") or "")))
        yield f"{encryption}; privacy code {code}" if code else encryption
    if scheduling := facts.get("scheduling"):
        yield f"his voice is sent {scheduling}"


def _paces(latencies: Latencies) -> Iterator[str]:
    """How fast he is, as far as that was measured."""
    known = (
        ("first sound after", latencies.first_audio),
        ("after speech ended", latencies.speech_end_to_first_audio),
        ("words after", latencies.transcript),
        ("silent after a cut in", latencies.cut_to_silence),
    )
    if measured := [f"{what} {took.median_ms} ms" for what, took in known if took is not None]:
        yield f"at the median: {', '.join(measured)}"


def _costs(costs: StayCosts) -> Iterator[str]:
    """What it comes to, where anything costs anything."""
    if costs.amount or costs.unpriced:
        without = f"; without a price in [costs]: {', '.join(costs.unpriced)}" if costs.unpriced else ""
        yield f"costs so far about {costs.amount:.2f} {costs.currency}{without}"


def _branch(node: TreeNode) -> Tree:
    branch = Tree(_line(node), guide_style="dim")
    for child in node.children:
        branch.children.append(_branch(child))
    return branch


def _line(node: TreeNode) -> Text:
    style = "" if node.state is LifeState.OPEN else "bold red"
    line = Text.assemble(
        (plain(node.path).rsplit("/", 1)[-1], "bold"), (f" {node.state.value}", style or "green")
    )
    if node.restarts:
        line.append(f" restarts {node.restarts}", style="yellow")
    if node.mailbox_depth:
        line.append(f" waiting {node.mailbox_depth}", style="yellow")
    facts = ", ".join(f"{key} {value}" for key, value in _facts(node))
    line.append(f"  {plain(facts)}", style="dim")
    return line


def _facts(node: TreeNode) -> Iterator[tuple[str, Scalar]]:
    for key, value in node.facts.items():
        if value not in (None, 0, "") and key not in _SENTENCES:
            yield key, value


def _text(sentence: str, style: str = "") -> Text:
    """As it goes to the terminal: it may come from a provider, or from a server of tools."""
    return Text(plain(sentence), style=style)


def _print_reasons(console: Console, report: StatusReport) -> None:
    silent = why_silent(report)
    console.print(Text("Why he is silent" if silent else "Nothing keeps him silent", style="bold"))
    for sentence in silent:
        console.print(_text(f"  {sentence}"))
    if report.reasons:
        console.print(Text("Lately", style="bold"))
    for reason in report.reasons[-8:]:
        console.print(Text.assemble((f"  {clock(reason.at)}  ", "dim"), plain(reason.text)))
    if report.evidence_lost:
        console.print(Text(f"{report.evidence_lost} receipts could not be written", style="bold red"))
