"""What the switchboard and the media process say of one call, and what is done about it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from actors.switchboard import Switchboard
from actors.voice.live.call import STATE_SECONDS
from actors.voice.live.dialling import Dialling
from actors.voice.media import mail
from actors.voice.media.close_codes import Plan
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, RoomId
from messages.voice import LinkDown, LinkFaltered, LinkUp, VoicePortEvent

ONE, TWO = Connection(1), Connection(2)
DEN, ATTIC = RoomId("10"), RoomId("11")
FALTERED = LinkFaltered(connection=ONE, reason="session_invalid")
GUILD, HIM = 5, 7


class Desk:
    """A real switchboard; the account writes down what it was asked, the timers wait for the test."""

    def __init__(self) -> None:
        self.switchboard = Switchboard()
        self.switchboard.attach(self)
        self.switchboard.ready(HIM, {DEN: GUILD, ATTIC: GUILD})
        self.asked: list[int | None] = []
        self.sent: list[mail.Order] = []
        self.told: list[VoicePortEvent] = []
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.moves = 0
        self.meanwhile: Callable[[], None] = lambda: None
        """What happens while the switchboard is asked."""
        self.dialling = Dialling(
            self.switchboard,
            VoiceSettings(),
            send=self.sent.append,
            tell=self.told.append,
            after=lambda seconds, callback: self.timers.append((seconds, callback)),
            moved=self.move,
        )

    def move(self) -> None:
        self.moves += 1

    def dial(self, guild: int, channel: int) -> None:
        assert guild == GUILD
        self.asked.append(channel)
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()

    def hang_up(self, guild: int) -> None:
        assert guild == GUILD
        self.asked.append(None)

    def answer(self, channel: int | None, known: str = "t", session: str = "s") -> None:
        self.switchboard.heard_state(GUILD, session if channel else None, channel)
        if channel is not None:
            self.switchboard.heard_server(GUILD, known, "localhost:1")

    def ring(self, seconds: float) -> None:
        """Let those timers go off that were set for so long."""
        due = [callback for wait, callback in self.timers if wait == seconds]
        self.timers = [timer for timer in self.timers if timer[0] != seconds]
        for callback in due:
            callback()

    def lose(self, plan: Plan, reason: str = "session_invalid") -> None:
        self.dialling.lost(mail.Lost(connection=ONE, plan=plan.value, reason=reason))

    def up(self) -> None:
        self.dialling.reached(ONE)
        self.dialling.up(mail.Up(connection=ONE, dave_version=1))


def opened(connection: Connection, channel: int, known: str = "t") -> list[mail.Order]:
    return [
        mail.Open(connection=connection, user=HIM, guild=GUILD, channel=channel),
        mail.VoiceState(connection=connection, session="s"),
        mail.VoiceServer(connection=connection, token=known, endpoint="localhost:1"),
    ]


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.dialling.connect(ONE, DEN)
    desk.answer(10)
    desk.up()
    return desk


def test_the_answer_to_a_call_goes_to_the_media_process(desk: Desk) -> None:
    assert desk.asked == [10]
    assert desk.sent == opened(ONE, 10)
    assert desk.told == [LinkUp(connection=ONE, encryption="dave")]


def test_credentials_that_lie_ready_are_used_without_a_call() -> None:
    desk = Desk()
    desk.switchboard.enter(DEN)
    desk.answer(10)
    desk.dialling.connect(ONE, DEN)
    assert (desk.asked, desk.sent) == ([10], opened(ONE, 10))


def test_a_line_that_was_lost_is_dialled_again_and_the_link_falters_meanwhile(desk: Desk) -> None:
    desk.lose(Plan.FRESH)
    assert desk.told[1:] == [FALTERED]
    desk.ring(0.0)
    desk.answer(None)
    desk.answer(10, known="t2")
    assert desk.asked == [10, None, 10]
    assert desk.sent[-2:] == opened(ONE, 10, "t2")[1:]
    desk.up()
    desk.up()
    assert desk.told[2:] == [LinkUp(connection=ONE, encryption="dave")]
    desk.lose(Plan.FRESH)
    desk.lose(Plan.FRESH, "dave_storm")
    assert desk.told[3:] == [FALTERED]


def test_a_link_that_never_was_up_says_each_time_what_it_lacks() -> None:
    desk = Desk()
    desk.dialling.connect(ONE, DEN)
    desk.lose(Plan.FRESH)
    desk.lose(Plan.FRESH, "udp_unreachable")
    assert desk.told == [FALTERED, LinkFaltered(connection=ONE, reason="udp_unreachable")]


def test_a_line_that_is_lost_again_and_again_is_told_at_last(desk: Desk) -> None:
    for pause in (0.0, 0.5, 1.0, 2.0, 5.0):
        desk.lose(Plan.FRESH)
        desk.ring(pause)
    desk.lose(Plan.FRESH)
    assert desk.told[1:] == [FALTERED, LinkDown(connection=ONE, reason="session_invalid", terminal=False)]


def test_an_older_loss_does_not_dial_for_a_newer_one(desk: Desk) -> None:
    desk.lose(Plan.FRESH)
    desk.lose(Plan.FRESH)
    desk.ring(0.0)
    assert desk.asked == [10]
    desk.ring(0.5)
    assert desk.asked == [10, None]


def test_a_call_that_is_overtaken_while_it_is_placed_is_not_introduced() -> None:
    desk = Desk()
    desk.meanwhile = lambda: desk.dialling.connect(TWO, ATTIC)
    desk.dialling.connect(ONE, DEN)
    opened = [order.connection for order in desk.sent if isinstance(order, mail.Open)]
    assert opened == [TWO]


def test_credentials_that_are_refused_are_renewed_once(desk: Desk) -> None:
    desk.lose(Plan.FRESH_ONCE, "authentication_failed")
    desk.ring(0.0)
    assert desk.asked == [10, None]
    desk.lose(Plan.FRESH_ONCE, "authentication_failed")
    assert desk.told[2:] == [LinkDown(connection=ONE, reason="authentication_failed", terminal=True)]


def test_credentials_that_are_refused_after_a_calm_time_are_a_new_trouble(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.voice.live.call.CALM_SECONDS", -1.0)
    for _ in range(2):
        desk.lose(Plan.FRESH_ONCE, "authentication_failed")
        desk.up()
    assert not any(isinstance(one, LinkDown) for one in desk.told)


def test_a_close_that_his_own_state_has_to_explain_waits_for_it(desk: Desk) -> None:
    desk.lose(Plan.WAIT_FOR_STATE, "disconnected")
    desk.dialling.reached(ONE)
    desk.ring(STATE_SECONDS)
    assert len(desk.told) == 1
    desk.lose(Plan.WAIT_FOR_STATE, "disconnected")
    desk.ring(STATE_SECONDS)
    assert desk.told[1:] == [LinkDown(connection=ONE, reason="disconnected", terminal=False)]


def test_a_call_that_brings_no_line_in_time_is_not_ready() -> None:
    desk = Desk()
    desk.dialling.connect(ONE, DEN)
    desk.ring(VoiceSettings().ready_seconds)
    assert desk.told == [LinkDown(connection=ONE, reason="not_ready", terminal=False)]


def test_an_account_that_goes_away_takes_the_call_with_it(desk: Desk) -> None:
    desk.switchboard.detach(desk)
    assert desk.told[1:] == [LinkDown(connection=ONE, reason="account_gone", terminal=False)]


def test_a_process_that_died_is_told_once(desk: Desk) -> None:
    desk.dialling.died()
    desk.dialling.died()
    desk.lose(Plan.FRESH)
    assert desk.told[1:] == [LinkDown(connection=ONE, reason="media_process", terminal=False)]


@pytest.mark.parametrize("server_first", [False, True])
def test_a_move_is_followed_with_what_was_said_of_the_other_room(desk: Desk, server_first: bool) -> None:
    if server_first:
        desk.switchboard.heard_server(GUILD, "t2", "localhost:1")
    desk.switchboard.heard_state(GUILD, "s", 11)
    if not server_first:
        desk.switchboard.heard_server(GUILD, "t2", "localhost:1")
    assert desk.moves == 1
    desk.dialling.disconnect(ONE)
    desk.dialling.connect(TWO, ATTIC)
    assert desk.sent[-3:] == opened(TWO, 11, "t2")
    assert desk.asked == [10]


def test_a_move_of_which_no_server_is_told_is_dialled_after_a_while(desk: Desk) -> None:
    desk.dialling.server("old", None)
    desk.switchboard.heard_state(GUILD, "s", 11)
    desk.dialling.disconnect(ONE)
    desk.dialling.connect(TWO, ATTIC)
    desk.ring(STATE_SECONDS)
    assert desk.asked == [10, None]


def told_in(desk: Desk, room: RoomId) -> list[mail.Order]:
    """What a connection to that room is told at once, but for who he is."""
    desk.dialling.disconnect(ONE)
    desk.sent.clear()
    desk.dialling.connect(TWO, room)
    return desk.sent[1:]


ONLY_STATE = [mail.VoiceState(connection=TWO, session="s2")]


def test_a_server_of_long_ago_is_not_that_of_the_other_room(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.voice.live.dialling.SAME_MOVE_SECONDS", 0.0)
    desk.dialling.state("s2", ATTIC)
    assert told_in(desk, ATTIC) == ONLY_STATE


def test_a_server_of_the_call_before_is_not_that_of_the_other_room(desk: Desk) -> None:
    desk.dialling.connect(ONE, DEN)
    desk.dialling.state("s2", ATTIC)
    assert told_in(desk, ATTIC) == ONLY_STATE


def test_a_server_from_before_he_was_put_out_is_not_that_of_the_other_room(desk: Desk) -> None:
    desk.dialling.state(None, None)
    desk.dialling.state("s2", ATTIC)
    assert told_in(desk, ATTIC) == ONLY_STATE


def test_whoever_is_moved_there_and_back_is_where_he_was(desk: Desk) -> None:
    desk.dialling.state("s2", ATTIC)
    desk.dialling.state("s2", DEN)
    desk.dialling.server("t2", "localhost:1")
    assert desk.sent[-1] == mail.VoiceServer(connection=ONE, token="t2", endpoint="localhost:1")


def test_a_move_to_a_room_that_nobody_opens_is_forgotten(desk: Desk) -> None:
    desk.switchboard.heard_state(GUILD, "s", 11)
    desk.dialling.disconnect(ONE)
    desk.dialling.close()
    desk.switchboard.heard_state(GUILD, None, None)
    assert desk.sent == opened(ONE, 10)


def test_being_put_out_makes_what_was_said_before_void(desk: Desk) -> None:
    desk.switchboard.heard_state(GUILD, None, None)
    assert desk.sent[-1] == mail.VoiceState(connection=ONE, session=None)


def test_news_of_another_connection_are_old_letters(desk: Desk) -> None:
    desk.dialling.disconnect(TWO)
    desk.dialling.disconnect(ONE)
    desk.lose(Plan.TERMINAL)
    desk.up()
    desk.dialling.unreachable("no_answer")
    desk.dialling.died()
    assert len(desk.told) == 1
