"""At the end everybody can see at a glance what held, what it cost, and what has not been measured."""

from __future__ import annotations

import io
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from loguru import logger
from rich.console import Console
from rich.table import Table

from actors.console.report import Reason, StatusReport, StayStatus
from messages.evidence import BridgeReady, BridgeStopped, Recorded
from messages.gateway import GatewayMessage
from messages.ids import RoomId, StayId
from messages.lifecycle import LifeState, TreeNode
from messages.mailbox import Mailbox
from supervisors.commands import rehearse, run, status
from supervisors.commands.summary import Outcome, figures_table, outcomes_table
from supervisors.commands.trouble import told, told_of_thread
from supervisors.local import local_house
from supervisors.paths import kept_in
from supervisors.rehearsal.figures import Figure
from supervisors.rehearsal.scenario import BadScenario
from supervisors.settings import load
from tests.probe import Probe
from tests.supervisors.rehearsal.theatre import Theatre, Voice


def lines_of(table: Table) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=120).print(table)
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_every_scenario_has_a_line_and_the_last_one_counts_them() -> None:
    lines = lines_of(
        outcomes_table(
            [
                Outcome(name="cough", expected=3, broken=0, seconds=12.34),
                Outcome(name="stop", expected=4, broken=1, seconds=10.0),
                Outcome(name="look", expected=0, broken=0, seconds=2.0),
                Outcome(name="crash", expected=0, broken=0, seconds=1.0, fault="crash.toml:3: there are two"),
            ]
        )
    )
    assert "✓ cough all 3 held 12.3 s" in lines
    assert "✗ stop 1 of 4 did not hold 10.0 s" in lines
    assert "✓ look nothing was expected 2.0 s" in lines
    assert "✗ crash could not be played 1.0 s" in lines
    assert "2 of 4 held 25.3 s" in lines


def test_a_figure_shows_its_median_its_worst_and_its_limit() -> None:
    lines = lines_of(
        figures_table(
            [
                Figure(name="answer", values=(900.0, 1200.0, 1100.0), unit="ms", limit=1600),
                Figure(name="idle", values=(1.26,), unit="% of a core"),
                Figure(name="nothing", values=(), unit="MB", limit=120),
            ]
        )
    )
    assert "answer 1100 ms 1200 ms 3 times 1600 ms" in lines
    assert "idle 1.3 % of a core once" in lines
    assert "nothing – – not 120 MB" in lines


STAY = StayStatus(
    stay_id=StayId("s"),
    room_id=RoomId("den"),
    humans=2,
    consented=1,
    floor="engaged",
    link_lost=None,
    hindrance=None,
    last_turn="spoke",
    last_failure=None,
    last_reason=None,
)


class Loaded(Voice):
    def load(self) -> Iterator[str]:
        yield "nothing"


class Stage(Theatre):
    def __post_init__(self) -> None:
        self.speech = Loaded()

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three plays: one holds, one cannot be played to its end, one does not hold."""
    monkeypatch.setattr(rehearse, "_theatre", lambda *_: Stage())
    (tmp_path / "a").mkdir()
    end = "[[do]]\nat = 0.05\nend = true\n"
    (tmp_path / "a" / "play.toml").write_text(end)
    (tmp_path / "crash.toml").write_text('[[do]]\nat = 0.05\ncrash = "nobody"\n')
    (tmp_path / "play.toml").write_text(f'{end}[[expect]]\nreceipt = "degraded"\n')
    return tmp_path


def test_several_scenarios_get_a_folder_each_and_a_table_and_a_fault_stops_only_its_own(
    plays: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [plays / "a" / "play.toml", plays / "crash.toml", plays / "play.toml"]
    assert rehearse.play_scenarios(paths, plays / "out") == 1
    said = capsys.readouterr().out
    for words in ("2 of 3: ", "could not be played", "1 of 1 did not hold", "1 of 3 held"):
        assert words in said
    assert {page.parent.name for page in (plays / "out").glob("*/timeline.html")} == {"play", "play-2"}


def test_one_scenario_is_judged_in_the_folder_itself(plays: Path) -> None:
    assert rehearse.play_scenarios([plays / "a" / "play.toml"], plays / "out") == 0
    assert (plays / "out" / "timeline.html").exists()
    assert rehearse.play_scenarios([plays / "play.toml"], plays / "out") == 1


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("tests.loopback", r"needs the source checkout, .*; there, run: make setup"),
        ("davey", r"needs davey, which is not installed; .* make setup"),
    ],
)
def test_where_there_is_no_discord_to_rehearse_on_one_line_says_where_there_is(
    plays: Path, monkeypatch: pytest.MonkeyPatch, missing: str, words: str
) -> None:
    def absent(_: str) -> None:
        raise ModuleNotFoundError(name=missing)

    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(BadScenario, match=words):
        rehearse.play_scenarios([plays / "play.toml"], None, discord=True)


def test_where_there_are_no_providers_to_rehearse_with_one_line_says_where_there_are(
    plays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(_: str) -> None:
        raise ModuleNotFoundError(name="tests.loopback")

    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(BadScenario, match="--providers needs the source checkout"):
        rehearse.play_scenarios([plays / "play.toml"], None, providers="loopback")


@pytest.mark.parametrize(
    ("rooms", "words"), [(2, "in one of the 2 voice channels, say: /clankie join"), (0, "clankie invite")]
)
def test_he_says_in_the_log_when_he_can_be_called(rooms: int, words: str) -> None:
    said: list[str] = []
    sink = logger.add(said.append, format="{message}")
    try:
        online = run.Online()
        online.tell(Recorded(receipt=BridgeStopped(reason="away"), at=1.0, json_line=""))
        online.tell(Recorded(receipt=BridgeReady(rooms=rooms), at=1.0, json_line=""))
    finally:
        logger.remove(sink)
    assert [words in line for line in said] == [True]


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_is_interrupted_says_so_in_one_line_and_leaves_no_empty_folder(
    plays: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], by: signal.Signals
) -> None:
    def interrupted(*_: object) -> Stage:
        signal.raise_signal(by)
        return Stage()

    before = [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP)]
    monkeypatch.setattr(rehearse, "_theatre", interrupted)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: str(plays / prefix))
    (plays / "clankie-").mkdir()
    assert rehearse.play_scenarios([plays / "play.toml"], None) == 130
    assert not (plays / "clankie-").exists()
    (plays / "out").mkdir()
    (plays / "out" / "before").touch()
    assert rehearse.play_demo(plays / "out", with_figures=True) == 130
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Interrupted. The house is closed, and nothing was judged."
    assert said[-1].endswith(f"nothing was judged; what there is so far is in {plays / 'out'}.")
    assert [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP)] == before


def test_trouble_is_one_line_that_says_what_to_do_and_never_what_was_said() -> None:
    assert told(FileNotFoundError(2, "No such file or directory", "x")) == (
        "x: No such file or directory; mend that and try again",
        True,
    )
    assert told(TimeoutError()) == ("TimeoutError; mend that and try again", True)
    with pytest.raises(ValueError, match="secret") as raised:
        int("secret words")
    sentence, known = told(raised.value)
    of_thread = told_of_thread("people", raised.value)
    assert not known
    for said in (sentence, of_thread):
        assert "ValueError at tests/supervisors/test_commands.py:" in said
        assert "secret" not in said
    assert "The thread people ended" in of_thread


def node(path: str, *children: TreeNode, restarts: int = 0, waiting: int = 0) -> TreeNode:
    return TreeNode(
        path=path,
        kind="Room",
        state=LifeState.OPEN,
        restarts=restarts,
        mailbox_depth=waiting,
        facts={"ready": True, "lost": 0},
        children=children,
    )


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (61.0, "1 min 1 s"), (7200.0, "2 h"), (93_784.0, "1 d 2 h")]
)
def test_status_tells_restarts_letters_stay_floor_and_the_last_reasons(
    seconds: float, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stay = STAY
    report = StatusReport(
        version="1.2.3",
        uptime_s=seconds,
        tree=node("root", node("root/a", restarts=2), node("root/b", waiting=3)),
        tree_age_s=0.0,
        stays=(stay, replace(stay, room_id=None, humans=None, consented=None, floor=None, last_turn=None)),
        reasons=(Reason(at=0.0, stay_id=stay.stay_id, text="he came"),),
        evidence_lost=4,
    )
    monkeypatch.setattr(status, "fetch_status", lambda *_: report)
    assert status.show(None, 1, as_json=False) == 0
    said = capsys.readouterr().out
    for told_so in (
        f"clankie 1.2.3, open for {words}\n",
        "a open restarts 2  ready True",
        "b open waiting 3  ready True",
        "3 actors, 2 restarts, 3 letters waiting to be read",
        "in room den: people 2 (1 may be heard), floor engaged, last turn spoke\n",
        "in room unknown: people unknown, floor unknown\n",
        "he came",
        "4 receipts could not be written",
    ):
        assert told_so in said


def test_status_says_how_his_voice_is_protected_and_sent_and_why_the_account_is_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = replace(
        node("root/gateway"),
        kind="Gateway",
        facts={"ready": False, "trouble": "token_refused", "remedy": "copy it again"},
    )
    stay = replace(node("root/stays/s/stay"), kind="Stay", facts={"encryption": "dave"})
    voice = replace(
        node("root/stays/s/voice"),
        kind="Voice",
        facts={"privacy_code": "1234567890", "scheduling": "in real time", "media_process": 7},
    )
    report = StatusReport(
        version="1",
        uptime_s=1.0,
        tree=node("root", gateway, stay, voice),
        tree_age_s=0.0,
        stays=(replace(STAY, stay_id=StayId("s")), replace(STAY, stay_id=StayId("other"))),
        reasons=(),
        evidence_lost=0,
    )
    monkeypatch.setattr(status, "fetch_status", lambda *_: report)
    status.show(None, 1, as_json=False)
    said = " ".join(capsys.readouterr().out.split())
    for words in (
        "encrypted from end to end; privacy code 12345 67890 his voice is sent in real time",
        "the account is not online (token_refused): copy it again",
        "media_process 7",
    ):
        assert said.count(words) == 1
    assert "trouble token_refused, remedy" not in said


def test_the_first_signal_closes_the_house_and_the_second_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    monkeypatch.setattr(os, "_exit", ended.append)
    try:
        with local_house(load(None, kept_in(tmp_path))) as house:
            run._on_signals(house)
            signal.raise_signal(signal.SIGTERM)
            assert (house.wait(), ended) == (True, [])
            signal.raise_signal(signal.SIGINT)
            assert ended == [130]
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def test_a_root_that_gave_up_is_an_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANKIE_EVIDENCE__DIRECTORY", str(tmp_path / "evidence"))
    monkeypatch.setattr(run, "_on_signals", lambda _: None)
    monkeypatch.setattr(run, "configure", lambda _: None)
    monkeypatch.setattr(run, "local_house", lambda *_: Hopeless())
    assert run.keep_open(None) == 1


class Hopeless(AbstractContextManager["Hopeless"]):
    """A house whose root has given up."""

    def __init__(self) -> None:
        self.gateway: Probe[GatewayMessage] = Probe()

    def __exit__(self, *_: object) -> None:
        """Nothing is left to be closed."""

    def ask(self, reply_to: Mailbox[TreeNode]) -> None:
        """Nobody answers."""

    def wait(self, pulse: Callable[[], None]) -> bool:
        pulse()
        return False
