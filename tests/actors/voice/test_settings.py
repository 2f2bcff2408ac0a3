"""Settings that cannot work are refused with the key, the value and a remedy."""

import pytest

from actors.voice.settings import VoiceSettings


def test_a_value_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"complexity must be between 0 and 10, got 11; .+"):
        VoiceSettings(complexity=11)


def test_tries_cannot_come_closer_together_as_they_go_on() -> None:
    with pytest.raises(ValueError, match="reopen_most_seconds must be at least"):
        VoiceSettings(reopen_first_seconds=5.0, reopen_most_seconds=4.0)
