"""Silence has a reason, and here it is said in plain words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from actors.console.reasons import failed
from actors.console.report import StatusReport, StayStatus
from messages.lifecycle import LifeState, TreeNode
from messages.reasons import in_words

_HINDRANCES = {
    "server_muted": "a moderator has muted him on the server",
    "server_deafened": "a moderator has deafened him on the server",
    "suppressed": "he is in the audience of a stage, and was not invited to speak",
    "may_not_speak": "he lacks the permission Speak in his channel",
}


def why_silent(report: StatusReport) -> tuple[str, ...]:
    """Every reason for him to be silent that the report knows, gravest first; empty if nothing keeps him."""
    return tuple(_reasons(report))


def _reasons(report: StatusReport) -> Iterator[str]:
    if report.tree is None:
        yield "the house does not describe itself: it is overloaded, or closing"
    else:
        yield from _not_open(report.tree)
        yield from _offline(report.tree)
        yield from _thoughtless(report.tree)
    if not report.stays:
        yield "he is not in a room"
    for stay in report.stays:
        where = f"in room {stay.room_id or 'unknown'}: " if len(report.stays) > 1 else ""
        for reason in _of_stay(stay):
            yield where + reason


def _not_open(tree: TreeNode) -> Iterator[str]:
    for node in tree.every():
        if node.state is not LifeState.OPEN:
            yield f"{node.path} is {node.state}"


def _offline(tree: TreeNode) -> Iterator[str]:
    for node in tree.every():
        if node.kind == "Gateway" and not node.facts.get("ready", True):
            trouble, remedy = node.facts.get("trouble"), node.facts.get("remedy")
            yield (
                f"the account is not online ({trouble}): {remedy}"
                if trouble
                else "the account is not online yet"
            )


def _thoughtless(tree: TreeNode) -> Iterator[str]:
    for node in tree.every():
        if node.kind == "Captain" and (trouble := node.facts.get("trouble")):
            yield f"the captain could not answer last time: {in_words(str(trouble))}"


def _more(seconds: float) -> str:
    """So many seconds more, in the unit in which people would say it."""
    many, unit = (math.ceil(seconds / 60), "minute") if seconds > 60 else (math.ceil(seconds), "second")
    return f"{many} more {unit}{'s' if many > 1 else ''}"


def _of_stay(stay: StayStatus) -> Iterator[str]:
    if stay.hushed_s is not None:
        yield f"the operator has told him to be silent for {_more(stay.hushed_s)}"
    if stay.link_lost is not None:
        yield f"the voice link is being reopened ({stay.link_lost})"
    if stay.hindrance is not None:
        yield _HINDRANCES.get(stay.hindrance, f"the server is in his way ({stay.hindrance})")
    if stay.humans == 0:
        yield "nobody else is in the room"
    elif stay.consented == 0:
        yield "nobody has consented to be heard"
    if stay.last_failure is not None:
        yield failed(stay.last_failure, stay.last_reason)
    if stay.floor == "dormant":
        yield "the floor is dormant: nobody addressed him"
    match stay.last_turn:
        case "silent":
            yield "the last turn ended silent by choice"
        case "failed":
            yield "the last turn failed"
        case "cut":
            yield "he was cut off, and nobody has asked him since"
        case _:
            pass
