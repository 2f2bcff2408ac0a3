"""A server of tools that keeps to the letter of the protocol, and to nothing else; it begins in no time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from typing import Any

MODE = sys.argv[1]
FOREVER = [sys.executable, "-S", "-c", "import threading; threading.Event().wait()"]
CHILD = subprocess.Popen(FOREVER).pid if MODE in {"stays", "leaves"} else 0
NOTICE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "secret"}}
ASKING = {
    "jsonrpc": "2.0",
    "id": "s1",
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 1},
}


def say(message: dict[str, Any]) -> None:
    """One message, on one line."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request: dict[str, Any], result: dict[str, Any]) -> None:
    """What was asked for."""
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})


def words(*parts: str) -> dict[str, Any]:
    """A result of words."""
    return {"content": [{"type": "text", "text": part} for part in parts]}


def heard() -> dict[str, Any]:
    """The next message; exits where there is none."""
    line = sys.stdin.readline()
    if not line:
        if MODE == "stays":
            threading.Event().wait()
        sys.exit(0)
    message: dict[str, Any] = json.loads(line)
    return message


def tools() -> list[dict[str, Any]]:
    """What is offered: two whose names become one, and in one mode far too many."""
    names = ["do it", "do.it"] if MODE != "many" else [f"tool{number}" for number in range(200)]
    return [{"name": name, "inputSchema": {"type": "object"}} for name in names]


def used(request: dict[str, Any]) -> None:
    """What comes of a use, by the mode."""
    if MODE == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    elif MODE == "large" and request["params"]["name"] == "do it":
        answer(request, words("x" * (13 * 2**20)))
    elif MODE == "fine" and request["params"]["name"] == "do it":
        answer(request, words(*[""] * 6_000))
    elif MODE == "chatty":
        for _ in range(17_000):
            say(NOTICE)
        answer(request, words("at last"))
    elif MODE == "asks":
        say(ASKING)
        answer(request, words(json.dumps(heard())))
    elif MODE == "environment":
        answer(request, words(json.dumps(dict(os.environ))))
    elif MODE == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    elif MODE == "structured":
        answer(request, {"content": [], "structuredContent": {"tide": "low"}})
    elif MODE == "mute":
        return
    else:
        answer(request, words(str(CHILD)))


def main() -> None:
    """Begin badly, or answer what is asked."""
    if MODE == "silent":
        threading.Event().wait()
    if MODE == "babbles":
        while True:
            sys.stdout.write("this is no message\n")
    if MODE == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stdout.write("a greeting that is no message\n")
    while True:
        message = heard()
        match message.get("method"):
            case "initialize":
                about = {"name": "rude", "version": "1"}
                version = message["params"]["protocolVersion"]
                answer(
                    message,
                    {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about},
                )
            case "tools/list":
                answer(message, {"tools": tools()})
            case "tools/call":
                used(message)
            case _:
                pass


if __name__ == "__main__":
    main()
