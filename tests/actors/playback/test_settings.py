"""Settings that cannot work are refused with the key, the value and a remedy."""

import pytest

from actors.playback.settings import PlaybackSettings


@pytest.mark.parametrize("wrong", [{"ahead_seconds": 0.0}, {"on_overlap": "shout"}])
def test_settings_that_cannot_work_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must be"):
        PlaybackSettings(**wrong)  # type: ignore[arg-type]
