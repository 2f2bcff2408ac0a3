"""Whoever runs him is told beforehand what he would not see: a full disk, a price that is not known."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path
from typing import NamedTuple

import pytest

from actors.gateway.port import Finding
from supervisors.commands import oversight
from supervisors.settings import Settings
from tests.supervisors.visits import settings


class Usage(NamedTuple):
    """As shutil's own."""

    total: int
    used: int
    free: int


def named(found: Settings, name: str) -> Finding | None:
    return next((one for one in oversight.findings(found) if one.name == name), None)


@pytest.mark.parametrize(("free", "well"), [(oversight.LEAST_MIB - 1, False), (oversight.LEAST_MIB, True)])
def test_a_disk_that_is_nearly_full_is_told(
    free: int, well: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, free * 2**20))
    found = named(settings(evidence={"directory": str(tmp_path / "to" / "be" / "made")}), "room on disk")
    assert found is not None
    assert (found.ok, bool(found.remedy)) == (well, not well)


def test_who_pays_nobody_needs_no_price() -> None:
    assert named(settings(), "prices") is None


def test_a_model_without_a_price_is_named_with_the_table_that_it_wants() -> None:
    chosen = settings(
        realtime={"provider": "openai"},
        tts={"provider": "elevenlabs"},
        capture={"provider": "openai"},
        captain={"provider": "openai"},
        costs={"prices": {"gpt-realtime-2.1": {"input": 4.0}}},
    )
    found = named(chosen, "prices")
    assert found is not None
    assert found.ok  # he runs without, but for the amount that he is to be told
    assert "gpt-live-transcribe, eleven_flash_v2_5, gpt-6.1-sol" in found.says
    assert '[costs.prices."gpt-live-transcribe"]' in found.remedy


def test_an_amount_that_can_never_be_reached_is_to_be_mended() -> None:
    found = named(settings(realtime={"provider": "openai"}, costs={"tell_at": 1.0}), "prices")
    assert found is not None
    assert not found.ok


def test_all_prices_known_is_said() -> None:
    chosen = settings(tts={"provider": "openai"}, costs={"prices": {"gpt-4o-mini-tts": {"characters": 1.0}}})
    found = named(chosen, "prices")
    assert found is not None
    assert found.says == "known for gpt-4o-mini-tts, in USD"


def test_a_collector_is_called() -> None:
    with socket.create_server(("127.0.0.1", 0)) as collector:
        port = collector.getsockname()[1]
        chosen = settings(telemetry={"otlp_endpoint": f"http://127.0.0.1:{port}/v1/traces"})
        there = named(chosen, "telemetry")
    away = named(chosen, "telemetry")
    assert there is not None
    assert there.ok
    assert away is not None
    assert (away.ok, "otlp_endpoint" in away.remedy) == (True, True)  # he runs without it


def test_a_collector_whose_name_can_be_nobodys_is_told() -> None:
    found = named(settings(telemetry={"otlp_endpoint": f"http://{'a' * 64}/v1/traces"}), "telemetry")
    assert found is not None
    assert (found.ok, "no name of a host" in found.says, bool(found.remedy)) == (True, True, True)


@pytest.mark.parametrize(
    ("package", "name"), [("textual", "terminal console"), ("opentelemetry.sdk.trace", "telemetry")]
)
def test_what_is_not_installed_is_told_with_what_installs_it(
    package: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oversight, "package_folder", lambda asked: None if asked == package else Path())
    found = named(settings(telemetry={"otlp_endpoint": "http://127.0.0.1:9/v1/traces"}), name)
    assert found is not None
    assert "make setup" in found.remedy
