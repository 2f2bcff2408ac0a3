"""What a session may be told to be, field by field, and what it is told back that it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tests.loopback.discord.body import Body, Json
from tests.loopback.openai.refusals import Refused, wrong

CONVERSATION_MODELS: Final = (
    "gpt-realtime-2.1",
    "gpt-realtime-2.1-mini",
    "gpt-realtime-2",
    "gpt-realtime-1.5",
)
LIVE_MODELS: Final = ("gpt-live-transcribe", "gpt-realtime-whisper")
"""They transcribe while audio comes, and bear no turn detection."""
TRANSCRIPTION_MODELS: Final = (
    *LIVE_MODELS,
    "gpt-transcribe",
    "gpt-4o-transcribe",
    "gpt-4o-mini-transcribe",
    "whisper-1",
)
EFFORTS: Final = ("minimal", "low", "medium", "high", "xhigh")
_KEYWORDED: Final = ("gpt-live-transcribe", "gpt-transcribe")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2}", re.ASCII)

Check: TypeAlias = Callable[[object, str], None]
"""Raises Refused for a value that does not fit a parameter."""


def initial(model: str | None) -> Json:
    """A new session: of a conversation with `model`, or of a transcription if there is none."""
    microphone: Json = {
        "format": {"type": "audio/pcm", "rate": 24_000},
        "transcription": None,
        "noise_reduction": None,
        "turn_detection": {"type": "server_vad", "threshold": 0.5, "prefix_padding_ms": 300}
        | {"silence_duration_ms": 500}
        | ({} if model is None else {"create_response": True, "interrupt_response": True}),
    }
    if model is None:
        return {"type": "transcription", "audio": {"input": microphone}, "include": None}
    return {
        "type": "realtime",
        "model": model,
        "output_modalities": ["audio"],
        "instructions": "You are a helpful, witty, and friendly AI.",
        "audio": {
            "input": microphone,
            "output": {"format": {"type": "audio/pcm", "rate": 24_000}, "voice": "marin", "speed": 1.0},
        },
        "tools": [],
        "tool_choice": "auto",
        "max_output_tokens": "inf",
        "truncation": "auto",
        "tracing": None,
        "prompt": None,
        "include": None,
    }


def updated(current: Json, update: Body) -> Json:
    """Return the session after a `session.update`; raises Refused for one that OpenAI would not take."""
    kind = str(current["type"])
    if "type" not in update:
        raise wrong(
            "Missing required parameter: 'session.type'.", "session.type", "missing_required_parameter"
        )
    if update.text("type") != kind:
        raise wrong(
            f"Passing a {update.text('type')} session update event to a {kind} session is not allowed.",
            "session.type",
            "invalid_parameter",
        )
    fixed = {"type", "model"} if kind == "realtime" else {"type"}
    checks = _REALTIME if kind == "realtime" else _TRANSCRIPTION
    _check_fields({k: v for k, v in update.fields.items() if k not in fixed}, checks, "session")
    _check_unchangeable(current, update)
    merged = {**current, **{k: v for k, v in update.fields.items() if k != "audio"}}
    merged["audio"] = _with_audio(Body.of(current["audio"]), update.body("audio"))
    _check_model_fits(Body(merged))
    return merged


def check_response(response: Body) -> None:
    """Raise Refused for the `response` of a `response.create` that OpenAI would not take."""
    _check_fields(response.fields, _RESPONSE, "response")


# --- rules that look at more than one field ----------------------------------------------------------


def _check_unchangeable(current: Json, update: Body) -> None:
    if "model" in update and update.fields["model"] != current.get("model"):
        raise wrong("Cannot update a session's model.", "session.model", "cannot_update_model")
    if (
        current.get("tracing") is not None
        and update.fields.get("tracing", current["tracing"]) != current["tracing"]
    ):
        raise wrong("Cannot update tracing once it is on.", "session.tracing", "cannot_update_tracing")


def _with_audio(current: Body, update: Body) -> Json:
    return {side: {**current.body(side).fields, **update.body(side).fields} for side in current.fields}


def _check_model_fits(session: Body) -> None:
    microphone = session.body("audio").body("input")
    model, hints = microphone.body("transcription").text("model"), microphone.body("transcription")
    if model in LIVE_MODELS and microphone.fields.get("turn_detection") is not None:
        raise _unsupported(f"Turn detection is not supported for {model}.", "turn_detection")
    if "delay" in hints and model != "gpt-realtime-whisper":
        raise _unsupported(f"'delay' is not supported for {model}.", "transcription.delay")
    if "prompt" in hints and model == "gpt-realtime-whisper":
        raise _unsupported(f"'prompt' is not supported for {model}.", "transcription.prompt")
    for name in ("keywords", "languages"):
        if name in hints and model not in _KEYWORDED:
            raise _unsupported(f"'{name}' is not supported for {model}.", f"transcription.{name}")
    if "language" in hints and "languages" in hints:
        raise _unsupported("'language' and 'languages' exclude each other.", "transcription.languages")
    if session.text("model") == "gpt-realtime-1.5":
        for name in ("reasoning", "parallel_tool_calls"):
            if name in session:
                raise wrong(
                    f"'{name}' is not supported for this model.", f"session.{name}", "unsupported_value"
                )


def _unsupported(message: str, where: str) -> Refused:
    return wrong(message, f"session.audio.input.{where}", "unsupported_value")


# --- rules for one field ----------------------------------------------------------------------------


def _check_fields(fields: Mapping[str, object], checks: Mapping[str, Check], at: str) -> None:
    for name, value in fields.items():
        if name not in checks:
            raise wrong(f"Unknown parameter: '{at}.{name}'.", f"{at}.{name}", "unknown_parameter")
        checks[name](value, f"{at}.{name}")


def _invalid(at: str) -> Refused:
    return wrong(f"Invalid value for '{at}'.", at, "invalid_value")


def _when(fits: Callable[[object], bool]) -> Check:
    def check(value: object, at: str) -> None:
        if not fits(value):
            raise _invalid(at)

    return check


def _one_of(*values: object) -> Check:
    return _when(lambda value: value in values)


def _object(**checks: Check) -> Check:
    def check(value: object, at: str) -> None:
        if not isinstance(value, dict):
            raise _invalid(at)
        _check_fields(Body.of(value).fields, checks, at)

    return check


def _or_null(inner: Check) -> Check:
    def check(value: object, at: str) -> None:
        if value is not None:
            inner(value, at)

    return check


def _number(low: float, high: float) -> Check:
    return _when(lambda value: type(value) in {int, float} and low <= float(str(value)) <= high)


def _each(inner: Check) -> Check:
    def check(value: object, at: str) -> None:
        if not isinstance(value, list):
            raise _invalid(at)
        for place, item in enumerate(value):
            inner(item, f"{at}[{place}]")

    return check


def _text_of(pattern: re.Pattern[str]) -> Check:
    return _when(lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None)


def _tool(value: object, at: str) -> None:
    tool = Body.of(value)
    _object(type=_one_of("function"), name=_text_of(_NAME), description=_text, parameters=_schema)(value, at)
    for name in ("type", "name"):
        if name not in tool:
            raise wrong(
                f"Missing required parameter: '{at}.{name}'.", f"{at}.{name}", "missing_required_parameter"
            )


def _choice(value: object, at: str) -> None:
    if value not in {"auto", "none", "required"} if isinstance(value, str) else True:
        _object(type=_one_of("function"), name=_text_of(_NAME))(value, at)


def _truncation(value: object, at: str) -> None:
    if value not in ("auto", "disabled"):
        limits = _object(post_instructions=_number(1, 128_000))
        kind = _one_of("retention_ratio")
        _object(type=kind, retention_ratio=_number(0.0, 1.0), token_limits=limits)(value, at)


def _metadata(value: object, at: str) -> None:
    pairs = Body.of(value).fields
    if not isinstance(value, dict) or len(pairs) > 16:
        raise _invalid(at)
    for key, content in pairs.items():
        if len(key) > 64 or not isinstance(content, str) or len(content) > 512:
            raise _invalid(f"{at}.{key}")


def _transcription(models: tuple[str, ...]) -> Check:
    def check(value: object, at: str) -> None:
        _object(
            model=_one_of(*models),
            language=_text_of(_LANGUAGE),
            languages=_each(_text_of(_LANGUAGE)),
            keywords=_each(_when(lambda word: isinstance(word, str) and word != "")),
            prompt=_text,
            delay=_one_of(*EFFORTS),
        )(value, at)

    return check


_text = _when(lambda value: isinstance(value, str))
_flag = _when(lambda value: isinstance(value, bool))
_schema = _when(lambda value: Body.of(value).text("type") == "object")
_modalities = _one_of(["text"], ["audio"])
_most_tokens = _when(lambda v: v == "inf" or (type(v) is int and 1 <= v <= 32_000))
_format = _object(type=_one_of("audio/pcm", "audio/pcmu", "audio/pcma"), rate=_one_of(24_000))
_milliseconds = _number(0, 60_000)
_turns = _object(
    type=_one_of("server_vad", "semantic_vad"),
    threshold=_number(0, 1),
    prefix_padding_ms=_milliseconds,
    silence_duration_ms=_milliseconds,
    idle_timeout_ms=_or_null(_milliseconds),
    eagerness=_one_of("low", "medium", "high", "auto"),
    create_response=_flag,
    interrupt_response=_flag,
)
_include = _or_null(_each(_one_of("item.input_audio_transcription.logprobs")))
_microphone = _object(
    format=_format,
    transcription=_or_null(_transcription(TRANSCRIPTION_MODELS)),
    noise_reduction=_or_null(_object(type=_one_of("near_field", "far_field"), strength=_number(0, 1))),
    turn_detection=_or_null(_turns),
)
_speaker = _object(format=_format, speed=_number(0.25, 1.5))
"""Without a voice: that cannot be updated."""
_RESPONSE: Final[Mapping[str, Check]] = {
    "conversation": _one_of("auto", "none"),
    "input": _each(_when(lambda value: isinstance(value, dict))),
    "instructions": _text,
    "tools": _each(_tool),
    "tool_choice": _choice,
    "output_modalities": _modalities,
    "max_output_tokens": _most_tokens,
    "metadata": _metadata,
    "reasoning": _object(effort=_one_of(*EFFORTS)),
    "parallel_tool_calls": _flag,
}
_REALTIME: Final[Mapping[str, Check]] = {
    "output_modalities": _modalities,
    "instructions": _text,
    "audio": _object(input=_microphone, output=_speaker),
    "tools": _each(_tool),
    "tool_choice": _choice,
    "parallel_tool_calls": _flag,
    "reasoning": _object(effort=_one_of(*EFFORTS)),
    "max_output_tokens": _most_tokens,
    "truncation": _truncation,
    "tracing": _when(lambda value: value is None or value == "auto" or isinstance(value, dict)),
    "prompt": _when(lambda value: value is None or isinstance(value, dict)),
    "include": _include,
}
_TRANSCRIPTION: Final[Mapping[str, Check]] = {"audio": _object(input=_microphone), "include": _include}
