"""The rules by which a link comes up, is lost, is tried again and is given up."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from actors.voice.core import step, stopped
from actors.voice.decisions import (
    Connect,
    Decision,
    Disconnect,
    Listen,
    Record,
    Sound,
    TellPlayback,
    TellStay,
    Wake,
)
from actors.voice.settings import VoiceSettings
from actors.voice.speech import MOST_HELD
from actors.voice.state import Phase, State
from messages.audio import FRAME_SAMPLES
from messages.evidence import Failed
from messages.ids import CaptureId, Connection, PersonId, RoomId, StayId, UtteranceId
from messages.stay import LinkClosed, LinkDegraded, LinkGone, LinkReady
from messages.voice import (
    CloseLink,
    CloseMicrophone,
    CutSound,
    EndSound,
    LinkDown,
    LinkFaltered,
    LinkShut,
    LinkUp,
    MicrophoneCount,
    OpenLink,
    OpenMicrophone,
    PlaySound,
    ReadyOverdue,
    ReopenDue,
    SetGain,
    ShutOverdue,
    SoundCut,
    SoundDrained,
    SoundFailed,
    SoundStarted,
    VoiceMessage,
)
from tests.actors.voice.fake import FrameList

DEN = RoomId("den")
STAY = StayId("s1")
ONE, TWO = Connection(1), Connection(2)
U = UtteranceId("u1")
ANNA = OpenMicrophone(person=PersonId("anna"), capture=CaptureId("c1"), sink=FrameList())
BERT = OpenMicrophone(person=PersonId("bert"), capture=CaptureId("c2"), sink=FrameList())
START = State(settings=VoiceSettings(), stay=STAY)
UP = LinkUp(connection=ONE, encryption="local")
DOWN = LinkDown(connection=ONE, reason="reset", terminal=False)
PLAY = PlaySound(utterance=U, pcm=b"\1\0" * FRAME_SAMPLES)
GONE_RECORD = Record(receipt=Failed(stay_id=STAY, stage="voice_link", reason="media_lost"))


def after(
    *events: VoiceMessage, state: State = START, now: float = 0.0
) -> tuple[State, tuple[Decision, ...]]:
    decisions: tuple[Decision, ...] = ()
    for event in events:
        state, decisions = step(state, event, now)
    return state, decisions


def up(*events: VoiceMessage) -> tuple[State, tuple[Decision, ...]]:
    return after(OpenLink(room=DEN), UP, *events)


def test_an_order_to_open_connects_and_watches_the_time() -> None:
    state, decisions = after(OpenLink(room=DEN))
    assert state.phase is Phase.CONNECTING
    assert decisions == (
        Connect(connection=ONE, room=DEN),
        Wake(seconds=30.0, message=ReadyOverdue(token=1)),
    )


def test_a_link_that_is_up_is_ready_and_stops_watching() -> None:
    state, decisions = up()
    assert decisions == (TellStay(message=LinkReady(encryption="local")),)
    assert step(state, ReadyOverdue(token=1), 30.0)[1] == ()
    assert step(state, UP, 30.0) == (state, ())


def test_a_link_that_never_comes_up_is_not_ready() -> None:
    state, _ = after(OpenLink(room=DEN))
    state, decisions = step(state, ReadyOverdue(token=1), 30.0)
    assert state.phase is Phase.GONE
    assert decisions == (
        Disconnect(connection=ONE),
        TellStay(message=LinkGone(reason="not_ready")),
        Record(receipt=Failed(stay_id=STAY, stage="voice_link", reason="not_ready")),
    )


@pytest.mark.parametrize("event", [LinkFaltered, partial(LinkDown, terminal=False)])
def test_a_link_that_never_comes_up_says_what_kept_it_down(event: Callable[..., VoiceMessage]) -> None:
    trouble = event(connection=ONE, reason="udp_unreachable")
    state, _ = after(OpenLink(room=DEN), trouble)
    state, _ = after(ReopenDue(token=state.token), state=state, now=1.0)
    state, decisions = after(ReadyOverdue(token=state.token), state=state, now=30.0)
    assert TellStay(message=LinkGone(reason="udp_unreachable")) in decisions
    state, _ = after(OpenLink(room=DEN), state=state, now=40.0)
    _, decisions = after(ReadyOverdue(token=state.token), state=state, now=70.0)
    assert TellStay(message=LinkGone(reason="not_ready")) in decisions


def test_a_link_that_breaks_before_it_was_up_is_tried_again_without_being_called_degraded() -> None:
    state, decisions = after(OpenLink(room=DEN), DOWN)
    assert decisions == (
        Disconnect(connection=ONE),
        Wake(seconds=1.0, message=ReopenDue(token=2)),
    )
    assert step(state, ReopenDue(token=2), 1.0)[1] == (
        Connect(connection=TWO, room=DEN),
        Wake(seconds=29.0, message=ReadyOverdue(token=3)),
    )


def test_a_terminal_break_is_the_end_with_its_own_reason() -> None:
    _, decisions = up(LinkDown(connection=ONE, reason="dave_required", terminal=True))
    assert TellStay(message=LinkGone(reason="dave_required")) in decisions


def test_a_lost_link_is_degraded_and_comes_back_with_its_microphones() -> None:
    state, decisions = up(ANNA, DOWN)
    assert TellStay(message=LinkDegraded(reason="reset")) in decisions
    state, decisions = step(state, ReopenDue(token=state.token), 1.0)
    assert Listen(microphone=ANNA, open=True) in decisions
    _, decisions = step(state, LinkUp(connection=TWO, encryption="local"), 1.5)
    assert decisions == (TellStay(message=LinkReady(encryption="local")),)


FALTERED = LinkFaltered(connection=ONE, reason="session_invalid")
DEGRADED = TellStay(message=LinkDegraded(reason="session_invalid"))


def test_a_link_that_falters_is_degraded_until_it_is_up_again_and_keeps_what_he_says() -> None:
    state, decisions = up(PLAY, FALTERED)
    assert decisions == (DEGRADED,)
    assert (state.phase, state.speaking, state.faltering) == (Phase.UP, U, "session_invalid")
    assert after(FALTERED, state=state) == (state, ())
    again, decisions = after(UP, state=state)
    assert decisions == (TellStay(message=LinkReady(encryption="local")),)
    assert (again.phase, again.faltering) == (Phase.UP, "")
    assert after(UP, state=again) == (again, ())


def test_a_link_that_falters_and_breaks_is_degraded_once_and_has_its_two_minutes_from_the_beginning() -> None:
    state, _ = up(FALTERED)
    state, decisions = after(DOWN, state=state, now=8.0)
    assert decisions == (Disconnect(connection=ONE), Wake(seconds=1.0, message=ReopenDue(token=state.token)))
    assert (state.give_up_at, state.faltering) == (120.0, "")


def test_a_link_that_is_not_up_is_not_called_degraded_when_it_falters() -> None:
    state, decisions = after(OpenLink(room=DEN), FALTERED)
    assert (state.phase, state.faltering, decisions) == (Phase.CONNECTING, "", ())


def test_tries_come_after_one_second_doubling_to_sixteen_and_end_after_two_minutes() -> None:
    state, decisions = up(DOWN)
    now, pauses = 0.0, list[float]()
    while state.phase is Phase.WAITING:
        wake = decisions[-1]
        assert isinstance(wake, Wake)
        pauses.append(wake.seconds)
        now += wake.seconds
        state, decisions = step(state, wake.message, now)
        if state.phase is Phase.CONNECTING:
            down = LinkDown(connection=state.connection, reason="refused", terminal=False)
            state, decisions = step(state, down, now)
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 9.0]
    assert now == 120.0
    assert decisions == (TellStay(message=LinkGone(reason="media_lost")), GONE_RECORD)


def test_a_try_that_hangs_at_the_very_end_is_the_end() -> None:
    state, _ = up(DOWN)
    state, decisions = step(state, ReopenDue(token=state.token), 110.0)
    assert decisions[-1] == Wake(seconds=10.0, message=ReadyOverdue(token=state.token))
    _, decisions = step(state, ReadyOverdue(token=state.token), 120.0)
    assert decisions == (
        Disconnect(connection=TWO),
        TellStay(message=LinkGone(reason="media_lost")),
        GONE_RECORD,
    )


def test_speech_that_a_lost_link_swallowed_has_failed() -> None:
    _, decisions = up(PLAY, DOWN)
    failed = SoundFailed(connection=ONE, utterance=U, frames=0, reason="reset")
    assert TellPlayback(message=failed) in decisions


def test_a_lost_link_swallows_only_speech_of_which_there_was_sound() -> None:
    _, decisions = up(EndSound(utterance=U), DOWN)
    assert not any(isinstance(decision, TellPlayback) for decision in decisions)


def test_speech_given_when_no_link_will_come_fails_once() -> None:
    state, decisions = up(LinkDown(connection=ONE, reason="4017", terminal=True), PLAY)
    failed = SoundFailed(connection=ONE, utterance=U, frames=0, reason="link_down")
    assert decisions == (TellPlayback(message=failed),)
    assert step(state, EndSound(utterance=U), 0.0)[1] == ()


def test_speech_given_to_a_room_that_has_just_opened_goes_out_when_its_link_is_up() -> None:
    state, decisions = after(PLAY, OpenLink(room=DEN), EndSound(utterance=U))
    assert not any(isinstance(decision, TellPlayback) for decision in decisions)
    assert step(state, UP, 0.2)[1] == (
        TellStay(message=LinkReady(encryption="local")),
        Sound(connection=ONE, order=PLAY),
        Sound(connection=ONE, order=EndSound(utterance=U)),
    )


def test_speech_given_to_a_room_that_is_closed_before_it_had_a_link_fails_once() -> None:
    _, decisions = after(PLAY, CloseLink())
    failed = SoundFailed(connection=Connection(0), utterance=U, frames=0, reason="link_closed")
    assert decisions == (TellPlayback(message=failed), TellStay(message=LinkClosed(counts=())))


def test_speech_given_while_the_link_is_away_goes_out_in_order_when_it_is_back() -> None:
    state, decisions = up(DOWN, PLAY, SetGain(utterance=U, decibels=0, seconds=1))
    assert decisions == ()
    state, _ = step(state, ReopenDue(token=state.token), 1.0)
    state, decisions = step(state, EndSound(utterance=U), 1.1)
    assert decisions == ()
    state, decisions = step(state, LinkUp(connection=TWO, encryption="dave"), 1.2)
    assert decisions == (
        TellStay(message=LinkReady(encryption="dave")),
        Sound(connection=TWO, order=PLAY),
        Sound(connection=TWO, order=SetGain(utterance=U, decibels=0, seconds=1)),
        Sound(connection=TWO, order=EndSound(utterance=U)),
    )
    assert state.speaking == U
    assert state.held == ()


def test_speech_waits_over_every_try_and_fails_with_the_last() -> None:
    state, _ = up(DOWN, PLAY)
    state, _ = step(state, ReopenDue(token=state.token), 1.0)
    state, decisions = step(state, LinkDown(connection=TWO, reason="reset", terminal=False), 1.1)
    assert decisions == (
        Disconnect(connection=TWO),
        Wake(seconds=2.0, message=ReopenDue(token=state.token)),
    )
    assert state.held == (PLAY,)
    _, decisions = step(state, ReopenDue(token=state.token), 200.0)
    failed = SoundFailed(connection=TWO, utterance=U, frames=0, reason="media_lost")
    assert decisions[:2] == (TellPlayback(message=failed), TellStay(message=LinkGone(reason="media_lost")))


def test_speech_that_waits_for_the_link_is_cut_like_any_other() -> None:
    state, _ = up(DOWN, PLAY, EndSound(utterance=U))
    state, decisions = step(state, CutSound(utterance=U), 7.0)
    cut = SoundCut(connection=ONE, utterance=U, frames=0, dropped=1, at=7.0)
    assert decisions == (TellPlayback(message=cut),)
    assert (state.speaking, state.held) == (None, ())


def test_no_more_speech_waits_for_the_link_than_playback_gives_ahead() -> None:
    state, decisions = up(DOWN, *[PLAY] * MOST_HELD)
    assert decisions == ()
    state, decisions = step(state, PLAY, 0.0)
    failed = SoundFailed(connection=ONE, utterance=U, frames=0, reason="link_down")
    assert decisions == (TellPlayback(message=failed),)
    assert state.held == ()


def test_speech_that_waits_for_the_link_fails_when_the_link_is_closed() -> None:
    state, decisions = up(DOWN, PLAY, CloseLink())
    failed = SoundFailed(connection=ONE, utterance=U, frames=0, reason="link_closed")
    assert decisions[:2] == (TellPlayback(message=failed), Disconnect(connection=ONE))
    assert state.held == ()


def test_orders_about_sound_go_to_the_connection_that_is_up() -> None:
    for order in (
        PLAY,
        EndSound(utterance=U),
        CutSound(utterance=U),
        SetGain(utterance=U, decibels=0, seconds=1),
    ):
        assert up(order)[1] == (Sound(connection=ONE, order=order),)


def test_news_of_sound_goes_to_playback() -> None:
    started = SoundStarted(connection=ONE, utterance=U, at=1.0)
    state, decisions = up(PLAY, started)
    assert decisions == (TellPlayback(message=started),)
    assert state.speaking == U
    state, _ = step(state, SoundDrained(connection=ONE, utterance=U, frames=5), 1.0)
    assert state.speaking is None


def test_news_of_another_connection_is_an_old_letter() -> None:
    state, decisions = up(LinkDown(connection=TWO, reason="reset", terminal=True))
    assert (state.phase, decisions, state.old_letters) == (Phase.UP, (), 1)


def test_a_second_break_of_the_same_connection_changes_nothing() -> None:
    state, _ = up(DOWN)
    assert step(state, DOWN, 0.5) == (state, ())


def test_a_person_who_is_closed_is_heard_no_longer() -> None:
    state, decisions = up(ANNA, BERT, CloseMicrophone(person=ANNA.person))
    assert decisions == (Listen(microphone=ANNA, open=False),)
    assert state.microphones == (BERT,)


def test_closing_shuts_every_microphone_and_then_tells_what_all_connections_came_to() -> None:
    first = LinkShut(connection=ONE, counts=(MicrophoneCount(person=ANNA.person, decoded=3, unread=1),))
    state, _ = up(ANNA, DOWN, first)
    state, _ = step(state, ReopenDue(token=state.token), 1.0)
    state, decisions = step(state, CloseLink(), 2.0)
    assert decisions == (
        Listen(microphone=ANNA, open=False),
        Disconnect(connection=TWO),
        Wake(seconds=1.0, message=ShutOverdue(token=state.token)),
    )
    assert step(state, CloseLink(), 2.0) == (state, ())
    total = (
        MicrophoneCount(person=ANNA.person, decoded=5, unread=1),
        MicrophoneCount(person=BERT.person, decoded=0, unread=9),
    )
    state, decisions = step(state, LinkShut(connection=TWO, counts=total), 2.1)
    assert decisions == (TellStay(message=LinkClosed(counts=total)),)
    assert step(state, OpenLink(room=DEN), 3.0) == (state, ())


def test_a_link_whose_port_says_nothing_is_closed_all_the_same() -> None:
    state, _ = up(CloseLink())
    _, decisions = step(state, ShutOverdue(token=state.token), 1.0)
    assert decisions == (TellStay(message=LinkClosed(counts=())),)


def test_a_link_that_closes_while_it_is_down_waits_for_the_counts_of_what_came_before() -> None:
    state, decisions = up(DOWN, CloseLink())
    assert decisions == (
        Disconnect(connection=ONE),
        Wake(seconds=1.0, message=ShutOverdue(token=state.token)),
    )
    counts = (MicrophoneCount(person=ANNA.person, decoded=2, unread=0),)
    _, decisions = step(state, LinkShut(connection=ONE, counts=counts), 0.1)
    assert decisions == (TellStay(message=LinkClosed(counts=counts)),)


def test_what_came_late_of_speech_that_has_failed_is_not_played_on_the_next_connection() -> None:
    state, _ = up(PLAY, DOWN)
    state, _ = step(state, ReopenDue(token=state.token), 1.0)
    state, _ = step(state, LinkUp(connection=TWO, encryption="local"), 1.1)
    assert step(state, PLAY, 1.2) == (state, ())


def test_a_link_that_was_never_opened_closes_at_once() -> None:
    assert after(CloseLink())[1] == (TellStay(message=LinkClosed(counts=())),)


def test_an_order_to_open_another_room_lets_go_of_the_first() -> None:
    _, decisions = up(OpenLink(room=RoomId("attic")))
    assert decisions[:2] == (Disconnect(connection=ONE), Connect(connection=TWO, room=RoomId("attic")))


def test_a_link_that_is_stopped_still_owes_the_stay_its_counts() -> None:
    unread = (MicrophoneCount(person=ANNA.person, decoded=0, unread=3),)
    assert stopped(START, unread) == (TellStay(message=LinkClosed(counts=unread)),)
    assert stopped(replace(START, phase=Phase.CLOSED), unread) == ()
