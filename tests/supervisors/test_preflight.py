"""A house that could not work does not open, and says which line of the configuration to mend."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from actors.audio.models import ModelMissing
from actors.audio.opus import NoOpus
from actors.audio.whisper import MODEL_FILES
from actors.local_room import LocalRoom
from messages.ids import RoomId
from supervisors import preflight
from supervisors.preflight import check
from supervisors.secrets import NO_KEYS, Keys
from supervisors.settings import BadConfig, load
from supervisors.theatre import LocalTheatre


def complaint(**tables: dict[str, object]) -> str:
    with pytest.raises(BadConfig) as told:
        check(load(None, tables), NO_KEYS)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_house_with_everything_may_open(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Tea is at four.")
    check(load(None, {"captain": {"notes_file": str(tmp_path / "notes.md")}}), NO_KEYS)


def test_notes_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    assert "absent.md cannot be read (No such" in complaint(
        captain={"notes_file": str(tmp_path / "absent.md")}
    )
    assert "cannot be read (Is a directory)" in complaint(captain={"notes_file": str(tmp_path)})


def test_certificates_that_cannot_be_used_are_told_before_the_house_opens(tmp_path: Path) -> None:
    (tmp_path / "junk.pem").write_text("junk")
    os.mkfifo(tmp_path / "pipe.pem")
    for name, why in (
        ("absent.pem", "No such file or directory"),
        ("junk.pem", "no certificates in it"),
        ("pipe.pem", "no file"),
        ("", "no file"),
    ):
        told = complaint(discord={"ca_file": str(tmp_path / name)})
        assert f"[discord] ca_file: {tmp_path / name} cannot be used ({why}); name a readable file" in told


def test_a_folder_without_a_model_is_told_by_the_file_that_it_lacks(tmp_path: Path) -> None:
    told = complaint(speech={"whisper_folder": str(tmp_path)})
    assert f"[speech] whisper_folder: {tmp_path} has no model.bin" in told


def test_a_library_that_is_no_libopus_is_told(tmp_path: Path) -> None:
    (tmp_path / "libopus.so").write_text("no library")
    told = complaint(speech={"opus_library": str(tmp_path / "libopus.so")})
    assert "[speech] opus_library" in told
    assert "take it out" in told


def test_a_whole_model_will_do_and_a_machine_without_libopus_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_opus(path: str | None) -> None:
        raise NoOpus(f"libopus was not found {path}")

    for name in MODEL_FILES:
        (tmp_path / name).touch()
    monkeypatch.setattr(preflight, "load_opus", no_opus)
    with pytest.raises(NoOpus, match="not found None"):
        check(load(None, {"speech": {"whisper_folder": str(tmp_path)}}), NO_KEYS)


def test_a_packaged_model_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("actors.audio.models.package_folder", lambda _: None)
    with pytest.raises(ModelMissing, match="pip install"):
        check(load(None), NO_KEYS)


def test_a_scenario_with_notes_that_are_not_there_is_told_by_table_and_key(tmp_path: Path) -> None:
    theatre = LocalTheatre()
    try:
        with (
            pytest.raises(ValueError, match=r"^\[captain\] notes_file: absent\.md cannot be read"),
            theatre.open(
                settings={"captain": {"notes_file": "absent.md"}},
                room=LocalRoom(RoomId("local")),
                replies=(),
                state=tmp_path,
            ),
        ):
            pass
    finally:
        theatre.close()


CLOUD: dict[str, dict[str, object]] = {
    "capture": {"provider": "openai"},
    "realtime": {"provider": "openai"},
    "tts": {"provider": "elevenlabs"},
}


def test_a_provider_without_its_key_is_told_with_the_variable_that_it_goes_into() -> None:
    told = complaint(**CLOUD)
    assert told == (
        '[capture] provider is "openai", and there is no key for it; set CLANKIE_OPENAI_API_KEY, or '
        "[openai] key_file to a file of mode 600"
    )
    assert "set CLANKIE_ELEVENLABS_API_KEY" in complaint(tts={"provider": "elevenlabs"})


def test_with_every_key_he_may_open_and_needs_no_local_ear_for_words_and_no_local_voice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(preflight, "packaged_file", lambda package, *_: asked.append(package))
    check(load(None, CLOUD), Keys(openai="sk-test", elevenlabs="xi-test"))
    assert asked == ["faster_whisper"]


def test_a_chat_server_needs_no_key_but_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    chat: dict[str, object] = {"provider": "chat", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    check(load(None, {"realtime": chat}), NO_KEYS)
    monkeypatch.setattr(preflight, "package_folder", lambda _: None)
    assert "pip install '.[cloud]'" in complaint(realtime=chat)


def test_a_proxy_that_nobody_here_can_use_is_told_if_it_is_in_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://me:secret@proxy:1080")
    monkeypatch.setenv("NO_PROXY", "")
    check(load(None), NO_KEYS)
    with pytest.raises(BadConfig, match=r"^ALL_PROXY names no HTTP proxy; set it to one such as") as told:
        check(load(None, CLOUD), Keys(openai="sk-test", elevenlabs="xi-test"))
    assert "secret" not in str(told.value)
    monkeypatch.setenv("NO_PROXY", "api.openai.com,api.elevenlabs.io")
    check(load(None, CLOUD), Keys(openai="sk-test", elevenlabs="xi-test"))


def test_certificates_that_the_environment_names_are_told_by_its_variable_if_a_provider_has_some(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent.pem"))
    chat: dict[str, object] = {"provider": "chat", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    check(load(None, {"realtime": chat}), NO_KEYS)
    with pytest.raises(BadConfig, match=r"^SSL_CERT_FILE: .*absent\.pem cannot be used \(No such file"):
        check(load(None, CLOUD), Keys(openai="sk-test", elevenlabs="xi-test"))
