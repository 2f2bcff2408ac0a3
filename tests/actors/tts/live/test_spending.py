"""Characters are paid for once they have left the house, and not before."""

from __future__ import annotations

import pytest

from messages.ids import UtteranceId
from messages.tts import VoiceSpent
from messages.usage import Spending
from tests.actors.tts.live.scene import ONE, TEXT, Scene

MODELS = ("eleven_flash_v2_5", "eleven_v4_turbo")


@pytest.fixture(params=MODELS)
def scene(request: pytest.FixtureRequest) -> Scene:
    return Scene(str(request.param))


def spent(scene: Scene, text: str) -> VoiceSpent:
    spending = Spending(provider="elevenlabs", model=scene.model, characters=len(text))
    return VoiceSpent(connection=ONE, utterance=UtteranceId("u1"), spent=spending)


def test_what_is_said_on_a_line_that_stands_is_paid_for_at_once(scene: Scene) -> None:
    scene.speak(last=False)
    assert scene.spent == []
    scene.line.open()
    opening = "" if scene.dialogue else " "
    assert scene.spent == [spent(scene, f"{opening}{TEXT} ")]
    scene.speak(text="And more.", unit=1)
    assert scene.spent[1:] == [spent(scene, "And more. ")]


def test_a_line_that_never_stood_costs_nothing(scene: Scene) -> None:
    scene.speak()
    scene.line.end("unauthorized", None)
    assert scene.spent == []


def test_what_waits_for_a_place_is_paid_for_when_it_gets_one(scene: Scene) -> None:
    for number in range(1, 6):
        scene.speak(f"u{number}")
    scene.line.open()
    assert len(scene.spent) == 4
    scene.forget("u5")
    assert len(scene.spent) == 4
