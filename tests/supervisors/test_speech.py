"""The models are there once, whoever needs them first."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from actors.capture import local
from supervisors.settings import load
from supervisors.speech import LocalSpeech


def test_two_ears_that_open_at_once_share_their_models(monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2)

    def made(*_: object) -> object:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        return object()

    speech = LocalSpeech(load(None, {}))
    monkeypatch.setattr(local, "HearingModels", made)
    with ThreadPoolExecutor(2) as ears:
        one, other = ears.map(lambda _: speech.hearing, range(2))
    speech.close()
    assert one is other
