"""The window with real sockets: who may ask, what is answered, and that the port is free again afterwards."""

from __future__ import annotations

import errno
import socket
import threading
from pathlib import Path

import pytest

from actors.base import Life
from actors.clock import SystemClock
from actors.console import client
from actors.console.actor import Console
from actors.console.knock import said_with
from actors.console.live import questions
from actors.console.live import server as live
from actors.console.live.key import Key
from actors.console.live.server import LiveConsole
from actors.console.port import ConsoleEvent
from actors.console.settings import HOST, ConsoleSettings, key_file
from actors.console.wire import to_json
from actors.costs import CostSettings
from actors.evidence.actor import Evidence
from actors.evidence.local import LocalSink
from actors.evidence.reader import read, receipt_files
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import Entry
from actors.net.loop import IoLoop
from messages.captain import CaptainMessage
from messages.console import ServerFailed, ServerReady, StatusAsked
from messages.evidence import Flush, Flushed, Volition
from messages.gateway import JoinVoice, LeaveVoice
from messages.ids import StayId
from messages.lifecycle import CloseHouse, DescribeTree, RestartChild
from messages.orders import StayOrdered
from tests.actors.console.fake import node
from tests.actors.console.test_silence import REPORT
from tests.actors.console.window import Stranger, Window
from tests.probe import Probe


def test_the_client_gets_the_report_that_was_given(window: Window) -> None:
    assert client.fetch_status(window.port, window.directory) == REPORT


def test_the_answer_is_json_and_is_kept_by_nobody(window: Window) -> None:
    with window.line("GET /status") as response:
        assert response.read().decode() == to_json(REPORT)
        assert response.getheader("Content-Type") == "application/json; charset=utf-8"
        assert response.getheader("Cache-Control") == "no-store"


def test_it_listens_on_this_machine_only(window: Window) -> None:
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", window.port), timeout=2).close()


def test_a_console_that_does_not_answer_is_said_to_be_stuck(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "ANSWER_SECONDS", 0.05)
    window.answers = False
    with pytest.raises(client.NoAnswer, match="does not answer"):
        client.fetch_status(window.port, window.directory)
    window.told.expect(StatusAsked).answer("too late")
    window.answers = True
    assert client.fetch_status(window.port, window.directory) == REPORT


def test_a_port_in_use_is_said_with_the_remedy(loop: IoLoop, tmp_path: Path) -> None:
    told = Probe[ConsoleEvent]()
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        console = LiveConsole(loop, ConsoleSettings(port=port, directory=tmp_path))
        console.open(told.tell)
        assert told.expect(ServerFailed) == ServerFailed(
            reason="EADDRINUSE",
            remedy=f"another program (maybe another clankie) listens on 127.0.0.1:{port}; "
            "stop it or set [console] port",
        )
    console.open(told.tell)
    assert told.expect(ServerReady).port == port
    console.close()


def test_closing_frees_the_port_even_while_somebody_waits(loop: IoLoop, tmp_path: Path) -> None:
    window = Window(loop, tmp_path)
    window.answers = False
    waiting = socket.create_connection((HOST, window.port))
    waiting.sendall(said_with(window.port, tmp_path, "GET /status"))
    window.told.expect(StatusAsked)
    window.console.close()
    waiting.close()
    second = LiveConsole(loop, ConsoleSettings(port=window.port, directory=tmp_path))
    second.open(window.told.tell)
    assert window.told.expect(ServerReady).port == window.port
    second.close()


def test_closing_frees_the_port_even_while_the_disk_keeps_the_key_waiting(
    loop: IoLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        asked.set()
        assert answers.wait(10)

    monkeypatch.setattr(Key, "put", hang)
    monkeypatch.setattr(live, "DISK_SECONDS", 0.1)
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    console = LiveConsole(loop, ConsoleSettings(port=port, directory=tmp_path))
    console.open(Probe[ConsoleEvent]().tell)
    assert asked.wait(5)
    console.close()
    with socket.create_server((HOST, port)):
        answers.set()


def test_a_window_that_was_never_opened_closes_at_once() -> None:
    LiveConsole(IoLoop(), ConsoleSettings()).close()


def test_a_house_that_is_not_running_is_said_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(client.NotRunning, match=f"not running, or not on 127.0.0.1:{port}") as caught:
        client.fetch_status(port, tmp_path)
    assert caught.value.remedy == "start it with 'clankie run', or name its port"


@pytest.mark.parametrize(
    "says", [b"220 mail.example.com ESMTP\r\n", b"", b"HTTP/1.1 200 OK\r\n\r\n{}", b"HTTP/1.1 404 No\r\n\r\n"]
)
def test_another_program_on_the_port_is_not_taken_for_clankie(says: bytes, tmp_path: Path) -> None:
    stranger = Stranger(says)
    key_file(tmp_path, stranger.port).write_text("key")
    with pytest.raises(client.NotClankie, match="another program listens there"):
        client.fetch_status(stranger.port, tmp_path)
    stranger.close()


def test_a_program_that_says_nothing_is_waited_for_only_so_long(tmp_path: Path) -> None:
    stranger = Stranger(None)
    key_file(tmp_path, stranger.port).write_text("key")
    with pytest.raises(client.NoAnswer, match=r"within 0\.05 s"):
        client.fetch_status(stranger.port, tmp_path, deadline=0.05)
    stranger.close()


@pytest.mark.parametrize(
    ("failure", "reason", "remedy"),
    [
        (PermissionError(errno.EACCES, "no"), "EACCES", "this user may not listen on port 80"),
        (OSError(errno.EADDRNOTAVAIL, "no"), "EADDRNOTAVAIL", "see that 127.0.0.1 is up"),
        (RuntimeError("no"), "RuntimeError", "see that 127.0.0.1 is up"),
    ],
)
def test_any_other_failure_to_listen_has_a_remedy_too(failure: Exception, reason: str, remedy: str) -> None:
    told = live.what_failed(failure, 80)
    assert told.reason == reason
    assert told.remedy.startswith(remedy)


class Neighbourhood:
    """A house of two real actors in their threads; it describes itself when it is asked to."""

    def __init__(self, loop: IoLoop, directory: Path) -> None:
        self.clock = SystemClock()
        self.clock.start()
        settings = EvidenceSettings(directory=directory / "evidence")
        self.evidence = Evidence(
            Life.alone("root/evidence"),
            watchers=(),
            clock=self.clock,
            port=LocalSink(settings),
            settings=settings,
        )
        self.evidence.begin()
        self.directory = directory / "console"
        console = ConsoleSettings(port=0, directory=self.directory)
        self.console = Console(
            Life.alone("root/console"),
            house=self,
            gateway=Probe[JoinVoice | LeaveVoice | StayOrdered](),
            captain=Probe[CaptainMessage](),
            evidence=self.evidence.here,
            way_out=Probe[CloseHouse](),
            clock=self.clock,
            port=LiveConsole(loop, console),
            settings=console,
            costs=CostSettings(),
            home=None,
            words=False,
        )
        self.console.begin()

    def tell(self, asked: DescribeTree | RestartChild, /) -> None:
        assert isinstance(asked, DescribeTree)
        asked.reply_to.tell(node("root", self.evidence.tree(), self.console.tree()))

    def port(self) -> int:
        """Where the console listens, as soon as it does."""
        while not (server := str(self.console.describe()["server"])).startswith("port "):
            assert server == "not listening yet"
        return int(server.removeprefix("port "))

    def stop(self) -> None:
        for actor in (self.console, self.evidence):
            actor.stop()
            assert actor.life.wait_gone(5)
        assert self.clock.stop(2)


def test_what_is_recorded_reaches_the_disk_and_whoever_asks(loop: IoLoop, tmp_path: Path) -> None:
    house, flushed = Neighbourhood(loop, tmp_path), Probe[Flushed]()
    port = house.port()
    house.evidence.here.tell(Volition(stay_id=StayId("s1"), outcome="taken"))
    house.evidence.here.tell(Flush(done=flushed))
    assert flushed.expect(Flushed) == Flushed(lost=0)
    report = client.fetch_status(port, house.directory)
    assert [reason.text for reason in report.reasons] == ["speaking unasked was taken"]
    assert report.evidence_lost == 0
    assert report.tree is not None
    assert [child.path for child in report.tree.children] == ["root/evidence", "root/console"]
    house.stop()
    [entry] = read(receipt_files(tmp_path / "evidence"))
    assert isinstance(entry, Entry)
    assert entry.receipt == Volition(stay_id=StayId("s1"), outcome="taken")
