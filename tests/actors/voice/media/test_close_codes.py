"""What every close code means, for the operator and for the next line."""

import re

import pytest

from actors.voice.media.close_codes import LOST, TABLE, UNKNOWN, Plan, verdict
from tests.actors.voice.media.line import in_a_group, lost, others, up


@pytest.mark.parametrize("code", [None, 1000, 1001, 1006, 1011, 4000, 4015])
def test_a_broken_connection_is_resumed(code: int | None) -> None:
    assert verdict(code).plan is Plan.RESUME


@pytest.mark.parametrize("code", [4006, 4008, 4009, 4099, 5000])
def test_a_session_that_is_over_begins_anew(code: int) -> None:
    assert verdict(code).plan is Plan.FRESH


@pytest.mark.parametrize("code", [4004, 4011])
def test_new_credentials_are_tried_once(code: int) -> None:
    assert verdict(code).plan is Plan.FRESH_ONCE


@pytest.mark.parametrize("code", [4014, 4022])
def test_his_own_voice_state_explains_a_disconnection(code: int) -> None:
    assert verdict(code).plan is Plan.WAIT_FOR_STATE


@pytest.mark.parametrize("code", [4001, 4002, 4003, 4005, 4012, 4016, 4017, 4020, 4021])
def test_what_trying_again_cannot_change_is_terminal(code: int) -> None:
    assert verdict(code).plan is Plan.TERMINAL


def test_every_reason_is_a_bounded_code_with_a_sentence_that_helps() -> None:
    for found in (*TABLE.values(), LOST, UNKNOWN):
        assert re.fullmatch(r"[a-z_]{4,30}", found.reason)
        assert re.fullmatch(r"[A-Z].*\.", found.remedy)


@pytest.mark.parametrize("code", [*sorted(TABLE), None, 1001, 4099])
def test_a_line_that_is_up_does_what_its_close_code_says(code: int | None) -> None:
    line, found = in_a_group(), verdict(code)
    acts = line.closed(code)
    if found.plan is Plan.RESUME:
        assert [type(act).__name__ for act in others(acts)] == ["Connect"]
        assert line.link.phase == "resuming"
    else:
        assert lost(acts) == (code, found.plan, found.reason)
        assert [type(act).__name__ for act in acts] == ["Lost"]
        assert line.link.phase == "closed"


def test_a_second_normal_close_is_not_resumed() -> None:
    line = up()
    line.closed(1000)
    line.connected()
    line.op(9, None)
    line.wait(1.0)
    assert lost(line.closed(1000)) == (1000, Plan.FRESH, "closed_normally")
