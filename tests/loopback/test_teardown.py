"""Nine faults on five kinds of sockets: who has closed hears nothing more, who waited hears of it once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import pytest
from loguru import logger

from actors.net.cable import Limits
from tests.loopback.elevenlabs.rig import DialogueRig, VoiceRig
from tests.loopback.openai.rig import EarRig, MindRig, OwingRig
from tests.loopback.providers import NEVER, Parting
from tests.loopback.rig import FOR_EVER, HASTY, LATE, PROSE, SOON, WAKEFUL, Rig

Fault: TypeAlias = Callable[[Rig], None]
KINDS: Final = (VoiceRig, DialogueRig, EarRig, OwingRig, MindRig)
TWELVE: Final = 12


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> type[Rig]:
    assert isinstance(request.param, type)
    return request.param


@pytest.fixture
def rig(kind: type[Rig]) -> Iterator[Rig]:
    with kind() as rig:
        yield rig


@pytest.fixture
def wakeful(kind: type[Rig]) -> Iterator[Rig]:
    """Asks more often than the house does whether anybody is there."""
    with kind(WAKEFUL) as rig:
        yield rig


@pytest.fixture
def hasty(kind: type[Rig]) -> Iterator[Rig]:
    """With less patience than the house has with a peer that does not read."""
    with kind(HASTY) as rig:
        yield rig


@pytest.fixture(autouse=True)
def logs_without_prose() -> Iterator[None]:
    """Whatever goes wrong, no log tells of it in a provider's words."""
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, diagnose=True, backtrace=True)
    yield
    logger.remove(sink)
    assert not [line for line in lines if PROSE in line or LATE in line]


# --- the nine -------------------------------------------------------------------------------------


def test_what_goes_well_is_no_failure(rig: Rig) -> None:
    for _ in range(3):
        rig.whole()
    rig.close()
    rig.rests()
    assert rig.bad_news() == []
    assert len(rig.ground.sockets) == 1


@pytest.mark.parametrize("how", ["complains", "breaks it", "ignores it"])
def test_whoever_has_closed_hears_nothing_of_what_the_server_does_about_it(rig: Rig, how: str) -> None:
    socket = rig.begin()
    partings = {
        "complains": Parting(frames=(rig.complaint(),), code=1008, reason=PROSE),
        "breaks it": Parting(abort=True),
        "ignores it": Parting(ignore=FOR_EVER),
    }
    rig.when_left(partings[how])
    rig.on_thread(lambda: None)
    before = len(rig.told.received())
    rig.close()
    rig.on_thread(lambda: None)
    if isinstance(rig, VoiceRig):
        rig.leaves()
    rig.rests()
    socket.wait_over(SOON)
    assert rig.bad_news() == []
    assert len(rig.told.received()) - before <= 1, "what was told as it was closed"


def closes(rig: Rig) -> None:
    rig.socket.close(1011, PROSE)


def breaks_off(rig: Rig) -> None:
    rig.socket.abort()


def refuses(rig: Rig) -> None:
    rig.refuse()


def talks_nonsense(rig: Rig) -> None:
    rig.socket.send_text("{")


FAULTS: Final[Mapping[Fault, str]] = {
    closes: "closed_1011",
    breaks_off: "aborted",
    refuses: "quota",
    talks_nonsense: "bad_frame",
}


@pytest.mark.parametrize(("fault", "reason"), FAULTS.items())
def test_whoever_waits_hears_of_a_fault_once(rig: Rig, fault: Fault, reason: str) -> None:
    rig.begin()
    fault(rig)
    rig.failed_once(reason)


def test_what_comes_of_something_that_was_dropped_is_dropped(rig: Rig) -> None:
    rig.dawdle()
    rig.say()
    rig.sounding()
    rig.drop()
    rig.on_thread(lambda: None)
    rig.go_on()
    assert rig.bad_news() == []


# --- beside them ----------------------------------------------------------------------------------


def test_a_line_that_is_closed_at_rest_is_dialled_again(rig: Rig) -> None:
    rig.whole()
    rig.settles(rig.held_by_server, [])
    socket = rig.socket
    expected = rig.idle_news()
    rig.idle()
    rig.rests()
    assert rig.bad_news() == expected
    rig.reopen()
    rig.whole()
    assert rig.bad_news() == expected
    assert rig.socket is not socket


def test_a_peer_that_is_gone_without_a_word_is_noticed(wakeful: Rig) -> None:
    wakeful.begin().freeze()
    wakeful.failed_once("keepalive")


def test_the_house_notices_it_within_ten_seconds() -> None:
    limits = Limits()
    assert limits.ping + limits.pong + limits.close <= 10.0


def test_a_peer_that_stops_reading_is_given_up_and_closed_at_once(hasty: Rig) -> None:
    hasty.begin().stall()
    hasty.pour()
    hasty.on_thread(lambda: None)
    hasty.failed_once("send_stalled")


def test_whoever_closes_on_a_peer_that_reads_no_more_is_gone_at_once(kind: type[Rig]) -> None:
    limits = Limits(waiting_bytes=HASTY.waiting_bytes, send=FOR_EVER, close=FOR_EVER)
    with kind(limits) as rig:
        rig.begin().stall()
        rig.pour()
        rig.on_thread(lambda: None)
        rig.close()
        rig.rests()
        assert rig.bad_news() == []


@pytest.mark.parametrize(
    ("status", "reason"), [(401, "unauthorized"), (403, "forbidden"), (429, "rate_limited")]
)
def test_a_refused_handshake_is_told_once_and_by_its_kind(rig: Rig, status: int, reason: str) -> None:
    rig.ground.refuse_next(status, {"error": {"message": PROSE}, "detail": {"message": PROSE}})
    rig.say()
    rig.failed_once(reason)


def test_whoever_closes_before_anybody_answered_hears_nothing(rig: Rig) -> None:
    rig.ground.refuse_next(NEVER)
    rig.say()
    rig.settles(lambda: len(rig.ground._refusals), 0)
    rig.close()
    rig.rests()
    assert rig.told.received() == []


def nothing_is_held(rig: Rig) -> None:
    rig.settles(rig.held_by_server, [])
    rig.settles(lambda: rig.on_thread(rig.held_by_port), [])


def interrupted_as_fast_as_it_goes(rig: Rig) -> None:
    rig.say()
    rig.drop()


def interrupted_as_soon_as_it_sounds(rig: Rig) -> None:
    rig.say()
    rig.sounding()
    rig.drop()
    rig.dropped()


@pytest.mark.parametrize("interrupt", [interrupted_as_fast_as_it_goes, interrupted_as_soon_as_it_sounds])
def test_twelve_interruptions_leave_nothing_behind(rig: Rig, interrupt: Callable[[Rig], None]) -> None:
    rig.whole()
    nothing_is_held(rig)
    before = rig.footprint()
    for _ in range(TWELVE):
        interrupt(rig)
    rig.whole()
    nothing_is_held(rig)
    rig.settles(rig.footprint, before)
    assert rig.bad_news() == []


def test_nothing_is_left_of_a_port_that_had_its_troubles(kind: type[Rig]) -> None:
    with kind() as rig:
        empty = rig.footprint()
        for fault in FAULTS:
            rig.begin()
            fault(rig)
            rig.told.expect(type(rig.lost("")), SOON)
            rig.connect_anew()
        rig.whole()
        rig.close()
        rig.rests()
        rig.settles(rig.footprint, empty)
