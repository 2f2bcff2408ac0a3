"""However an actor ends, it closes once, and the last thing it does is to say so."""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping

import pykka
import pytest

from actors.base import Interrupted, Life, Poisoned, Worker
from messages.lifecycle import Ending, Exited, LifeState, Poison, Scalar
from tests.probe import Probe

SECRET = "what somebody said"


class Cell(Worker[str | BaseException | threading.Event]):
    """Does what its letters say: text is kept, an exception is raised, an event is waited for."""

    def __init__(
        self,
        life: Life,
        opening: Callable[["Cell"], None] = lambda _: None,
        closing: Callable[["Cell"], None] = lambda _: None,
    ) -> None:
        super().__init__(life)
        self.opening, self.closing = opening, closing
        self.read: list[str] = []
        self.endings: list[Ending] = []

    def opened(self) -> None:
        self.opening(self)

    def receive(self, message: str | BaseException | threading.Event) -> None:
        match message:
            case "finish":
                self.finish()
            case str():
                self.read.append(message)
            case threading.Event():
                assert message.wait(5.0)
            case _:
                raise message

    def closed(self, ending: Ending) -> None:
        self.endings.append(ending)
        self.closing(self)


def raises(failure: BaseException) -> Callable[[Cell], None]:
    def fail(_: Cell) -> None:
        raise failure

    return fail


@pytest.fixture
def exits() -> Probe[Exited]:
    return Probe()


@pytest.fixture
def life(exits: Probe[Exited]) -> Life:
    return Life.alone("root/cell", exits.tell)


def test_a_worker_opens_reads_in_order_and_finishes_without_reading_on(
    life: Life, exits: Probe[Exited]
) -> None:
    cell = Cell(life)
    for message in ("one", "two", "finish", "three", "four"):
        cell.here.tell(message)
    cell.begin()
    exited = exits.expect(Exited)
    assert exited == Exited(child="root/cell", incarnation=1, ending=Ending.FINISHED, error=None)
    assert life.wait_gone(2.0)
    assert (cell.read, cell.endings, life.dropped) == (["one", "two"], [Ending.FINISHED], 2)
    assert life.state is LifeState.GONE


def test_a_crash_closes_first_and_then_says_where_but_not_what(life: Life, exits: Probe[Exited]) -> None:
    heard_when_closing: list[list[Exited]] = []
    cell = Cell(life, closing=lambda _: heard_when_closing.append(exits.received()))
    cell.begin()
    cell.here.tell(ValueError(SECRET))
    exited = exits.expect(Exited)
    assert exited.ending is Ending.CRASHED
    assert exited.error is not None
    assert exited.error.startswith("ValueError at tests/actors/test_base.py:")
    assert (cell.endings, heard_when_closing) == ([Ending.CRASHED], [[]])


@pytest.mark.parametrize(
    "failure", [ValueError(SECRET), SystemExit(1), KeyboardInterrupt(), asyncio.CancelledError()]
)
def test_a_failure_to_open_closes_and_is_announced(
    life: Life, exits: Probe[Exited], failure: BaseException
) -> None:
    cell = Cell(life, opening=raises(failure))
    cell.begin()
    assert not life.wait_opened(2.0)
    exited = exits.expect(Exited)
    assert exited.ending is Ending.OPEN_FAILED
    assert SECRET not in str(exited.error)
    assert cell.endings == [Ending.OPEN_FAILED]
    assert life.wait_gone(2.0)


@pytest.mark.parametrize("failure", [ValueError(SECRET), SystemExit(1), asyncio.CancelledError()])
def test_a_failing_close_still_announces(life: Life, exits: Probe[Exited], failure: BaseException) -> None:
    cell = Cell(life, closing=raises(failure))
    cell.begin()
    cell.here.tell("finish")
    exited = exits.expect(Exited)
    assert exited.ending is Ending.FINISHED
    assert exited.error is not None
    assert exited.error.startswith(type(failure).__name__)
    assert exited.error.endswith("while closing")
    assert cell.endings == [Ending.FINISHED]


def test_a_crash_whose_close_fails_too_tells_both(life: Life, exits: Probe[Exited]) -> None:
    cell = Cell(life, closing=raises(KeyError(SECRET)))
    cell.begin()
    cell.here.tell(ValueError(SECRET))
    error = str(exits.expect(Exited).error)
    assert error.startswith("ValueError at")
    assert "; then KeyError at" in error
    assert SECRET not in error


def test_asked_to_stop_it_reads_what_came_before_and_ends_for_the_reason_given(
    life: Life, exits: Probe[Exited]
) -> None:
    gate = threading.Event()
    cell = Cell(life)
    cell.begin()
    for message in (gate, "one", "two"):
        cell.here.tell(message)
    life.ask_to_stop(Ending.SIBLING_FAILED, 60.0)
    gate.set()
    assert life.wait_gone(2.0)
    assert exits.expect(Exited).ending is Ending.SIBLING_FAILED
    assert (cell.read, cell.endings) == (["one", "two"], [Ending.SIBLING_FAILED])


def test_in_a_hurry_it_drops_what_it_has_not_read(life: Life, exits: Probe[Exited]) -> None:
    gate = threading.Event()
    cell = Cell(life)
    cell.begin()
    for message in (gate, "one", "two"):
        cell.here.tell(message)
    life.ask_to_stop(Ending.SHUTDOWN, 0.0)
    assert not life.wait_gone(0.0)
    gate.set()
    assert exits.expect(Exited).ending is Ending.SHUTDOWN
    assert (cell.read, cell.endings) == ([], [Ending.SHUTDOWN])


def test_asked_to_stop_twice_or_after_the_end_it_ends_once(life: Life, exits: Probe[Exited]) -> None:
    cell = Cell(life)
    cell.begin()
    life.ask_to_stop(Ending.SHUTDOWN, 5.0)
    life.ask_to_stop(Ending.GIVEN_UP, 5.0)
    assert life.wait_gone(2.0)
    life.ask_to_stop(Ending.REMOVED, 5.0)
    assert len(cell.endings) == len(exits.received()) == 1


def test_gone_means_that_the_thread_has_ended_too() -> None:
    announcing, go_on = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def announce(_: Exited) -> None:
        threads.append(threading.current_thread())
        announcing.set()
        assert go_on.wait(5.0)

    life = Life.alone("root/cell", announce)
    Cell(life).begin()
    life.ask_to_stop(Ending.SHUTDOWN, 5.0)
    assert announcing.wait(2.0)
    threading.Timer(0.05, go_on.set).start()
    assert life.wait_gone(2.0)
    assert not threads[0].is_alive()


def test_finishing_while_opening_opens_and_finishes(life: Life, exits: Probe[Exited]) -> None:
    Cell(life, opening=Cell.finish).begin()
    assert life.wait_opened(2.0)
    assert exits.expect(Exited).ending is Ending.FINISHED


def test_poison_crashes_at_the_next_message(life: Life, exits: Probe[Exited]) -> None:
    Cell(life).begin()
    life.send(Poison())
    exited = exits.expect(Exited)
    assert exited.ending is Ending.CRASHED
    assert str(exited.error).startswith("Poisoned")
    life.send(Poison())


def test_a_letter_after_the_end_is_dropped_and_counted(life: Life, exits: Probe[Exited]) -> None:
    cell = Cell(life)
    cell.begin()
    cell.here.tell("finish")
    exits.expect(Exited)
    before = life.dropped
    cell.here.tell("late")
    assert life.dropped == before + 1


def test_an_unstarted_worker_keeps_its_letters_and_can_be_driven_by_hand(
    life: Life, exits: Probe[Exited]
) -> None:
    cell = Cell(life)
    cell.here.tell("in the inbox")
    cell.on_start()
    cell.on_receive("by hand")
    assert (cell.unread(), cell.read, life.state) == (1, ["by hand"], LifeState.OPEN)
    with pytest.raises(ValueError, match=SECRET):
        cell.on_receive(ValueError(SECRET))
    assert exits.received()[0].ending is Ending.CRASHED
    with pytest.raises(pykka.ActorDeadError):
        cell.on_receive("too late")
    assert life.dropped == 2


def test_a_base_exception_is_not_handed_to_whoever_drives_the_worker(life: Life) -> None:
    cell = Cell(life)
    with pytest.raises(Interrupted, match="SystemExit"):
        cell.on_receive(SystemExit(1))
    with pytest.raises(Poisoned):
        Cell(Life.alone()).on_receive(Poison())  # type: ignore[arg-type]


def test_a_constructor_that_fails_is_a_failure_to_open(life: Life, exits: Probe[Exited]) -> None:
    def make(_: Life) -> Cell:
        raise ValueError(SECRET)

    assert life.construct(make) is None
    assert not life.wait_opened(0.0)
    exited = exits.expect(Exited)
    assert exited.ending is Ending.OPEN_FAILED
    assert str(exited.error).startswith("ValueError at tests/")
    life.ask_to_stop(Ending.SHUTDOWN, 0.0)


def test_a_thread_that_cannot_start_is_a_failure_to_open(
    life: Life, exits: Probe[Exited], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    cell = Cell(life)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        life.begin(cell)
    assert exits.expect(Exited).ending is Ending.OPEN_FAILED
    assert cell.endings == [Ending.OPEN_FAILED]


def test_facts_and_depth_can_be_read_from_any_thread_and_a_failing_description_hurts_nobody() -> None:
    class Described(Cell):
        def describe(self) -> Mapping[str, Scalar]:
            return {"pages": 3 // len(self.read)}

    life = Life.alone("root/described")
    cell = Described(life)
    cell.here.tell("unread")
    facts = life.tree().facts
    assert str(facts["describe_failed"]).startswith("ZeroDivisionError at tests/")
    cell.read.append("x")
    node = life.tree()
    assert (node.path, node.kind, node.mailbox_depth) == ("root/described", "Described", 1)
    assert (node.facts, node.state, node.children) == ({"pages": 3}, LifeState.OPENING, ())
    cell.on_stop()
    node = life.tree()
    assert (node.kind, node.state, node.facts) == ("Described", LifeState.GONE, {})


def test_an_open_worker_that_lost_letters_says_how_many() -> None:
    life = Life.alone()
    cell = Cell(life)
    life.count_dropped(2)
    assert cell.tree().facts == {"letters_dropped": 2}


@pytest.mark.parametrize("asked", [False, True])
def test_pykka_logs_neither_traceback_nor_text_above_debug(
    life: Life, exits: Probe[Exited], caplog: pytest.LogCaptureFixture, asked: bool
) -> None:
    with caplog.at_level(logging.DEBUG, logger="pykka"):
        ref = Cell(life).begin()
        if asked:
            with pytest.raises(ValueError, match=SECRET):
                ref.ask(ValueError(SECRET), timeout=2.0)
        else:
            life.send(ValueError(SECRET))
        exits.expect(Exited)
        assert life.wait_gone(2.0)
    assert {record.levelno for record in caplog.records} == {logging.DEBUG}
    assert SECRET not in caplog.text
