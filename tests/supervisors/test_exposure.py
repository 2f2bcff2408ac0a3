"""A configuration with a secret in it is its owner's alone, and one that others can change is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from supervisors.exposure import check_collector, check_exposure
from supervisors.settings import BadConfig, load

SECRET = "hush-hush"
WITH_A_KEY = f'[captain.mcp.music]\ncommand = "x"\nenv = {{ MUSIC_API_KEY = "{SECRET}" }}\n'
WITH_A_PASSWORD = f'[discord]\nproxy = "http://anna:{SECRET}@127.0.0.1:3128"\n'
WITH_NEITHER = '[captain.mcp.music]\ncommand = "x"\nenv = { MODE = "quiet", MUSIC_TOKEN = "" }\n'


def written(folder: Path, text: str, mode: int) -> Path:
    path = folder / "config.toml"
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def complaint(path: Path) -> str:
    with pytest.raises(BadConfig) as refused:
        check_exposure(path, load(path))
    assert SECRET not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [(WITH_A_KEY, "[captain.mcp.music] env, MUSIC_API_KEY"), (WITH_A_PASSWORD, "[discord] proxy")],
)
def test_with_a_secret_in_it_nobody_else_may_read_it(tmp_path: Path, text: str, place: str) -> None:
    path = written(tmp_path, text, 0o644)
    told = f"{path} can be read by others and has a secret in {place}; run: chmod 600 {path}"
    assert complaint(path) == told
    path.chmod(0o600)
    check_exposure(path, load(path))


def test_without_one_everybody_may_read_it(tmp_path: Path) -> None:
    path = written(tmp_path, WITH_NEITHER, 0o644)
    check_exposure(path, load(path))


def test_nobody_else_may_write_in_it_or_put_another_in_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "", 0o666)
    assert complaint(path).endswith(f"can be changed by everybody; run: chmod o-w {path}")
    path.chmod(0o644)
    tmp_path.chmod(0o777)
    assert complaint(path).endswith(f"can be replaced by everybody; run: chmod o-w {tmp_path}")


def test_it_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "", 0o644)
    os.chown(path, 4242, -1) if os.geteuid() == 0 else monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert "belongs to another user" in complaint(path)


def test_a_collectors_key_goes_nowhere_in_the_clear() -> None:
    keys = {"OTEL_EXPORTER_OTLP_HEADERS": f"x-key={SECRET}"}
    far, here = "http://collector.example:4318/v1/traces", "http://127.0.0.1:4318/v1/traces"
    with pytest.raises(BadConfig, match="in the clear; write https://, or unset that variable") as refused:
        check_collector(load(None, {"telemetry": {"otlp_endpoint": far}}), keys)
    assert SECRET not in str(refused.value)
    for endpoint, environment in ((far, {}), (here, keys), (far.replace("http:", "https:"), keys)):
        check_collector(load(None, {"telemetry": {"otlp_endpoint": endpoint}}), environment)


def test_where_there_is_none_there_is_nothing_to_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_exposure(None, load(None))
    check_exposure(tmp_path / "nothing", load(None))
