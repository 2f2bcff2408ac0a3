"""The prices on the page can be pasted as they are, and no model that he takes by himself lacks one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pydantic import TypeAdapter

from actors.captain.settings import MODEL as CAPTAIN_MODEL
from actors.capture.settings import CaptureSettings
from actors.costs import CostSettings, total, with_usage
from actors.realtime.live.letters import MODEL as CONVERSATION_MODEL
from actors.tts.live.dialects import MODEL as VOICE_MODEL
from messages.evidence import Usage
from messages.ids import StayId

PAGE = Path(__file__).parents[1] / "docs" / "costs.md"


def prices() -> CostSettings:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return TypeAdapter(CostSettings).validate_python(tomllib.loads(block)["costs"])


def test_every_model_that_he_takes_by_himself_has_a_price_on_the_page() -> None:
    taken = {CONVERSATION_MODEL, CAPTAIN_MODEL, VOICE_MODEL, CaptureSettings().model}
    assert taken <= set(prices().prices)


def test_a_minute_of_sound_costs_what_the_page_says() -> None:
    usage = Usage(
        stay_id=StayId("s"),
        service="transcription",
        provider="openai",
        model="gpt-live-transcribe",
        audio_ms=60_000,
    )
    assert total(with_usage((), usage), prices().prices) == 0.017
