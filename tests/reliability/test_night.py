"""The shared ground of the instruments holds: he answers there, may be killed, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.audio.pcm import FRAME_BYTES, RATE
from messages.evidence import Joined
from tests.reliability import marks
from tests.reliability.night import ears, night
from tests.reliability.voices import lines, understood


def test_he_is_asked_and_killed_and_asked_again(tmp_path: Path) -> None:
    with night(tmp_path, guests=("Ada", "Ben"), consenting=1) as evening:
        ada, ben = evening.guests.values()
        for life in (1, 2):
            evening.program.start()
            evening.come()
            assert ears(evening.program.tree()) == {str(ada.id)}
            answer = evening.ask(ada)
            assert answer is not None, evening.program.logs()
            assert evening.mind.answers[answer.tone].lines == ("Clankie, what time is it?",)
            assert {one.listener for one in evening.heard if one.tone == answer.tone} == {"Ada", "Ben"}
            assert {*evening.program.processes().values()} == {"house", "media"}
            assert evening.program.figures().descriptors > 10
            assert evening.program.order("GET", "/status")[0] == 200
            assert len(evening.record.all(Joined)) == life
            assert evening.program.kill() == {}
        assert not evening.program.alive
        assert evening.open_sounds() == 0
        assert all(one.sealed for one in evening.heard)
        assert not ben.saying


@pytest.mark.parametrize("name", sorted(lines()))
def test_a_line_is_understood_whole_although_it_went_through_opus(name: str) -> None:
    line, decoder = lines()[name], OpusDecoder()
    pcm = b"".join(map(decoder.decode, line.packets))
    decoder.close()
    assert understood(bytes(9_000) + pcm + bytes(7_000)) == line.text
    assert understood(pcm + bytes(9_600) + pcm) == f"{line.text} {line.text}"
    half = understood(pcm[: len(pcm) // 2])
    assert half == "" or line.text.startswith(half)


def test_nobody_is_understood_who_says_nothing() -> None:
    assert understood(bytes(96_000)) == ""
    assert understood(b"") == ""


@pytest.mark.parametrize("number", [0, 7, 99, 123, 898, 999])
def test_a_number_is_heard_although_it_went_through_opus(number: int) -> None:
    sound, encoder, decoder = marks.chord(number, RATE // 2), OpusEncoder(), OpusDecoder()
    packets = [sound[at : at + FRAME_BYTES] for at in range(0, len(sound), FRAME_BYTES)]
    heard = [marks.read_chord(decoder.decode(encoder.encode(packet))) for packet in packets]
    encoder.close()
    decoder.close()
    assert {*heard} <= {number, None}
    assert heard.count(number) >= len(heard) - 2
