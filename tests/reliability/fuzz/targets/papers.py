"""What lies on a disk that others can write to: records, lanes, scenarios, settings and recordings."""

from __future__ import annotations

import atexit
import io
import json
import os
import random
import tempfile
import wave
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from actors.audio.pcm import UnreadableSound, read_wav, wav_seconds
from actors.captain.journal import TurnOver
from actors.captain.ledger_wire import to_line as to_lane_line
from actors.captain.ledger_wire import to_notes
from actors.chronicle.proof import latest_of, prove_each, stays_of
from actors.chronicle.proof_types import Fact
from actors.evidence.local_purge import purge
from actors.evidence.reader import read, read_any, receipt_files
from actors.evidence.verify import verify
from actors.evidence.wire import Entry, to_line
from messages.evidence import StayReceipt
from messages.ids import HandoffId, StayId
from supervisors.environment import BadVariable, from_environment
from supervisors.rehearsal.load import load as load_scenario
from supervisors.rehearsal.scenario import BadScenario
from supervisors.rehearsal.screen import is_hostile
from supervisors.report.gathering import BadRecord, gather
from supervisors.report.page import Report, page
from supervisors.report.prices import NO_PRICES
from supervisors.report.story import stories
from supervisors.report.summary import to_json
from supervisors.settings import BadConfig, load
from supervisors.settings import _kinds as kinds
from tests.actors.captain.shelf import ADA, DEN, NOTE, NOW, Shelf, asked, said
from tests.reliability.figures import ROOT
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack
from tests.reliability.fuzz.told import writable
from tests.supervisors.report.evening import PEOPLE, Evening

_NOON: Final = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_MOST_COMPLAINT: Final = 25_000
"""Characters in which an operator is told what is wrong."""
_KEEP: Final = ExitStack()
_FOLDERS: dict[str, Path] = {}
_MEMORY: Final = "/dev/shm"  # noqa: S108 - a folder of our own is made in it
atexit.register(_KEEP.close)


def _folder(name: str) -> Path:
    """A folder of a target's own, which goes with the process."""
    if name not in _FOLDERS:
        where = _MEMORY if os.access(_MEMORY, os.W_OK) else None
        root = _KEEP.enter_context(tempfile.TemporaryDirectory(prefix="fuzz-", dir=where))
        _FOLDERS[name] = Path(root)
        _FOLDERS[name].chmod(0o700)
    return _FOLDERS[name]


def _empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()


def _one_sentence(complaint: Exception) -> None:
    text = str(complaint)
    if not text or len(text) > _MOST_COMPLAINT:
        raise Broken("a complaint of no use")
    if any(is_hostile(sign) for sign in text.replace("\n", " ")):
        raise Broken("a complaint that a terminal would obey")


# --- receipts -------------------------------------------------------------------------------------------


def _lines() -> Iterator[str]:
    evening = Evening(stay=StayId("stay-1"), dice=random.Random(1))
    evening.opens()
    for person in PEOPLE[:2]:
        evening.answers(person, evening.speaks(person))
        evening.hands_over(person)
    evening.closes()
    for number, (_, receipt) in enumerate(evening.told):
        line = to_line(receipt, entry_id=f"e{number}", occurred_at=_NOON, origin="discord")
        if isinstance(line, str):
            yield line


def _receipt_seeds() -> list[bytes]:
    lines = [line.encode() for line in _lines()]
    envelope = {"schemaVersion": 1, "id": "f1", "occurredAt": "2026-03-01T12:00:00.000Z", "type": "o.kind",
                "data": {"type": "kind", "origin": "o", "stayId": "s", "number": 5}}  # fmt: skip
    foreign = json.dumps(envelope).encode()
    whole = b"\n".join([*lines, foreign]) + b"\n"
    long = lines[0][:-1] + b',"x":"' + b"x" * 70_000 + b'"}\n'
    return [whole, whole[:-40], foreign + b"\n", b"\0" * 30 + whole, long, b"[" * 5_000 + b"\n" + whole]


def _receipts(data: bytes) -> None:
    folder = _folder("receipts")
    _empty(folder)
    (folder / "receipts-2026-03-01.jsonl").write_bytes(data)
    files = receipt_files(folder)
    list(read(files))
    entries = list(read_any(files))
    findings = verify(entries)
    for problem in findings.problems:
        if len(problem.what) > _MOST_COMPLAINT:
            raise Broken("a problem that has no bound")
    found = gather(files, lambda _: None)
    told = tuple(stories(found, None))
    to_json(found, told, NO_PRICES).encode()
    page(Report(found=found, stories=told, settings=NO_PRICES, made=_NOON)).encode()
    facts = tuple(
        Fact(at=one.occurred_at.timestamp(), origin=one.origin, receipt=one.receipt)
        for one in entries
        if isinstance(one, Entry) and isinstance(one.receipt, StayReceipt)
    )
    latest = latest_of(facts)
    list(prove_each(facts, stays_of(facts) or (() if latest is None else (latest,))))


def _purge(data: bytes) -> None:
    """Afterwards the person is nowhere, and everybody else is where he was."""
    folder, person = _folder("purge"), PEOPLE[0]
    _empty(folder)
    (folder / "receipts-2026-03-01.jsonl").write_bytes(data)
    (folder / "transcript-2026-03-01.jsonl").write_bytes(data)
    before = sum(1 for line in data.split(b"\n") if line)
    done = purge(folder, person, receipts=True)
    if done.failed:
        raise Broken(f"a purge has failed: {done.failed}")
    kept, words = (path.read_bytes() for path in sorted(folder.iterdir()))
    for one in read_any([folder / "receipts-2026-03-01.jsonl"]):
        if isinstance(one, Entry) and getattr(one.receipt, "person_id", "") == person:
            raise Broken("somebody who was taken out is still there")
    if sum(1 for line in kept.split(b"\n") if line) != before:
        raise Broken("a line has gone with the name")
    if f'{{"schemaVersion":1,"personId":"{person}"'.encode() in words:
        raise Broken("words of somebody who was taken out are still there")


def _purge_seeds() -> list[bytes]:
    lines = b"\n".join(line.encode() for line in _lines())
    words = {"schemaVersion": 1, "occurredAt": "2026-03-01T12:00:00.000Z", "stayId": "s",
             "personId": PEOPLE[0],
             "label": "Ada", "text": "Hello.", "typed": False}  # fmt: skip
    deep = b'{"data":' + b"[" * 3_000 + f'"{PEOPLE[0]}"'.encode()
    return [lines + b"\n", deep + b"\n" + lines, json.dumps(words).encode() + b"\n" + lines]


# --- the captain's lanes --------------------------------------------------------------------------------


def _lane_seeds() -> list[bytes]:
    entries = (asked("t1", ADA), said("t1"), TurnOver(at=NOW, handoff=HandoffId("t1"), how="answered"))
    lane = b"".join(to_lane_line(entry) for entry in entries)
    notes = to_notes((NOTE, NOTE))
    names = (
        b"text-den.jsonl",
        b"operator.jsonl",
        b"text-%FF.jsonl",
        b"voice-%ED%A0%80.jsonl",
        b"voice-%41.jsonl",
    )
    return [
        pack([name, lane + lane[: -20 * place], notes[: -5 * place]]) for place, name in enumerate(names, 1)
    ]


def _lanes(data: bytes) -> None:
    """The name of a lane's file, what is in it, and the notes."""
    folder = _folder("lanes")
    _empty(folder)
    shelf = Shelf(folder)
    shelf.read()
    parts = [*unpack(data), b"", b"", b""]
    name = os.fsdecode(parts[0][:200].replace(b"/", b"").replace(b"\0", b"")) or "x"
    if name in (".", ".."):
        return
    (folder / "lanes" / name).write_bytes(parts[1])
    (folder / "notes.json").write_bytes(parts[2])
    ledger = shelf.ledger()
    book = ledger.open()
    writable([entries for _, entries in book.lanes], book.notes)
    if not ledger.append(book.lanes[0][0] if book.lanes else DEN, said("t2")):
        raise Broken("nothing can be written any more")
    ledger.keep(book.notes)
    if not ledger.forget(ADA, ("likes tea",)):
        raise Broken("somebody cannot be forgotten")
    if any(ADA in getattr(one, "people", ()) for _, some in shelf.read().lanes for one in some):
        raise Broken("somebody was not forgotten")


# --- what people write ------------------------------------------------------------------------------------


def _scenario(data: bytes) -> None:
    path = _folder("scenario") / "play.toml"
    path.write_bytes(data)
    try:
        load_scenario(path)
    except BadScenario as bad:
        _one_sentence(bad)
        if "\n" in str(bad):
            raise Broken("a complaint of several lines") from None


def _scenario_seeds() -> list[bytes]:
    plays = sorted((ROOT / "tests" / "scenarios").glob("*.toml"))
    return [path.read_bytes().replace(b"wav", b"text") for path in plays[::3]]


def _config(data: bytes) -> None:
    path = _folder("config") / "config.toml"
    path.write_bytes(data)
    try:
        load(path)
    except BadConfig as bad:
        _one_sentence(bad)


def _environment(data: bytes) -> None:
    variables: dict[str, str] = {}
    for part in unpack(data):
        name, _, value = part.decode("utf-8", "surrogateescape").replace("\0", "").partition("=")
        variables[f"CLANKIE_{name}"] = value
    try:
        found = from_environment(variables, kinds())
    except BadVariable as bad:
        if len(str(bad)) > _MOST_COMPLAINT + max(map(len, variables)):
            raise Broken("a complaint of no use") from None
        return
    try:
        load(None, found)
    except BadConfig as bad:
        _one_sentence(bad)


_SECRET: Final = "hush-hush-token"
_SLIP: Final = (
    f'[discord]\ntoken = "{_SECRET}"\nproxy = "http://me:{_SECRET}@x y"\n[openai]\nkey = "{_SECRET}"\n'
    f'[captain.mcp.x]\nurl = "https://me:{_SECRET}@h"\nenv = {{ KEY = "{_SECRET}" }}\n'
).encode()
_VARIABLES: Final = (b"FLOOR__NAME=Clankie", b'FLOOR__ALIASES=["a", "b"]', b"CONSOLE__PORT=7070",
                     b"COSTS__CURRENCY=EUR", b"OPENAI__BASE_URL=https://api.example.com/v1",
                     b"STAY__CONSENT_POLICY=asked", b"REALTIME__PROVIDER=openai")  # fmt: skip


# --- recordings -------------------------------------------------------------------------------------------


def _wav_seeds() -> list[bytes]:
    found: list[bytes] = []
    for channels, rate in ((1, 24_000), (2, 48_000), (1, 8_000), (2, 24_000)):
        file = io.BytesIO()
        with wave.open(file, "wb") as sound:
            sound.setnchannels(channels)
            sound.setsampwidth(2)
            sound.setframerate(rate)
            sound.writeframes(bytes(range(240)) * 4)
        found.append(file.getvalue())
    return [*found, found[0][:12] + b"LIST\x04\0\0\0abcd" + found[0][12:]]


def _wav(data: bytes) -> None:
    path = _folder("wav") / "sound.wav"
    path.write_bytes(data)
    for reads in (wav_seconds, read_wav):
        try:
            reads(path)
        except UnreadableSound as bad:
            _one_sentence(bad)


_EVIDENCE: Final = ("actors/evidence/reader.py", "actors/evidence/wire.py", "actors/evidence/foreign.py",
                    "actors/evidence/verify.py")  # fmt: skip
TARGETS: Final = (
    Target(
        name="receipts",
        of="receipts",
        feed=_receipts,
        seeds=_receipt_seeds,
        readers=(
            *_EVIDENCE,
            "supervisors/report/gathering.py",
            "supervisors/report/story.py",
            "supervisors/report/section.py",
            "supervisors/report/others.py",
            "supervisors/report/words.py",
            "actors/chronicle/proof.py",
            "actors/chronicle/why.py",
        ),
        form=Form.LINES,
        declared=(BadRecord,),
        seconds=3.0,
        times=400,
        few=15,
    ),
    Target(
        name="purge",
        of="receipts",
        feed=_purge,
        seeds=_purge_seeds,
        readers=("actors/evidence/local_purge.py", "actors/evidence/forgetting.py"),
        form=Form.LINES,
        times=200,
    ),
    Target(
        name="lanes",
        of="captain's lanes",
        beside="words",
        feed=_lanes,
        seeds=_lane_seeds,
        readers=(
            "actors/captain/local_lanes.py",
            "actors/captain/ledger_wire.py",
            "actors/captain/local_ledger.py",
            "actors/captain/local_pages.py",
        ),
        form=Form.LINES,
        sequence=True,
        times=200,
        few=30,
    ),
    Target(
        name="scenarios",
        of="scenarios",
        feed=_scenario,
        seeds=_scenario_seeds,
        readers=(
            "supervisors/rehearsal/load.py",
            "supervisors/rehearsal/checks.py",
            "supervisors/rehearsal/lines.py",
            "supervisors/rehearsal/scenario.py",
            "supervisors/rehearsal/chosen.py",
        ),
        form=Form.TEXT,
        times=400,
        few=40,
    ),
    Target(
        name="config",
        of="config",
        feed=_config,
        seeds=lambda: [(ROOT / "config.toml").read_bytes(), b'[floor]\nname = "Clankie"\n[costs]\n', _SLIP],
        secrets=(_SECRET,),
        readers=("supervisors/settings.py", "supervisors/complaints.py"),
        form=Form.TEXT,
        times=400,
        few=40,
    ),
    Target(
        name="environment",
        of="config",
        feed=_environment,
        seeds=lambda: [pack(_VARIABLES), *(pack([one]) for one in _VARIABLES)],
        readers=("supervisors/environment.py", "supervisors/settings.py", "supervisors/complaints.py"),
        form=Form.TEXT,
        sequence=True,
        times=400,
    ),
    Target(
        name="wav",
        of="recordings",
        beside="words",
        feed=_wav,
        seeds=_wav_seeds,
        readers=("actors/audio/pcm.py",),
        times=400,
    ),
)
