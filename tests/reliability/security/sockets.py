"""What the kernel says of the sockets of processes: who listens, and to whom."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

LISTENS: Final = "0A"


class Socket(NamedTuple):
    """One line of the kernel's table."""

    kind: str
    here: str
    there: str
    state: str
    inode: str


def of(pid: int) -> Iterator[Socket]:
    """Every TCP and UDP socket that a process holds."""
    held = set[str]()
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            held.add(str(one.readlink()))
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        with suppress(FileNotFoundError):
            for line in Path(f"/proc/{pid}/net/{kind}").read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if f"socket:[{fields[9]}]" in held:
                    yield Socket(kind, fields[1], fields[2], fields[3], fields[9])


def reachable(pids: Iterable[int]) -> Iterator[str]:
    """Those that somebody elsewhere could send something to, in words."""
    for pid in pids:
        for one in of(pid):
            stream = one.kind.startswith("tcp")
            if (one.state == LISTENS if stream else not _port(one.there)) and not _is_here(one.here):
                yield f"{pid} {one.kind} {_address(one.here)} port {_port(one.here)}"


def _is_here(place: str) -> bool:
    return _address(place).is_loopback


def _port(place: str) -> int:
    return int(place.partition(":")[2], 16)


def _address(place: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The kernel writes each word of an address in the machine's own order."""
    raw = bytes.fromhex(place.partition(":")[0])
    if sys.byteorder == "little":
        raw = b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4))
    return ipaddress.ip_address(raw)
