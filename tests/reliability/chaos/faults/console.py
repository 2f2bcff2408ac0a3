"""Orders at the console: sensible ones, nonsense, a wrong key, and somebody who watches and does not read."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from actors.console.knock import ClientError, exchange, said_with
from actors.console.settings import HOST
from tests.reliability.chaos.faults.actors import named
from tests.reliability.chaos.faults.captain import asked
from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, chance, shows
from tests.reliability.chaos.faults.link import NOT_THERE
from tests.reliability.chaos.faults.recall import recalled
from tests.reliability.program import CONSOLE_SECONDS, NotAlive

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

UNHEARD: Final = "the console took no order"
BACKLOG_BYTES: Final = 1024
NONSENSE: Final[tuple[tuple[str, str, Mapping[str, object] | None], ...]] = (
    ("POST", "/say", {}),
    ("POST", "/say", {"text": ""}),
    ("POST", "/say", {"text": "x" * 5_000}),
    ("POST", "/say", {"text": 7, "stay": []}),
    ("POST", "/say", {"text": "hum", "stay": "nobody"}),
    ("POST", "/hush", {"seconds": -1}),
    ("POST", "/hush", {"seconds": "soon"}),
    ("POST", "/stays/join", {"room": "no room"}),
    ("POST", "/stays/leave", {"stay": "no stay"}),
    ("POST", "/actors/restart", {"path": "root"}),
    ("POST", "/actors/restart", {"path": "../.."}),
    ("POST", "/consent", {"person": "0", "granted": True}),
    ("POST", "/interrupt", {"nobody": "knows this"}),
    ("POST", "/nowhere", {}),
    ("GET", "/why?most=many", None),
    ("DELETE", "/status", None),
)


def say(happening: Happening, evening: Evening) -> Ending:
    """One sentence, which is said once or not at all."""
    text = f"Order {happening.number} of the console."
    given = _order(evening, "/say", {"text": text})
    return lambda: Effect(hits=int(given in {200, 202, 409}), why=UNHEARD, ordered=text)


def hush(happening: Happening, evening: Evening) -> Ending:
    """Quiet for so long, and then no longer."""
    given = _order(evening, "/hush", {"seconds": max(1, round(happening.seconds))})

    def end() -> Effect:
        _order(evening, "/hush", {"seconds": 0})
        return Effect(hits=int(given in {200, 202}), why=UNHEARD)

    return end


def interrupt(_: Happening, evening: Evening) -> Ending:
    """Whatever he is saying."""
    return _ordered(evening, "/interrupt", {})


def withdraw(happening: Happening, evening: Evening) -> Ending:
    """Somebody's consent; only he himself can give it again, and does."""
    guest = evening.guests[happening.target]
    if not (guest.consenting and guest.here):
        return at_once(0, "he had not consented")
    guest.consenting = False
    given = _order(evening, "/consent", {"person": str(guest.id), "granted": False})

    def end() -> Effect:
        guest.consent()
        return Effect(hits=int(given in {200, 202}), why=UNHEARD)

    return end


def ask(_: Happening, evening: Evening) -> Ending:
    """The captain, who asks his provider."""
    return at_once(int(asked(evening)), UNHEARD)


def restart(happening: Happening, evening: Evening) -> Ending:
    """One actor, in good order."""
    node = named(happening, evening)
    if node is None:
        return at_once(0, f"there is no {happening.target}")
    given = _order(evening, "/actors/restart", {"path": node.path})
    # Some have to stay as they are, and whoever orders it is told so.
    return at_once(int(given in {200, 202, 409}), UNHEARD)


def elsewhere(_: Happening, evening: Evening) -> Ending:
    """Into the other room, and in the end back into this one."""
    if evening.guild.bot.voice is None:
        return at_once(0, NOT_THERE)
    given = _order(evening, "/stays/join", {"room": str(evening.rooms[1].id)})

    def end() -> Effect:
        _leave(evening)
        recalled(evening)
        return Effect(hits=int(given in {200, 202, 409}), why=UNHEARD)

    return end


def leave(_: Happening, evening: Evening) -> Ending:
    """He goes, and in the end comes again."""
    if evening.guild.bot.voice is None:
        return at_once(0, NOT_THERE)
    given = _order(evening, "/stays/leave", {})

    def end() -> Effect:
        _leave(evening)
        recalled(evening)
        return Effect(hits=int(given in {200, 202}), why=UNHEARD)

    return end


def flush(_: Happening, evening: Evening) -> Ending:
    """The record, onto the disk."""
    return _ordered(evening, "/evidence/flush", {})


def nonsense(happening: Happening, evening: Evening) -> Ending:
    """Each is refused with a sentence."""
    some = chance(happening).sample(NONSENSE, 6)
    answers = [_said(evening, method, path, body) for method, path, body in some]
    return at_once(sum(400 <= status < 500 for status in answers), UNHEARD)


def forged(_: Happening, evening: Evening) -> Ending:
    """Without a key, and with a wrong one: he has to stay where he is."""
    refused = 0
    with suppress(ClientError, OSError, NotAlive):
        port, _directory = evening.program.console()
        reply = exchange(port, None, "POST /stays/leave", {}, seconds=CONSOLE_SECONDS)
        refused += reply.status == 401
        refused += _with_key(port, "not-the-key-of-this-house") == 401
    return at_once(refused, UNHEARD)


def viewer_stuck(_: Happening, evening: Evening) -> Ending:
    """He has everything shown to him, and reads nothing of it."""
    try:
        port, directory = evening.program.console()
        peer = socket.socket()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BACKLOG_BYTES)
        peer.settimeout(CONSOLE_SECONDS)
        peer.connect((HOST, port))
        peer.sendall(said_with(port, directory, "GET /events?logs=1"))
    except (ClientError, OSError, NotAlive):
        return at_once(0, UNHEARD)

    def end() -> Effect:
        peer.close()
        return Effect(hits=1)

    return end


def _leave(evening: Evening) -> None:
    """Until he sits nowhere."""
    if evening.guild.bot.voice is not None:
        _order(evening, "/stays/leave", {})
    shows(lambda: evening.guild.bot.voice is None, 8.0)


def _with_key(port: int, key: str) -> int:
    request = (
        f"POST /stays/leave HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
        f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    )
    with socket.create_connection((HOST, port), timeout=CONSOLE_SECONDS) as peer:
        peer.sendall(request.encode())
        status = peer.makefile("rb").readline().split()
    return int(status[1]) if len(status) > 1 else 0


def _ordered(evening: Evening, path: str, body: Mapping[str, object]) -> Ending:
    return at_once(int(_order(evening, path, body) in {200, 202, 409, 410}), UNHEARD)


def _order(evening: Evening, path: str, body: Mapping[str, object]) -> int:
    return _said(evening, "POST", path, body)


def _said(evening: Evening, method: str, path: str, body: Mapping[str, object] | None) -> int:
    """The status; 0 where nobody answered."""
    with suppress(ClientError, OSError, NotAlive):
        return evening.program.order(method, path, body)[0]
    return 0
