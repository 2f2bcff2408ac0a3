"""The address of a websocket is a form to fill in, and a form can be filled in wrongly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.loopback.elevenlabs.catalogue import (
    DEFAULT_MODELS,
    FORMATS,
    MODELS,
    PCM_RATES,
    Dialect,
    Model,
)

_BOTH = {
    "model_id", "output_format", "language_code", "sync_alignment", "apply_text_normalization",
    "enable_logging", "seed", "single_use_token", "authorization",
}  # fmt: skip
_KNOWN = {
    Dialect.SPEECH: _BOTH | {"inactivity_timeout", "auto_mode", "enable_ssml_parsing"},
    Dialect.DIALOGUE: _BOTH,
}
_SWITCHES = ("sync_alignment", "auto_mode", "enable_logging", "enable_ssml_parsing")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
LONGEST_INACTIVITY = 180
DEFAULT_INACTIVITY = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a client wants of a socket."""

    model: Model
    model_id: str
    output_format: str
    rate: int
    sync_alignment: bool
    auto_mode: bool
    inactivity_seconds: float


class Refused(Exception):
    """The vendor would not shake hands on it."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(code)
        self.status, self.code, self.message = status, code, message


def read(dialect: Dialect, query: Mapping[str, str], break_rule: Callable[[str], object]) -> Asked:
    """Read the query; raises Refused, and tells of every parameter that does not belong there."""
    for name in query.keys() - _KNOWN[dialect]:
        break_rule(f"{dialect} has no parameter {name}")
    model_id = query.get("model_id", DEFAULT_MODELS[dialect])
    model = _model(dialect, model_id)
    switches = {name: _switch(name, query.get(name, "false")) for name in _SWITCHES}
    if "language_code" in query and not model.knows_languages:
        raise Refused(400, "unsupported_language", f"{model_id} does not take a language_code")
    modes = ("on", "off") if dialect is Dialect.DIALOGUE else ("auto", "on", "off")
    if query.get("apply_text_normalization", "on") not in modes:
        raise _invalid("apply_text_normalization")
    if not query.get("seed", "0").isdecimal():
        raise _invalid("seed")
    output_format = query.get("output_format", "mp3_44100_128")
    return Asked(
        model=model,
        model_id=model_id,
        output_format=output_format,
        rate=rate_of(output_format),
        sync_alignment=switches["sync_alignment"],
        auto_mode=switches["auto_mode"],
        inactivity_seconds=_inactivity(query),
    )


def rate_of(output_format: str) -> int:
    """The samples in a second of a format; raises Refused for one that is unknown, or not spoken here."""
    if output_format not in FORMATS:
        raise _invalid("output_format")
    if output_format not in PCM_RATES:
        raise Refused(400, "unsupported_output_format", "This ElevenLabs only has PCM.")
    return PCM_RATES[output_format]


def _model(dialect: Dialect, model_id: str) -> Model:
    if model_id not in MODELS:
        raise Refused(400, "model_not_found", f"A model with model ID {model_id} does not exist")
    if (model := MODELS[model_id]).dialect is not dialect:
        raise Refused(403, "unsupported_model", f"{model.name} is not available on {dialect}.")
    return model


def _inactivity(query: Mapping[str, str]) -> float:
    told = query.get("inactivity_timeout", str(DEFAULT_INACTIVITY))
    if not told.isdecimal() or not 0 < int(told) <= LONGEST_INACTIVITY:
        raise _invalid("inactivity_timeout")
    return float(told)


def _switch(name: str, told: str) -> bool:
    if told.lower() not in _TRUTHS:
        raise _invalid(name)
    return _TRUTHS[told.lower()]


def _invalid(name: str) -> Refused:
    return Refused(400, "invalid_parameters", f"{name} has a value that it cannot have")
