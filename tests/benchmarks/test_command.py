"""The command runs programs in turn, forgives what fails, and says what is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.benchmarks import bench as benches
from tests.benchmarks import programs
from tests.benchmarks.__main__ import _write as write_all
from tests.benchmarks.__main__ import main
from tests.benchmarks.bench import Bench, Floor, Ours, Peer, Program
from tests.benchmarks.figures import Line, Reading, Runs
from tests.benchmarks.measuring import Measured, measure
from tests.benchmarks.page import page
from tests.benchmarks.programs import NO_COMPILER, NO_PEERS, READY, Ran, Workshop
from tests.benchmarks.record import Record, machine, write_for_pyperf

app = typer.Typer()
app.command()(main)
A, B, C = Ours("a"), Ours("b"), Ours("c")
HOP = Line(name="hop", unit="us", ours=Reading("ours", "us"), floor=Reading("floor", "us"), note="Pinned.")


def a_bench(name: str, repetitions: int | None = None, **runs: Program) -> Bench:
    return Bench(name=name, runs=runs, lines=(HOP,), repetitions=repetitions)


class Machine:
    """Answers as it is told, and remembers in which order it was asked."""

    def __init__(self, answers: Mapping[Program, Ran]) -> None:
        self.asked: list[Program] = []
        self._answers = answers

    def run(self, program: Program, seconds: float) -> Ran:
        self.asked.append(program)
        return self._answers.get(program, Ran(values={"us": float(len(self.asked))}))


def nobody(repetition: int, bench: str, run: str) -> None:
    """Does not watch."""


def test_benches_take_turns_and_so_do_the_runs_of_each() -> None:
    here = Machine({})
    measure((a_bench("one", ours=A, floor=B), a_bench("two", repetitions=1, ours=C)), 2, here.run, nobody)
    assert here.asked == [A, B, C, B, A]


def test_what_failed_leaves_its_place_empty_and_is_told() -> None:
    here = Machine({B: Ran(failed="it broke")})
    found = measure((a_bench("one", ours=A, floor=B),), 2, here.run, nobody)["one"]
    assert found.runs == {"ours": [{"us": 1.0}, {"us": 4.0}], "floor": [{}, {}]}
    assert found.failed == {"floor": "it broke"}


def test_what_cannot_be_done_here_is_tried_once() -> None:
    here = Machine({B: Ran(cannot="no compiler")})
    found = measure((a_bench("one", ours=A, floor=B),), 3, here.run, nobody)["one"]
    assert here.asked == [A, B, A, A]
    assert found.cannot == {"floor": "no compiler"}
    assert "floor" not in found.runs


def test_a_program_is_read_by_its_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PEERS", tmp_path)
    (tmp_path / READY).touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(shutil.which("sh") or "/bin/sh")
    monkeypatch.setattr(programs, "HERE", tmp_path)
    scripts = {
        "good": 'echo chatter; echo \'{"values": {"us": 3}}\'',
        "bad": "echo no json; echo first >&2; echo 'it broke' >&2; exit 3",
        "mute": "exit 4",
        "broken": 'echo \'{"values": {"us": 3}}\'; echo "it leaked" >&2; exit 1',
        "nothing": 'echo \'{"values": {"us": NaN}}\'',
        "unable": 'echo \'{"cannot": "no root"}\'',
        "slow": "while :; do :; done",
    }
    (tmp_path / "peers").mkdir()
    for name, script in scripts.items():
        (tmp_path / "peers" / name).write_text(script)
    ran = {name: Workshop(tmp_path).run(Peer(name), 0.3 if name == "slow" else 10.0) for name in scripts}
    assert ran == {
        "good": Ran(values={"us": 3.0}),
        "bad": Ran(failed="it broke"),
        "mute": Ran(failed="it ended with 4 and no word"),
        "broken": Ran(failed="it leaked"),
        "nothing": Ran(failed="it ended with 0 and no word"),
        "unable": Ran(cannot="no root"),
        "slow": Ran(failed="it took longer than 0 s"),
    }


def test_without_peers_or_a_compiler_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "PEERS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    here = Workshop(tmp_path)
    assert here.run(Peer("any.py"), 1.0) == Ran(cannot=NO_PEERS)
    assert here.run(Floor("any.c"), 1.0) == Ran(cannot=NO_COMPILER)


def test_a_floor_that_does_not_compile_is_no_floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho 'any.c: no such thing' >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert Workshop(tmp_path).run(Floor("any.c"), 1.0).cannot.endswith("any.c: no such thing")


def test_what_is_on_record_makes_the_same_page(tmp_path: Path) -> None:
    found = Measured(
        runs={"ours": [{"us": 10.0}], "floor": [{"us": 5.0}]},
        cannot={"peer": "no peers"},
        failed={"third": "it broke"},
    )
    record = Record(machine=machine(), seconds=90.0, benches={"one": found})
    record.write(tmp_path / "record.json")
    again = Record.read(tmp_path / "record.json")
    told = page(again, (a_bench("one"), a_bench("not measured")))
    assert "| hop | 10 µs | - | 5 µs | 2 to the floor (2 to 2) | - | - |" in told
    assert "- hop: Pinned." in told
    assert "- Not measured here: one, peer: no peers" in told
    assert "- **Failed**: one, third: it broke" in told
    assert again.benches == record.benches
    write_for_pyperf(record, tmp_path / "pyperf.json")
    assert '"one/ours/us"' in (tmp_path / "pyperf.json").read_text()


def test_a_program_is_done_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    benches.tell({"us": 1.5})
    with pytest.raises(SystemExit) as gone:
        benches.cannot("no root")
    assert gone.value.code == 0
    assert capsys.readouterr().out == '{"values": {"us": 1.5}}\n{"cannot": "no root"}\n'


def test_only_a_whole_table_may_replace_the_page() -> None:
    good = Measured(runs={"ours": [{"us": 1.0}]})
    assert Record(machine={}, seconds=1.0, benches={"one": good}).complete
    for bad in (Measured(cannot={"peer": "none"}), Measured(failed={"peer": "broken"})):
        assert not Record(machine={}, seconds=1.0, benches={"one": good, "two": bad}).complete


def test_where_nothing_can_be_written_nothing_is_measured(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = CliRunner().invoke(app, ["crash", "--repetitions", "1", "--to", str(tmp_path / "file")])
    assert told.exit_code == 2
    assert "Name a folder with --to." in told.output


def test_a_bench_that_does_not_exist_is_told_those_that_do() -> None:
    told = CliRunner().invoke(app, ["nonsense"])
    assert told.exit_code == 2
    assert "There is no bench nonsense; there are hop" in told.output


def test_what_cannot_be_written_whole_leaves_the_old_page(tmp_path: Path) -> None:
    def fail(_runs: Runs, folder: Path) -> Iterator[Path]:
        raise OSError(28, "No space left on device", str(folder))

    (tmp_path / "performance.md").write_text("the old page")
    bench = replace(a_bench("one"), draw=fail)
    with pytest.raises(OSError, match="No space"):
        write_all(Record(machine={}, seconds=1.0, benches={"one": Measured()}), (bench,), tmp_path)
    assert [one.read_text() for one in tmp_path.iterdir()] == ["the old page"]
