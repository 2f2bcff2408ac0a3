"""A Discord with one guild, for every test of the live account."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.actors.gateway.living import Living, living
from tests.loopback.discord.guild import Guild


@pytest.fixture
def life() -> Iterator[Living]:
    with living() as life:
        yield life


@pytest.fixture
def home(life: Living) -> Guild:
    return life.discord.guild("Home")
