"""What there is at the window, in one table: it is what is answered, and what is written down for others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from actors.console.report import Health, StatusReport, StayStatus, WhyReport
from actors.console.wire import Asked, Line
from actors.console.wire_bodies import BODIES, LONGEST_NAME
from actors.console.wire_orders import AnswerBody
from actors.console.wire_views import Shown
from messages.lifecycle import TreeNode

JSON: Final = "application/json"
STREAMS: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
ASSETS: Final = "/assets/{name}"
MOST_WHY: Final = 200
A_NAME: Final = r"^[^\x00-\x20\x7f-\xa0]+$"
"""The id of a stay, wherever it is written."""
_STAY: Final = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "pattern": A_NAME}


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One thing that may stand behind the question mark, as JSON Schema has it."""

    name: str
    schema: Mapping[str, object]
    means: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One path: who may use it, how, and what there is to say and to be told."""

    path: str
    means: str
    posts: Any = None
    """The type of the body; None where there is none."""
    tells: Any = None
    """The type of what is told; None for what is no JSON."""
    media: str = JSON
    statuses: tuple[int, ...] = (200,)
    """With which `tells` is told."""
    refusals: tuple[int, ...] = ()
    """What else may come, beside what may come everywhere."""
    query: tuple[Query, ...] = ()
    is_open: bool = False
    """Whether it needs no key."""
    takes_websockets: bool = False
    methods: tuple[str, ...] = ("GET", "HEAD")


def _open_routes() -> Iterator[Route]:
    yield Route(path="/", means="The page.", media="text/html", refusals=(304, 404), is_open=True)
    yield Route(path=ASSETS, means="A part of the page.", media="*/*", refusals=(304, 404), is_open=True)
    yield Route(
        path="/health",
        means="Whether all is well, without a name or a number.",
        tells=Health,
        statuses=(200, 503),
        is_open=True,
    )
    yield Route(path="/openapi.json", means="This document.", tells=dict[str, object], is_open=True)


def _questions() -> Iterator[Route]:
    yield Route(path="/status", means="How things are.", tells=StatusReport, refusals=(503,))
    yield Route(path="/tree", means="The house, actor by actor.", tells=TreeNode, refusals=(503,))
    yield Route(path="/stays", means="All stays.", tells=tuple[StayStatus, ...], refusals=(503,))
    yield Route(
        path="/why",
        means="Why he spoke or did not: the latest lines and turns, the latest last.",
        tells=WhyReport,
        refusals=(410, 422, 503),
        query=(
            Query(name="stay", schema=_STAY, means="Of one stay."),
            Query(
                name="most",
                schema={"type": "integer", "minimum": 1, "maximum": MOST_WHY, "default": 50},
                means="How many lines, and how many turns.",
            ),
        ),
    )
    yield Route(path="/metrics", means="Numbers for Prometheus.", media="text/plain", refusals=(404, 503))


def _orders() -> Iterator[Route]:
    for path, body in BODIES.items():
        yield Route(
            path=path,
            means=(body.__doc__ or "").strip(),
            posts=body,
            tells=AnswerBody,
            statuses=(200, 202, 409, 410),
            refusals=(413, 415, 422, 503),
            methods=("POST",),
        )
    yield Route(
        path="/captain/ask",
        means="Have the captain do something: a line for each tool that he uses, last his answer.",
        posts=Asked,
        tells=Line,
        media=LINES,
        refusals=(413, 415, 422, 429),
        methods=("POST",),
    )


def _streams() -> Iterator[Route]:
    flag = {"type": "string", "enum": ["0", "1"], "default": "0"}
    yield Route(
        path="/events",
        means="What happens, as it happens: as server-sent events, or over a websocket. Ends with an error.",
        tells=Shown,
        media=STREAMS,
        refusals=(400, 422, 429, 503),
        query=(
            Query(name="words", schema=flag, means="With what is said, where the house allows it."),
            Query(name="logs", schema=flag, means="With lines of the log."),
        ),
        takes_websockets=True,
        methods=("GET",),
    )
    yield Route(
        path="/room",
        means="A seat in the local room, over a websocket.",
        statuses=(101,),
        refusals=(400, 404, 426, 429),
        takes_websockets=True,
        methods=("GET",),
    )


ROUTES: Final[Mapping[str, Route]] = MappingProxyType(
    {route.path: route for some in (_open_routes(), _questions(), _orders(), _streams()) for route in some}
)
