"""Voice activity on people and on things that are not people."""

import math
import sys
from pathlib import Path

import pytest

from actors.audio import pcm
from actors.audio.models import ModelMissing
from actors.audio.vad import WINDOW_SECONDS, Silero, VoiceActivity, Window
from tests import models
from tests.speech.clips import DIGITS, HUMAN, NOISE, VOICE_LIKE

SPEECH = 0.5
ENOUGH_WINDOWS = 7
"""An utterance is at least 224 ms of speech."""


@pytest.fixture
def activity() -> VoiceActivity:
    return VoiceActivity(models.silero())


def listen(activity: VoiceActivity, sound: bytes) -> list[Window]:
    return [window for frame in pcm.frames(sound) for window in activity.feed(frame)]


def spoken(windows: list[Window]) -> int:
    return sum(window.probability >= SPEECH for window in windows)


@pytest.mark.parametrize("path", [*(clip.path for clip in HUMAN), DIGITS], ids=lambda path: path.stem)
def test_people_are_heard(activity: VoiceActivity, path: Path) -> None:
    assert spoken(listen(activity, pcm.read_wav(path))) >= ENOUGH_WINDOWS


@pytest.mark.parametrize(
    "path", [path for path in NOISE if path.stem not in VOICE_LIKE], ids=lambda path: path.stem
)
def test_noises_are_not_people(activity: VoiceActivity, path: Path) -> None:
    assert spoken(listen(activity, pcm.read_wav(path))) < ENOUGH_WINDOWS


@pytest.mark.parametrize(
    "path", [path for path in NOISE if path.stem in VOICE_LIKE], ids=lambda path: path.stem
)
def test_laughing_and_humming_pass_for_speech(activity: VoiceActivity, path: Path) -> None:
    """The known limit of the network: whoever listens to it must also read the transcript."""
    assert spoken(listen(activity, pcm.read_wav(path))) >= ENOUGH_WINDOWS


def test_his_own_local_voice_is_a_voice(activity: VoiceActivity) -> None:
    assert spoken(listen(activity, b"".join(models.voice().stream("Stop.")))) >= ENOUGH_WINDOWS


def test_without_the_runtime_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelMissing, match=r"pip install .*onnxruntime"):
        Silero()


def test_windows_follow_each_other_without_gap(activity: VoiceActivity) -> None:
    windows = listen(activity, pcm.read_wav(HUMAN[0].path))
    assert [window.start for window in windows] == [i * WINDOW_SECONDS for i in range(len(windows))]
    assert len(windows) == math.floor(pcm.seconds(pcm.read_wav(HUMAN[0].path)) / WINDOW_SECONDS)


def test_the_answer_is_at_most_one_window_and_a_frame_behind(activity: VoiceActivity) -> None:
    fed, answered = 0.0, 0.0
    for frame in pcm.frames(pcm.read_wav(HUMAN[0].path)):
        fed += pcm.FRAME_SECONDS
        for window in activity.feed(frame):
            answered = window.start + WINDOW_SECONDS
        assert fed - answered <= 0.0601


def test_speech_is_found_where_it_is(activity: VoiceActivity) -> None:
    sound = pcm.read_wav(HUMAN[0].path)
    windows = listen(activity, 50 * pcm.SILENCE + sound)
    first = next(window.start for window in windows if window.probability >= SPEECH)
    alone = next(
        window.start
        for window in listen(VoiceActivity(models.silero()), sound)
        if window.probability >= SPEECH
    )
    assert first - 1.0 == pytest.approx(alone, abs=0.1)


def test_two_streams_through_one_network_do_not_hear_each_other(activity: VoiceActivity) -> None:
    other, alone = VoiceActivity(models.silero()), VoiceActivity(models.silero())
    sound, noise = pcm.read_wav(HUMAN[1].path), pcm.read_wav(NOISE[0])
    mixed: list[Window] = []
    for frame, disturbance in zip(pcm.frames(sound), pcm.frames(noise), strict=False):
        mixed += activity.feed(frame)
        other.feed(disturbance)
    assert mixed == listen(alone, sound)[: len(mixed)]


def test_a_reset_stream_is_a_new_stream(activity: VoiceActivity) -> None:
    sound = pcm.read_wav(HUMAN[1].path)
    first = listen(activity, sound)
    activity.reset()
    assert listen(activity, sound) == first
