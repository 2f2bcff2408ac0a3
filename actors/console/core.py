"""Answer whoever asks, with a fresh look at the house if it gives one in time, and the last one if not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from actors.console import orders
from actors.console.decisions import Answer, Log, LookAround, Step, Wake, Watch
from actors.console.reasons import sentence
from actors.console.report import Reason, StatusReport
from actors.console.state import State
from actors.console.stays import told
from messages.console import (
    AnswerDue,
    ConsoleMessage,
    OperatorAnswered,
    OperatorAsked,
    OperatorHungUp,
    OperatorTold,
    ServerFailed,
    ServerReady,
    StatusAsked,
    TreeDue,
)
from messages.evidence import EvidenceOpened, HeardWords, HouseReceipt, Recorded, SpokenWords
from messages.ids import Token
from messages.lifecycle import TreeNode

TREE_SECONDS = 1.0
"""How long the house may take to describe itself."""
MAX_REASONS = 30
MAX_ASKERS = 16
"""More than this many at once are answered with what is known."""


def step(state: State, event: ConsoleMessage, now: float) -> Step:
    """What the console does about one message."""
    match event:
        case StatusAsked():
            return _asked(state, event, now)
        case TreeNode():
            return _answer_all(replace(state, tree=event, tree_at=now), now)
        case TreeDue():
            return _answer_all(state, now) if event.token == state.token else (state, ())
        case EvidenceOpened():
            return state, (Watch(),)
        case Recorded():
            return _recorded(state, event), ()
        case HeardWords() | SpokenWords():
            # Nobody who asks for the status may see words.
            return state, ()
        case OperatorAsked() | OperatorHungUp() | OperatorTold() | OperatorAnswered() | AnswerDue():
            return orders.step(state, event)
        case ServerReady() | ServerFailed():
            return _listens(state, event)
        case _:
            assert_never(event)


def report(state: State, now: float) -> StatusReport:
    """How things are."""
    tree = state.tree
    return StatusReport(
        version=state.version,
        uptime_s=round(now - state.opened_at, 3),
        tree=tree,
        tree_age_s=None if tree is None else round(now - state.tree_at, 3),
        stays=tuple(each.status() for each in state.stays),
        reasons=state.reasons,
        evidence_lost=None if tree is None else _lost(tree),
    )


def _asked(state: State, asked: StatusAsked, now: float) -> Step:
    if len(state.asking) >= MAX_ASKERS:
        return state, (Answer(asked=asked, report=report(state, now)),)
    if state.asking:
        return replace(state, asking=(*state.asking, asked)), ()
    token = Token(state.token + 1)
    return replace(state, token=token, asking=(asked,)), (
        LookAround(),
        Wake(seconds=TREE_SECONDS, message=TreeDue(token=token)),
    )


def _listens(state: State, event: ServerReady | ServerFailed) -> Step:
    if isinstance(event, ServerFailed):
        text = f"the console cannot listen ({event.reason}): {event.remedy}"
        return replace(state, server=event.reason), (Log(text=text, failed=True),)
    logs = [Log(text=f"the console listens on port {event.port}", failed=False)]
    if event.trouble:
        logs.append(Log(text=f"nobody can ask the captain at the console: {event.trouble}", failed=True))
    return replace(state, server=f"port {event.port}", trouble=event.trouble), tuple(logs)


def _answer_all(state: State, now: float) -> Step:
    answers = tuple(Answer(asked=asked, report=report(state, now)) for asked in state.asking)
    return replace(state, asking=()), answers


def _recorded(state: State, event: Recorded) -> State:
    receipt = event.receipt
    stay = None
    if not isinstance(receipt, HouseReceipt):
        stay = receipt.stay_id
        state = replace(state, stays=told(state.stays, receipt))
    text = sentence(receipt)
    if text is None:
        return state
    reason = Reason(at=event.at, stay_id=stay, text=text)
    return replace(state, reasons=(*state.reasons, reason)[-MAX_REASONS:])


def _lost(tree: TreeNode) -> int | None:
    """What the record says of itself."""
    counts = [node.facts.get("lost") for node in every_node(tree) if node.kind == "Evidence"]
    return next((count for count in counts if isinstance(count, int)), None)


def every_node(tree: TreeNode) -> Iterator[TreeNode]:
    """A node and all below it, from the top."""
    yield tree
    for child in tree.children:
        yield from every_node(child)
