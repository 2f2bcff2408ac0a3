"""A whole house that is told at its window what to do, and does it: everybody is real but the window."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from actors.clock import SystemClock
from actors.console.wire_views import StatusView, WordsView, parse_view
from actors.local_room import LocalRoom
from messages import console as ask
from messages.console import Order, OrderAnswer, OrderGiven, OrderResult
from messages.evidence import Consent, Left, Watch
from messages.ids import OrderId, PersonId, RoomId, StayId, new_id
from messages.lifecycle import CloseHouse
from messages.people import Person
from supervisors.doors import Exit
from supervisors.house import House
from supervisors.settings import load
from tests.actors.console.fake import FakeServer
from tests.probe import Probe
from tests.supervisors.test_whole_house import ANNA, Scene, ports

DONE, REFUSED, GONE = OrderResult.DONE, OrderResult.REFUSED, OrderResult.GONE
SECONDS = 8.0


class Window(FakeServer):
    """What the house shows at its window, to be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.views = Probe[object]()

    def publish(self, view: object, body: str) -> None:
        """Keep what it is."""
        self.views.tell(parse_view(body))


@dataclass(kw_only=True)
class Post(Scene):
    """The scene with a window at which orders are given."""

    window: Window = field(default_factory=Window)

    def order(self, wanted: Order) -> OrderAnswer:
        """What came of it."""
        answered = Probe[OrderAnswer]()
        assert self.window.told is not None
        self.window.told(OrderGiven(id=OrderId(new_id()), order=wanted, answer=answered.tell))
        return answered.expect(OrderAnswer, SECONDS)

    def ended(self, wanted: Order) -> tuple[OrderResult, str]:
        """The same in short."""
        answer = self.order(wanted)
        return answer.result, answer.code

    def watch(self, words: int) -> None:
        assert self.window.told is not None
        self.window.told(ask.ViewersChanged(viewers=1, wanting_words=words))

    def status(self) -> StatusView:
        return self.window.views.expect(StatusView, SECONDS)


@contextmanager
def open_house(folder: Path) -> Generator[Post]:
    """A house with Anna in its room, and him not in it yet."""
    room, clock, window = LocalRoom(RoomId("den")), SystemClock(), Window()
    room.arrive(Person(id=ANNA, label="Anna"))
    kit = replace(ports(folder, room, clock, Probe[str]()), console=lambda: window)
    with House(load(None, {}), kit, clock, home=room.id) as house:
        post = Post(house=house, room=room, window=window)
        house.evidence.tell(Watch(watcher=post.told, may_see_words=False))
        yield post


def test_he_comes_speaks_is_silent_and_goes_as_the_operator_orders(tmp_path: Path) -> None:
    with open_house(tmp_path) as post:
        post.watch(words=1)
        assert post.ended(ask.InterruptOrdered()) == (GONE, "no_stay")
        joined = post.order(ask.JoinOrdered())
        assert (joined.result, joined.facts["room"]) == (DONE, "den")
        post.room.consent(ANNA, True)
        post.expect(Consent, lambda one: one.phase == "granted")
        post.expect_speech()
        assert post.ended(ask.HushOrdered(seconds=60.0)) == (DONE, "done")
        assert post.ended(ask.SayOrdered(text="The operator says hello.")) == (DONE, "done")
        post.expect_speech()
        said = post.window.views.expect(WordsView, SECONDS)
        while "operator" not in said.text:
            said = post.window.views.expect(WordsView, SECONDS)
        assert (said.his, said.whole) == (True, True)
        while not ((stays := post.status().status.stays) and stays[0].hushed_s):
            pass
        assert 0 < stays[0].hushed_s <= 60.0
        assert post.ended(ask.WithdrawOrdered(person=ANNA)) == (DONE, "done")
        assert post.ended(ask.WithdrawOrdered(person=PersonId("nobody"))) == (GONE, "not_here")
        assert post.ended(ask.LeaveOrdered(stay=StayId(str(joined.facts["stay"])))) == (DONE, "done")
        assert post.expect(Left).reason == "operator"


def test_a_new_life_of_the_account_ends_the_stay_and_it_is_said_by_whose_order(tmp_path: Path) -> None:
    with open_house(tmp_path) as post:
        assert post.ended(ask.JoinOrdered()) == (DONE, "done")
        answer = post.order(ask.RestartOrdered(path="root/body/gateway"))
        assert "has begun a new life; 1 stay ended with it" in answer.text
        assert post.expect(Left).reason == "operator"


def test_the_record_and_the_actors_obey_and_the_house_closes_when_told_to(tmp_path: Path) -> None:
    with open_house(tmp_path) as post:
        assert post.ended(ask.FlushOrdered()) == (DONE, "done")
        assert post.ended(ask.PurgeOrdered(person=ANNA)) == (REFUSED, "nobody")
        assert post.ended(ask.RestartOrdered(path="root/captain")) == (DONE, "done")
        assert post.ended(ask.RestartOrdered(path="root/nobody")) == (REFUSED, "not_restarted")
        assert post.ended(ask.ShutdownOrdered()) == (DONE, "done")
        assert post.house.wait()
    assert post.window.closed


def test_a_house_that_nobody_keeps_open_cannot_be_told_to_close() -> None:
    told, way_out = list[bool](), Exit()
    way_out.tell(CloseHouse())
    way_out.bind(lambda: told.append(True))
    way_out.tell(CloseHouse())
    assert told == [True]
