"""Everything an operator may turn, checked once at the door: config.toml, then the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import ClassVar, Final, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from actors.captain.settings import CaptainSettings
from actors.capture.settings import CaptureSettings
from actors.console.settings import ConsoleSettings
from actors.costs import CostSettings
from actors.evidence.settings import EvidenceSettings
from actors.floor.settings import FloorSettings
from actors.floor.words import LANGUAGES
from actors.gateway.settings import AuthoritySettings, GatewaySettings, TextSettings
from actors.meter.settings import TelemetrySettings
from actors.net.service import checked_base
from actors.playback.settings import PlaybackSettings
from actors.realtime.settings import RealtimeSettings
from actors.stay.settings import StaySettings
from actors.tts.settings import TtsSettings
from actors.voice.settings import VoiceSettings
from supervisors.accounts import DiscordSettings, ElevenLabsSettings, OpenAiSettings, checked_server
from supervisors.complaints import in_words
from supervisors.environment import BadVariable, from_environment
from supervisors.rehearsal.screen import LINE, shown
from supervisors.toml import NotToml, tables_in

Tables: TypeAlias = Mapping[str, Mapping[str, object]]


DEFAULT_CONFIG: Final = Path("config.toml")
MOST_COMPLAINTS: Final = 20
"""Lines of complaint at one time."""


class BadConfig(Exception):
    """The configuration cannot be used; the text names the key, the value and the remedy, one per line."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        more = [f"and {len(lines) - MOST_COMPLAINTS} more"] if len(lines) > MOST_COMPLAINTS else []
        super().__init__("\n".join([*(shown(line, LINE) for line in lines[:MOST_COMPLAINTS]), *more]))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """What is written to standard error, and in which form."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """What is worth a line."""
    format: Literal["text", "json"] = "text"
    """Lines for people, or one JSON object a line for machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechSettings:
    """The models and the codec of this machine that he hears and speaks with."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    whisper_folder: Path | None = None
    """A Whisper model in CTranslate2's form; without one the packaged English tiny.en is used; "" is none."""
    opus_library: Path | None = None
    """libopus; without a path it is looked for on the system, then in the installed PyAV; "" is no path."""


class Settings(BaseModel):
    """The whole configuration, frozen; one table for each room that has something to turn."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    discord: DiscordSettings = Field(default_factory=DiscordSettings)
    openai: OpenAiSettings = Field(default_factory=OpenAiSettings)
    elevenlabs: ElevenLabsSettings = Field(default_factory=ElevenLabsSettings)
    gateway: GatewaySettings = Field(default_factory=GatewaySettings)
    authority: AuthoritySettings = Field(default_factory=AuthoritySettings)
    text: TextSettings = Field(default_factory=TextSettings)
    stay: StaySettings = Field(default_factory=StaySettings, validate_default=True)
    capture: CaptureSettings = Field(default_factory=CaptureSettings)
    floor: FloorSettings = Field(default_factory=FloorSettings)
    realtime: RealtimeSettings = Field(default_factory=RealtimeSettings)
    tts: TtsSettings = Field(default_factory=TtsSettings)
    playback: PlaybackSettings = Field(default_factory=PlaybackSettings)
    voice: VoiceSettings = Field(default_factory=VoiceSettings)
    captain: CaptainSettings = Field(default_factory=CaptainSettings)
    evidence: EvidenceSettings = Field(default_factory=EvidenceSettings)
    console: ConsoleSettings = Field(default_factory=ConsoleSettings)
    costs: CostSettings = Field(default_factory=CostSettings)
    telemetry: TelemetrySettings = Field(default_factory=TelemetrySettings)
    speech: SpeechSettings = Field(default_factory=SpeechSettings)
    log: LogSettings = Field(default_factory=LogSettings)

    @field_validator("stay")
    @classmethod
    def _comes_in_time(cls, stay: StaySettings, known: ValidationInfo) -> StaySettings:
        gateway = known.data.get("gateway")
        if isinstance(gateway, GatewaySettings) and stay.join_seconds >= gateway.join_seconds:
            raise ValueError(
                f"join_seconds ({stay.join_seconds:g}) must be less than that of [gateway] "
                f"({gateway.join_seconds:g}); lower this one or raise that one"
            )
        return stay

    @field_validator("realtime")
    @classmethod
    def _finds_its_mind(cls, realtime: RealtimeSettings) -> RealtimeSettings:
        if realtime.base_url is not None:
            checked_base(realtime.base_url)
        if realtime.provider == "chat" and (realtime.base_url is None or realtime.model is None):
            raise ValueError(
                'provider "chat" needs a base_url and a model, as in "http://127.0.0.1:11434/v1" '
                'and "qwen3:8b"'
            )
        _has_use_for_all(realtime)
        return realtime

    @field_validator("captain")
    @classmethod
    def _finds_his_mind(cls, captain: CaptainSettings) -> CaptainSettings:
        if captain.base_url is not None:
            checked_base(captain.base_url)
            if captain.model is None:
                raise ValueError('model is needed with a base_url, as in "qwen3:8b"; name it')
        elif captain.key_file is not None:
            raise ValueError("key_file is for a base_url of his own; OpenAI's key is that of [openai]")
        for key in ("model", "base_url") if captain.provider == "local" else ():
            if getattr(captain, key) is not None:
                raise ValueError(f'{key} is for provider "openai"; set it, or take {key} out')
        for name, server in captain.mcp.items():
            if server.url:
                checked_server(name, server.url)
        return captain

    @field_validator("capture")
    @classmethod
    def _hears_languages(cls, capture: CaptureSettings) -> CaptureSettings:
        strange = [one for one in capture.languages if not _LANGUAGE.fullmatch(one)]
        if strange:
            raise ValueError(f'languages must be codes as "en" or "pt-BR", got {strange[0]!r}; write those')
        return capture

    @field_validator("floor")
    @classmethod
    def _has_words(cls, floor: FloorSettings) -> FloorSettings:
        if floor.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ValueError(f"language must be one of {known}, got {floor.language!r}; choose one")
        return floor


_LANGUAGE: Final = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,4})?")


def _has_use_for_all(realtime: RealtimeSettings) -> None:
    """Raise ValueError for what would lead nowhere, while somebody believes that nothing leaves his house."""
    given = {"base_url": realtime.base_url, "key_file": realtime.key_file}
    for key in given if realtime.provider != "chat" else ():
        if given[key] is not None:
            raise ValueError(f'{key} is for provider "chat"; set it, or take {key} out')
    if realtime.provider == "rules" and realtime.model is not None:
        raise ValueError('model is for provider "openai" or "chat"; set one of them, or take model out')


def configured(config: Path | None, defaults: Tables | None = None) -> Settings:
    """Return the settings of that file, or of config.toml here if there is one, or the defaults.

    `defaults` are in the place of those that everybody has.
    """
    if config is None and DEFAULT_CONFIG.exists():
        config = DEFAULT_CONFIG
    return load(config, defaults=defaults)


def load(path: Path | None, tables: Tables | None = None, *, defaults: Tables | None = None) -> Settings:
    """Read `path` (None: only `defaults`), with the environment laid over it, and `tables` over that.

    Raises BadConfig for a file that is not there or not TOML, and for any key or value that is not allowed.
    """
    file, last, first = _read(path) if path is not None else {}, tables or {}, defaults or {}
    try:
        environment = from_environment(os.environ, _kinds())
    except BadVariable as error:
        raise BadConfig(str(error)) from None
    layers = (first, file, environment, last)
    merged = {
        table: _given(table, {key: one for layer in layers for key, one in layer.get(table, {}).items()})
        for table in {table for layer in layers for table in layer}
    }
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        where = str(path) if path is not None else "the settings"
        heard = {
            (table, key) for table in environment for key in {*environment[table]} - {*last.get(table, {})}
        }
        complaints = (in_words(where, heard, one, _kinds()) for one in error.errors())
        raise BadConfig("\n".join(complaints)) from None


def _kinds() -> dict[str, type]:
    return {table: cast("type", info.annotation) for table, info in Settings.model_fields.items()}


def _given(table: str, values: Mapping[str, object]) -> dict[str, object]:
    """What is set; where nothing is by default, an empty text sets nothing either."""
    kind = _kinds().get(table)
    unset = {one.name for one in fields(kind) if one.default is None} if is_dataclass(kind) else set[str]()
    return {key: value for key, value in values.items() if value != "" or key not in unset}


def _read(path: Path) -> Tables:
    try:
        tables = tables_in(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BadConfig(f"{path} does not exist; write one with: clankie config > {path}") from None
    except IsADirectoryError:
        if path == Path():  # as an empty text is
            raise BadConfig("--config names no file; give one, or leave it out") from None
        raise BadConfig(f"{path} is a folder; name the file in it, as {path / DEFAULT_CONFIG}") from None
    except OSError as error:
        raise BadConfig(f"{path} cannot be read ({error.strerror}); check its permissions") from None
    except (NotToml, UnicodeDecodeError) as error:
        raise BadConfig(f"{path} is not TOML: {error}; correct that line") from None
    loose = [key for key, value in tables.items() if not isinstance(value, dict)]
    if loose:
        raise BadConfig(f"{path}: {loose[0]} stands outside of every table; put it under a [table]")
    return tables
