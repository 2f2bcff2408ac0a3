"""A media process is born with a pipe, answers or is ended, and is never left in the system's books."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.net.loop import IoLoop
from actors.voice.live.child import PROGRAM, Child
from actors.voice.live.cradle import Cradle, begin
from actors.voice.media import ipc, mail
from actors.voice.media.priority import SHORT_TURN
from actors.voice.settings import VoiceSettings
from tests.loopback.discord.voice.tones import tone
from tests.probe import Probe

BEGIN = begin(VoiceSettings(), ca_file=None, proxy=None, opus_library=None)
NEVER_ANSWERS = (sys.executable, "-c", "import signal; signal.pause()")
CUSTOM_TURNS = "se.slice"
"""What Linux may tell since processes can choose how long their turns are."""
DIES = (sys.executable, "-c", "raise SystemExit(3)")
_FOREIGN = """
import signal, socket, sys
from actors.voice.media import ipc, mail
end = socket.socket(fileno=int(sys.argv[1]))
end.recv(9999)
end.send(ipc.encode(mail.Hello(version=99, priority="none", opus="")))
signal.pause()
"""
FOREIGN = (sys.executable, "-c", _FOREIGN)
_WITHOUT_PRIVILEGE = """
import ctypes, os, sys
drop_from_bounding_set, real_time = 24, 23
ctypes.CDLL(None).prctl(drop_from_bounding_set, real_time, 0, 0, 0)
os.execv(sys.executable, [sys.executable, "-m", "actors.voice.media", sys.argv[1]])
"""
WITHOUT_PRIVILEGE = (sys.executable, "-c", _WITHOUT_PRIVILEGE)


class Nursery:
    def __init__(self) -> None:
        self.loop = IoLoop()
        self.loop.start()
        self.news, self.dead = Probe[mail.News](), Probe[Child]()
        self.children: list[Child] = []

    def child(self, program: tuple[str, ...] = PROGRAM, hello_seconds: float = 5.0) -> Child:
        child = Child(
            self.loop,
            BEGIN,
            news=self.news.tell,
            died=self.dead.tell,
            hello_seconds=hello_seconds,
            program=program,
        )
        self.children.append(child)
        return child


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    for child in nursery.children:
        child.end(0.5)
    assert nursery.loop.stop(2.0)


def opened(child: Child) -> None:
    """Give it a connection without any voice server: what he says waits there."""
    child.send(mail.Open(connection=1, user=1, guild=2, channel=3))


def shut(nursery: Nursery, child: Child) -> None:
    """It answers, hence it lives."""
    child.send(mail.Shut(connection=1))
    assert nursery.news.expect(mail.IsShut, 5.0).connection == 1


def gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_it_says_hello_obeys_and_goes_when_it_is_told_to(nursery: Nursery) -> None:
    child = nursery.child()
    opened(child)
    shut(nursery, child)
    assert child.hello is not None
    assert child.hello.version == ipc.VERSION
    assert child.hello.priority in {"fifo", "nice", "none"}
    child.end(2.0)
    assert gone(child.pid)
    assert nursery.dead.expect(Child) is child


def test_when_it_says_hello_everything_is_loaded(nursery: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANKIE_DEBUG", "1")  # else only root may look
    child = nursery.child()
    shut(nursery, child)
    mapped = Path(f"/proc/{child.pid}/maps").read_text("utf-8")
    for library in ("_ssl", "davey", "cryptography", "libopus"):
        assert library in mapped


def test_it_leaves_no_core_in_which_the_keys_of_a_call_would_be(nursery: Nursery) -> None:
    child = nursery.child()
    shut(nursery, child)
    limits = Path(f"/proc/{child.pid}/limits").read_text("utf-8")
    assert re.search(r"^Max core file size +0 +0 ", limits, re.MULTILINE)


@pytest.mark.parametrize("program", [NEVER_ANSWERS, DIES, FOREIGN])
def test_whoever_is_no_media_process_is_ended(nursery: Nursery, program: tuple[str, ...]) -> None:
    child = nursery.child(program, hello_seconds=3.0 if program is FOREIGN else 0.3)
    assert nursery.dead.expect(Child, 5.0) is child
    child.end(1.0)
    assert gone(child.pid)


def test_a_program_that_is_not_there_is_told_at_once(nursery: Nursery) -> None:
    before = descriptors()
    with pytest.raises(OSError, match="nowhere"):
        nursery.child(("/nowhere/python",))
    assert descriptors() == before


def test_without_a_loop_there_is_no_process() -> None:
    cradle = Cradle(IoLoop(), BEGIN, PROGRAM, news=lambda _: None, died=lambda: None)
    with pytest.raises(OSError, match="stopped"):
        cradle.be_born()
    assert not cradle.alive


def test_the_end_of_one_is_seen_while_another_lives(nursery: Nursery) -> None:
    first, second = nursery.child(), nursery.child()
    shut(nursery, first)
    shut(nursery, second)
    os.kill(first.pid, signal.SIGKILL)
    assert nursery.dead.expect(Child) is first
    shut(nursery, second)


def test_it_ends_when_the_house_is_killed() -> None:
    house = (
        "import signal; from tests.actors.voice.live.test_child import Nursery; "
        "child = Nursery().child(); print(child.pid, flush=True); signal.pause()"
    )
    with subprocess.Popen((sys.executable, "-c", house), stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        watch = os.pidfd_open(pid)
        parent.kill()
        assert select.select([watch], [], [], 5.0)[0]
        os.close(watch)


def test_without_the_right_to_real_time_it_runs_and_says_so(nursery: Nursery) -> None:
    child = nursery.child(WITHOUT_PRIVILEGE)
    shut(nursery, child)
    assert child.hello is not None
    assert child.hello.priority == "none"
    facts = Path(f"/proc/{child.pid}/sched")
    told = facts.read_text() if facts.exists() else ""
    if CUSTOM_TURNS in told:
        assert told.split(CUSTOM_TURNS)[1].split()[1] == str(SHORT_TURN)


def test_a_full_pipe_loses_sound_and_no_orders(nursery: Nursery) -> None:
    child = nursery.child()
    opened(child)
    os.kill(child.pid, signal.SIGSTOP)
    pcm = tone(440, 0.2)
    for _ in range(500):
        child.send(mail.Sound(connection=1, utterance=7, pcm=pcm))
    assert child.dropped > 0
    child.send(mail.Cut(connection=1, utterance=7))
    os.kill(child.pid, signal.SIGCONT)
    spoken = nursery.news.expect(mail.Spoken, 5.0)
    assert (spoken.what, spoken.frames) == ("cut", 0)
    assert 0 < spoken.dropped <= 101


def test_what_is_no_order_is_told_and_ends_nothing(nursery: Nursery) -> None:
    child = nursery.child()
    child.send(mail.Note(text="hello"))  # type: ignore[arg-type]
    shut(nursery, child)


def test_an_order_about_another_connection_is_an_old_letter(nursery: Nursery) -> None:
    child = nursery.child()
    opened(child)
    child.send(mail.Sound(connection=9, utterance=7, pcm=tone(440, 0.02)))
    child.send(mail.Cut(connection=9, utterance=7))
    shut(nursery, child)
    assert not any(isinstance(one, mail.Spoken) for one in nursery.news.received())
