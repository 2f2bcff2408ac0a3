"""Whatever is shown of a link, in a log or a traceback, holds neither a secret nor anybody's voice."""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

import actors.voice.live
import actors.voice.media
from actors.voice.live.call import Elsewhere
from actors.voice.media import mail, opening
from messages.ids import RoomId

SECRETS = {"token", "session", "secret_key", "server", "text", "body", "datagram", "frame", "pcm", "key"}
SHOWN = {("Note", "text"), ("Ping", "token")}
"""A note is written for the log, and a ping is answered with its number."""


def classes() -> Iterator[type]:
    for package in (actors.voice.live, actors.voice.media):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            for _, kind in inspect.getmembers(module, inspect.isclass):
                if kind.__module__ == found.name and dataclasses.is_dataclass(kind):
                    yield kind


def secrets() -> Iterator[tuple[str, dataclasses.Field[object]]]:
    for kind in classes():
        for field in dataclasses.fields(kind):
            if field.name in SECRETS and (kind.__name__, field.name) not in SHOWN:
                yield f"{kind.__name__}.{field.name}", field


@pytest.mark.parametrize("field", [pytest.param(field, id=name) for name, field in secrets()])
def test_a_field_that_may_hold_a_secret_is_not_shown(field: dataclasses.Field[object]) -> None:
    assert not field.repr


def test_what_waits_for_a_line_shows_no_secret() -> None:
    server = mail.VoiceServer(connection=1, token="hush", endpoint="localhost")
    state = mail.VoiceState(connection=1, session="hush")
    elsewhere = Elsewhere(room=RoomId("1"), session="hush", server=("hush", "localhost"))
    credentials = opening.Introduction(user=1, guild=2, session="hush", token="hush")
    assert "hush" not in repr((server, state, elsewhere, credentials, credentials.identify()))
