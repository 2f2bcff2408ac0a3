"""What there is at the window as a document of OpenAPI 3.1, written from the table that is answered by."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from importlib import metadata
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from actors.console.live.admission import MOST_BYTES, SUBPROTOCOL
from actors.console.live.routes import JSON, LINES, ROUTES, STREAMS, Route
from actors.console.settings import HOST

Object: TypeAlias = dict[str, object]
_REFS: Final = "#/components/schemas/{model}"
_REFUSAL: Final = "#/components/responses/Refusal{status}"
_WITHOUT_A_BODY: Final = frozenset((101, 304))
_MEANS: Final[Mapping[int, str]] = {
    101: "The websocket is open.",
    200: "This is it, or it is done.",
    202: "Nobody has answered in time; it may still be carried out.",
    304: "It is as you know it.",
    400: "That is no handshake of a websocket.",
    401: "The key is missing, or is not this one.",
    403: "It was asked for from elsewhere.",
    404: "There is nothing of that name.",
    405: "Not by this method.",
    409: "It could not be done, or may not be.",
    410: "Whom it was for is there no longer.",
    413: f"More than {MOST_BYTES} bytes.",
    415: "The body is not said to be application/json.",
    422: "The body, or what stands behind the question mark, is not what it should be.",
    426: "It is there over a websocket only.",
    429: "Too many do this already.",
    503: "All is not well, or nobody answers.",
}
_ERROR: Final[Object] = {
    "type": "object",
    "description": "What is wrong, in one sentence that says what to do.",
    "properties": {"error": {"type": "string"}},
    "required": ["error"],
    "additionalProperties": False,
}
_ABOUT: Final = (
    "What the console of a house answers on 127.0.0.1. The key is in the file console-PORT.key of the "
    "[console] directory, which only the owner can read; it changes with each start. A browser that opens a "
    f"websocket offers the subprotocols {SUBPROTOCOL} and key.KEY instead of the header. Where a body has a "
    "field twice, the last one counts. Every error is a JSON object with one sentence."
)


@cache
def document() -> str:
    """Return the whole document as JSON, always the same for one version of the program."""
    shapes, components = _shapes()
    paths = {route.path: {route.methods[0].lower(): _operation(route, shapes)} for route in ROUTES.values()}
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Clankie's console",
            "version": metadata.version("clankie"),
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": f"http://{HOST}:4330", "description": "The house on this machine"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": components | {"Error": _ERROR},
            "responses": dict(_refusals()),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _shapes() -> tuple[dict[tuple[str, str], Object], Object]:
    """The schema of every body and answer by path and mode, and all that these refer to."""
    wanted: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = []
    for route in ROUTES.values():
        if route.posts is not None:
            wanted.append((route.path, "validation", TypeAdapter(route.posts)))
        if route.tells is not None:
            wanted.append((route.path, "serialization", TypeAdapter(route.tells)))
    shapes, rest = TypeAdapter.json_schemas(wanted, ref_template=_REFS)
    return {(path, mode): shape for (path, mode), shape in shapes.items()}, rest["$defs"]


def _operation(route: Route, shapes: Mapping[tuple[str, str], Object]) -> Object:
    operation: Object = {
        "operationId": "_".join([route.methods[0].lower(), *_words(route.path)]),
        "summary": route.means,
        "responses": dict(_responses(route, shapes.get((route.path, "serialization")))),
    }
    if parameters := [*_parameters(route)]:
        operation["parameters"] = parameters
    if route.posts is not None:
        body = {"schema": shapes[route.path, "validation"]}
        operation["requestBody"] = {"required": True, "content": {JSON: body}}
    if route.is_open:
        operation["security"] = []
    return operation


def _words(path: str) -> list[str]:
    return [word.strip("{}").partition(".")[0] for word in path.split("/") if word] or ["page"]


def _parameters(route: Route) -> Iterator[Object]:
    if "{name}" in route.path:
        yield {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    for query in route.query:
        yield {"name": query.name, "in": "query", "description": query.means, "schema": dict(query.schema)}


def _responses(route: Route, shape: Object | None) -> Iterator[tuple[str, Object]]:
    told: Object = {route.media: {"schema": shape or {"type": "string"}}}
    if route.media in {STREAMS, LINES}:
        told = {route.media: {"schema": {"type": "string"}, "x-each": shape}}
    everywhere = (403, 405) if route.is_open else (401, 403, 405)
    for status in sorted({*route.statuses, *route.refusals, *everywhere}):
        if status in _WITHOUT_A_BODY:
            yield str(status), {"description": _MEANS[status]}
        elif status in route.statuses:
            yield str(status), {"description": _MEANS[status], "content": told}
        else:
            yield str(status), {"$ref": _REFUSAL.format(status=status)}


def _refusals() -> Iterator[tuple[str, Object]]:
    content = {JSON: {"schema": {"$ref": _REFS.format(model="Error")}}}
    for status, means in _MEANS.items():
        if status >= HTTPStatus.BAD_REQUEST:
            yield f"Refusal{status}", {"description": means, "content": content}
