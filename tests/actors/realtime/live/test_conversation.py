"""The port between the core and its line: in order, quiet when it is told to be, and late about nothing."""

import pytest

from actors.net.line import EndedBy
from actors.net.service import Service
from actors.realtime.items import Heard
from actors.realtime.live.conversation import LiveConversation, renewal
from actors.realtime.settings import RealtimeSettings
from messages.ids import Connection
from messages.realtime import ConversationLost, RealtimePortEvent, ResponseText
from tests.actors.net.by_hand import HandDial, HandLine, HandLoop
from tests.actors.realtime.live.dialogue import ONE, R1, SEED, brief, ended, kinds, line

TWO = Connection(2)
WALL = 1_000_000.0


class Room:
    """A port, its thread and its lines by hand, and what it told the core."""

    def __init__(self, settings: RealtimeSettings | None = None) -> None:
        self.loop, self.dial = HandLoop(), HandDial()
        self.told: list[RealtimePortEvent] = []
        service = Service(base_url="https://api.example.com/v1", key="sk-secret")
        self.port = LiveConversation(
            self.loop,
            self.dial,
            service,
            settings or RealtimeSettings(),
            wall=lambda: WALL + self.loop.now(),
        )
        self.port.open(self.told.append)

    @property
    def line(self) -> HandLine[object]:
        return self.dial.last

    def connect(self, connection: Connection = ONE) -> None:
        self.port.connect(connection, SEED)

    def ask(self) -> None:
        self.port.respond(ONE, R1, brief())

    def begin(self) -> None:
        self.line.come(
            type="response.created",
            response={"id": "r1", "status": "in_progress", "metadata": {"turn": "t1"}},
        )

    def say(self, text: str) -> None:
        self.line.come(type="response.output_text.delta", response_id="r1", item_id="a1", delta=text)

    def finish(self) -> None:
        self.line.come(type="response.done", response={"id": "r1", "status": "completed"})

    def created(self, seconds_left: float) -> None:
        expires = WALL + self.loop.now() + seconds_left
        self.line.come(type="session.created", session={"expires_at": expires})


def lost(reason: str, connection: Connection = ONE) -> RealtimePortEvent:
    return ConversationLost(connection=connection, reason=reason)


def test_it_dials_the_model_with_its_key_and_shows_the_key_to_nobody() -> None:
    room = Room()
    room.connect()
    target = room.line.target
    assert target.url == "wss://api.example.com/v1/realtime?model=gpt-realtime-2.1"
    assert target.headers == {"Authorization": "Bearer sk-secret"}
    assert "sk-secret" not in f"{target!r} {room.port.describe()}"
    other = Room(RealtimeSettings(model="another"))
    other.connect()
    assert other.line.target.url.endswith("model=another")
    assert "another" in other.port.describe()


def test_what_is_said_before_the_line_stands_is_kept_in_order() -> None:
    room = Room()
    room.connect()
    room.port.add(ONE, Heard(line=line("Hello")))
    room.ask()
    room.line.open()
    assert kinds(room.line.take()) == ["session.update", "system", "user", "response.create"]


def test_an_answer_travels_to_the_core() -> None:
    room = Room()
    room.connect()
    room.line.open()
    room.ask()
    room.begin()
    room.say("Hello.")
    room.finish()
    assert room.told == [ResponseText(connection=ONE, response=R1, text="Hello."), ended()]


def test_a_cancelled_answer_is_cancelled_there_too() -> None:
    room = Room()
    room.connect()
    room.ask()
    room.begin()
    room.line.take()
    room.port.cancel(ONE, R1)
    assert kinds(room.line.take()) == ["response.cancel"]


def test_orders_for_another_conversation_change_nothing() -> None:
    room = Room()
    room.port.add(ONE, Heard(line=line("early")))
    room.port.disconnect(ONE)
    room.connect()
    room.line.take()
    room.port.add(TWO, Heard(line=line("late")))
    room.port.respond(TWO, R1, brief())
    room.port.disconnect(TWO)
    assert room.line.take() == []
    assert not room.line.closed


def test_a_conversation_that_is_ended_is_not_lost() -> None:
    room = Room()
    room.connect()
    room.ask()
    room.port.disconnect(ONE)
    assert room.line.closed
    room.line.come(type="error", error={"code": "insufficient_quota"})
    room.line.end("closed_1008", 1008)
    assert room.told == []


def test_a_new_conversation_hangs_up_the_old_one() -> None:
    room = Room()
    room.connect()
    old = room.line
    room.connect(TWO)
    assert old.closed
    old.end("aborted")
    room.line.end("aborted")
    assert room.told == [lost("aborted", TWO)]


@pytest.mark.parametrize(
    ("reason", "code", "by", "expected"),
    [
        ("closed_1011", 1011, EndedBy.PEER, "closed_1011"),
        ("closed_1001", 1001, EndedBy.PEER, "session_expired"),
        ("aborted", None, EndedBy.PEER, "aborted"),
        ("keepalive", None, EndedBy.FAULT, "keepalive"),
        ("bad_frame", None, EndedBy.FAULT, "bad_frame"),
        ("quota", None, EndedBy.PEER, "quota"),
        ("unauthorized", None, EndedBy.PEER, "unauthorized"),
        ("unreachable", None, EndedBy.FAULT, "unreachable"),
    ],
)
def test_a_line_that_ends_by_itself_is_told_once(
    reason: str, code: int | None, by: EndedBy, expected: str
) -> None:
    room = Room()
    room.connect()
    room.ask()
    room.line.end(reason, code, by)
    room.port.cancel(ONE, R1)
    room.ask()
    assert room.told == [lost(expected)]


def test_a_complaint_that_ends_the_conversation_ends_the_line_and_is_told_once() -> None:
    room = Room()
    room.connect()
    room.ask()
    room.begin()
    room.line.come(type="error", error={"code": "insufficient_quota", "message": "Prose."})
    assert room.line.closed
    room.line.end("closed_1008", 1008)
    assert room.told == [lost("quota")]


def test_after_it_is_closed_it_says_nothing_and_dials_nobody() -> None:
    room = Room()
    room.connect()
    room.ask()
    room.port.close()
    assert room.line.closed
    room.line.end("aborted")
    room.connect(TWO)
    room.port.close()
    assert (len(room.dial.lines), room.told) == (1, [])


def test_the_next_conversation_begins_where_one_was_lost() -> None:
    room = Room()
    room.connect()
    room.line.end("aborted")
    room.connect(TWO)
    room.port.respond(TWO, R1, brief())
    assert kinds(room.line.take()) == ["session.update", "system", "response.create"]


# --- a session's limit


def test_a_session_is_given_up_in_good_time_while_nobody_waits() -> None:
    room = Room()
    room.connect()
    room.created(1800)
    room.created(1800)
    room.loop.clock.advance(1499)
    assert room.told == []
    room.loop.clock.advance(2)
    assert (room.told, room.line.closed) == ([lost("session_expired")], True)


def test_a_session_is_given_up_right_after_the_answer_that_it_owes() -> None:
    room = Room()
    room.connect()
    room.created(1800)
    room.ask()
    room.begin()
    room.loop.clock.advance(1501)
    assert room.told == []
    room.finish()
    assert room.told == [ended(), lost("session_expired")]


def test_a_session_that_was_hung_up_does_not_expire() -> None:
    room = Room()
    room.connect()
    room.created(1800)
    room.port.disconnect(ONE)
    room.loop.clock.advance(3600)
    assert room.told == []


def test_a_session_that_is_over_as_it_begins_is_left_to_the_provider() -> None:
    room = Room()
    room.connect()
    room.created(-3600)
    room.loop.clock.advance(3600)
    assert room.told == []
    room.line.end("closed_1001", 1001)
    assert room.told == [lost("session_expired")]


@pytest.mark.parametrize(
    ("left", "early", "expected"),
    [(3600, 300, 3300), (601, 300, 301), (600, 300, 300), (60, 300, 30), (0, 300, None), (-1, 300, None)],
)
def test_a_session_is_given_up_early_but_not_before_half_of_it_is_used(
    left: float, early: float, expected: float | None
) -> None:
    assert renewal(left, early) == expected
