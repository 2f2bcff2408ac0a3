"""What a provider may do on any day: end a line in its own way, say what nobody knows, be slow, be full."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from tests.loopback.elevenlabs.rig import DialogueRig, VoiceRig
from tests.loopback.openai.rig import EarRig, MindRig, OwingRig
from tests.loopback.openai.session import Session
from tests.loopback.rig import LATE, PROSE, Rig

KINDS: Final = (VoiceRig, DialogueRig, EarRig, OwingRig, MindRig)
VOICES: Final = (VoiceRig, DialogueRig)
OPENAIS: Final = (EarRig, OwingRig, MindRig)


def standing(*kinds: type[Rig]) -> pytest.MarkDecorator:
    """Have the test done with each of these kinds of sockets."""
    return pytest.mark.parametrize("rig", kinds, indirect=True, ids=lambda kind: kind.__name__)


@pytest.fixture
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    with request.param() as rig:
        yield rig


# --- ends -------------------------------------------------------------------------------------------


@standing(*KINDS)
@pytest.mark.parametrize("code", [1000, 1001, 1008, 4000])
def test_a_line_that_ends_with_any_code_while_somebody_waits_is_one_loss(rig: Rig, code: int) -> None:
    rig.begin().close(code, PROSE)
    rig.failed_once(reason_of(rig, code))


def reason_of(rig: Rig, code: int) -> str:
    """Only to a mind does it matter whether it was the end of its hour."""
    if code == 1001 and isinstance(rig, MindRig):
        return "session_expired"
    return "closed" if code == 1000 else f"closed_{code}"


@standing(*OPENAIS)
@pytest.mark.parametrize("says_so", [True, False])
def test_a_session_that_expires_is_one_loss_whether_or_not_it_says_so(rig: Rig, says_so: bool) -> None:
    session = rig.begin()
    assert isinstance(session, Session)
    session.habits.expiry_says_so = says_so
    session.expire()
    rig.failed_once("session_expired" if says_so else reason_of(rig, 1001))


# --- frames -----------------------------------------------------------------------------------------


@standing(*KINDS)
def test_what_nobody_knows_is_passed_over(rig: Rig) -> None:
    rig.whole()
    socket = rig.socket
    frame = {"type": "response.brand_new", "brandNew": LATE, "item_id": "item_never_heard_of"}
    socket.send(frame)
    socket.send_binary(json.dumps(frame).encode())
    rig.whole()
    assert rig.socket is socket
    assert rig.bad_news() == []


@standing(*KINDS)
@pytest.mark.parametrize("frame", [b"\xff\xfe", b"[1, 2]", b"null"])
def test_what_is_no_frame_is_the_end_of_the_line(rig: Rig, frame: bytes) -> None:
    rig.begin().send_binary(frame)
    rig.failed_once("bad_frame")


@standing(*VOICES)
def test_the_end_of_a_context_that_nobody_opened_ends_nothing(rig: VoiceRig) -> None:
    rig.begin()
    rig.session.send_final("c-never-heard-of")
    rig.drop()
    rig.whole()
    assert rig.bad_news() == []


# --- slowness, and what is used up -------------------------------------------------------------------


def slow_to_answer(rig: Rig) -> None:
    if isinstance(rig, VoiceRig):
        rig.server.manners.first_chunk_seconds = 0.1
    if isinstance(rig, EarRig | MindRig):
        rig.server.habits.lag = 0.05


@standing(*KINDS)
def test_a_slow_provider_is_waited_for(rig: Rig) -> None:
    slow_to_answer(rig)
    rig.whole()
    rig.whole()
    assert rig.bad_news() == []


@standing(*VOICES)
def test_sound_without_the_times_of_its_letters_is_sound(rig: VoiceRig) -> None:
    rig.server.manners.alignments = False
    rig.whole()
    assert rig.bad_news() == []


def spent(rig: VoiceRig) -> None:
    rig.server.manners.character_limit = 1


def full(rig: VoiceRig) -> None:
    rig.server.manners.most_at_once = 0


def restricted(rig: VoiceRig) -> None:
    rig.server.manners.forbidden_formats = {"pcm_24000"}


@standing(*VOICES)
@pytest.mark.parametrize(
    ("limited", "reason"), [(spent, "quota"), (full, "rate_limited"), (restricted, "forbidden")]
)
def test_what_the_plan_does_not_have_is_one_loss_with_its_reason(
    rig: VoiceRig, limited: Callable[[VoiceRig], None], reason: str
) -> None:
    limited(rig)
    rig.say()
    rig.failed_once(reason)
