"""What providers have counted, and what the house has put on record of it, to be laid side by side."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from tests.loopback.discord.body import Body
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.server import OpenAi

Bill: TypeAlias = Mapping[str, int]
"""How much of each thing, such as "conversation inputTokens"."""
_UNITS = ("inputTokens", "cachedTokens", "outputTokens", "audioMs", "characters")


def billed(openai: OpenAi, elevenlabs: ElevenLabs) -> Bill:
    """What both servers have counted."""
    bill = Counter[str]()
    for conversation in openai.conversations:
        for response in conversation.responses:
            if response.status != "in_progress":
                _add(bill, "conversation", response.body()["usage"])
    for usage in openai.rest.billed:
        _add(bill, "conversation" if "prompt_tokens" in usage else "captain", usage)
    bill["transcription audioMs"] += sum(listener.written_ms for listener in openai.listeners)
    bill["speech characters"] += elevenlabs.characters
    bill["speech characters"] += sum(len(str(asked["input"])) for asked in openai.rest.speeches)
    return +bill


def on_record(receipts: Path) -> Bill:
    """What the house has put on record."""
    bill = Counter[str]()
    for line in receipts.read_text("utf-8").splitlines():
        receipt = json.loads(line)["data"]
        if receipt["type"] in {"usage", "captain_usage"}:
            for unit in _UNITS:
                bill[f"{receipt.get('service', 'captain')} {unit}"] += receipt.get(unit, 0)
    return +bill


def _add(bill: Counter[str], service: str, usage: object) -> None:
    told = Body.of(usage)
    details: Iterable[str] = ("input_token_details", "input_tokens_details", "prompt_tokens_details")
    bill[f"{service} inputTokens"] += _number(told, "input_tokens", "prompt_tokens")
    bill[f"{service} outputTokens"] += _number(told, "output_tokens", "completion_tokens")
    bill[f"{service} cachedTokens"] += sum(_number(told.body(name), "cached_tokens") for name in details)


def _number(body: Body, *names: str) -> int:
    return sum(int(body.number(name)) for name in names if name in body)
