"""What Pykka does when things go wrong, each beside what a worker of ours does instead."""

import asyncio
import queue
import threading
from typing import Any

import pykka
import pytest

from actors.base import Interrupted, Life, ProxyRefused, Worker
from messages.lifecycle import Ending, Exited, LifeState
from supervisors.address import Address
from tests.probe import Probe


class Plain(pykka.ThreadingActor):
    """Pykka as it comes: raises the exceptions it receives, waits for the events."""

    use_daemon_thread = True

    def __init__(self, hooks: Probe[str]) -> None:
        super().__init__()
        self.hooks = hooks

    def on_receive(self, message: Any) -> Any:
        if isinstance(message, BaseException):
            raise message
        if isinstance(message, threading.Event):
            assert message.wait(5.0)
        return message

    def on_stop(self) -> None:
        self.hooks.tell("on_stop")

    def on_failure(self, *_: Any, **__: Any) -> None:
        self.hooks.tell("on_failure")


class Ours(Worker[Any]):
    """The same as a worker; `gate` holds it while it closes."""

    def __init__(self, life: Life, gate: threading.Event | None = None) -> None:
        super().__init__(life)
        self.gate = gate
        self.closing = threading.Event()
        self.read: list[Any] = []

    def receive(self, message: Any) -> None:
        if isinstance(message, BaseException):
            raise message
        if isinstance(message, threading.Event):
            assert message.wait(5.0)
        self.read.append(message)

    def closed(self, ending: Ending) -> None:
        self.closing.set()
        if self.gate is not None:
            assert self.gate.wait(5.0)


@pytest.fixture
def exits() -> Probe[Exited]:
    return Probe()


def ours(exits: Probe[Exited], gate: threading.Event | None = None) -> tuple[Ours, pykka.ActorRef[Ours]]:
    worker = Ours(Life.alone(announce=exits.tell), gate)
    return worker, worker.begin()


def test_a_told_crash_skips_on_stop_in_pykka_and_closes_in_ours(exits: Probe[Exited]) -> None:
    hooks: Probe[str] = Probe()
    Plain.start(hooks).tell(ValueError())
    assert hooks.expect(str) == "on_failure"
    worker, ref = ours(exits)
    ref.tell(ValueError())
    assert exits.expect(Exited).ending is Ending.CRASHED
    assert worker.closing.is_set()


def test_an_asked_crash_lives_on_in_pykka_and_ends_ours_with_the_asker_answered(exits: Probe[Exited]) -> None:
    plain = Plain.start(Probe())
    with pytest.raises(ValueError, match="half done"):
        plain.ask(ValueError("half done"), timeout=2.0)
    assert plain.ask("still here", timeout=2.0) == "still here"
    plain.stop(timeout=2.0)
    _, ref = ours(exits)
    with pytest.raises(ValueError, match="half done"):
        ref.ask(ValueError("half done"), timeout=2.0)
    assert exits.expect(Exited).ending is Ending.CRASHED


def test_an_unread_answer_does_not_hide_a_crash(exits: Probe[Exited]) -> None:
    _, ref = ours(exits)
    ref.ask(ValueError(), block=False)
    assert exits.expect(Exited).ending is Ending.CRASHED


def test_a_failing_start_is_silent_in_pykka_and_announced_by_ours(exits: Probe[Exited]) -> None:
    hooks: Probe[str] = Probe()

    class NoStart(Plain):
        def on_start(self) -> None:
            raise ValueError

    ref = NoStart.start(hooks)
    assert ref.actor_stopped.wait(2.0)
    assert hooks.received() == []

    class NeverOpens(Ours):
        def opened(self) -> None:
            raise ValueError

    worker = NeverOpens(Life.alone(announce=exits.tell))
    worker.begin()
    assert exits.expect(Exited).ending is Ending.OPEN_FAILED
    assert worker.closing.is_set()


def test_a_failing_stop_is_only_logged_in_pykka_and_announced_by_ours(exits: Probe[Exited]) -> None:
    hooks: Probe[str] = Probe()

    class NoStop(Plain):
        def on_stop(self) -> None:
            raise ValueError

    NoStop.start(hooks).stop(timeout=2.0)
    assert hooks.received() == []

    class NeverCloses(Ours):
        def closed(self, ending: Ending) -> None:
            raise ValueError

    NeverCloses(Life.alone(announce=exits.tell)).begin().stop(timeout=2.0)
    exited = exits.expect(Exited)
    assert exited.ending is Ending.SHUTDOWN
    assert str(exited.error).startswith("ValueError")


@pytest.mark.parametrize("failure", [SystemExit(1), asyncio.CancelledError(), KeyboardInterrupt()])
def test_a_base_exception_stops_the_world_in_pykka_and_only_one_of_ours(
    exits: Probe[Exited], failure: BaseException
) -> None:
    hooks: Probe[str] = Probe()
    bystander = Plain.start(hooks)
    Plain.start(Probe()).tell(failure)
    assert hooks.expect(str) == "on_stop"
    assert not bystander.is_alive()

    bystander = Plain.start(hooks)
    _, ref = ours(exits)
    with pytest.raises(Interrupted, match=type(failure).__name__):
        ref.ask(failure, timeout=2.0)
    assert exits.expect(Exited).ending is Ending.CRASHED
    assert bystander.ask("alive", timeout=2.0) == "alive"
    bystander.stop(timeout=2.0)


def test_a_stop_is_a_letter_like_any_other_and_waiting_for_ours_never_raises(exits: Probe[Exited]) -> None:
    gate = threading.Event()
    worker, ref = ours(exits)
    ref.tell(gate)
    with pytest.raises(pykka.Timeout):
        ref.stop(timeout=0.0)
    assert not worker.life.wait_gone(0.0)
    gate.set()
    assert worker.life.wait_gone(2.0)
    assert worker.read == [gate]


def test_pykka_says_gone_before_the_end_and_ours_after_it(exits: Probe[Exited]) -> None:
    gate = threading.Event()
    worker, ref = ours(exits, gate)
    ref.stop(block=False)
    assert worker.closing.wait(2.0)
    assert not ref.is_alive()
    assert ref not in pykka.ActorRegistry.get_all()
    assert worker.life.state is LifeState.CLOSING
    assert not worker.life.wait_gone(0.0)
    assert exits.received() == []
    gate.set()
    assert worker.life.wait_gone(2.0)
    assert exits.expect(Exited).ending is Ending.SHUTDOWN


def test_a_letter_to_the_dead_raises_in_pykka_and_is_counted_by_ours(exits: Probe[Exited]) -> None:
    worker, ref = ours(exits)
    address: Address[Any] = Address()
    address.bind(ref)
    ref.stop(timeout=2.0)
    assert worker.life.wait_gone(2.0)
    with pytest.raises(pykka.ActorDeadError):
        ref.tell("anybody?")
    worker.here.tell("anybody?")
    address.tell("anybody?")
    assert (worker.life.dropped, address.missed) == (1, 1)


def test_letters_behind_the_end_are_counted_and_those_who_ask_are_answered(exits: Probe[Exited]) -> None:
    gate = threading.Event()
    worker, ref = ours(exits)
    ref.tell(gate)
    ref.stop(block=False)
    worker.here.tell("never read")
    answer = ref.ask("never read", block=False)
    gate.set()
    with pytest.raises(pykka.ActorDeadError):
        answer.get(timeout=2.0)
    assert worker.life.wait_gone(2.0)
    assert (worker.read, worker.life.dropped) == ([gate], 2)


def test_the_inbox_is_a_simple_queue_whose_depth_can_be_seen() -> None:
    worker = Ours(Life.alone())
    assert isinstance(worker.actor_inbox, queue.SimpleQueue)
    for number in range(3):
        worker.here.tell(number)
    assert worker.unread() == worker.life.tree().mailbox_depth == 3


@pytest.mark.parametrize("name", ["_stop", "_handle_receive", "_actor_loop", "on_receive", "stop"])
def test_a_name_of_pykkas_is_refused_when_the_class_is_written(name: str) -> None:
    with pytest.raises(TypeError, match=name):
        type("Clumsy", (Ours,), {name: lambda _: None})


def test_an_unstarted_actor_works_synchronously() -> None:
    worker = Ours(Life.alone())
    worker.on_receive("hello")
    assert worker.read == ["hello"]


def test_nobody_calls_into_ours_through_a_proxy(exits: Probe[Exited]) -> None:
    worker, ref = ours(exits)
    proxy: Any = ref.proxy()
    with pytest.raises(ProxyRefused):
        proxy.describe().get(timeout=2.0)
    with pytest.raises(ProxyRefused):
        proxy.read.get(timeout=2.0)
    with pytest.raises(ProxyRefused):
        proxy.read = []
    assert exits.received() == []
    proxy.describe.defer()
    exited = exits.expect(Exited)
    assert exited.ending is Ending.CRASHED
    assert str(exited.error).startswith("ProxyRefused")
    assert worker.closing.is_set()


def test_pykka_starts_an_actor_by_the_steps_that_begin_repeats() -> None:
    names = set(pykka.Actor.start.__func__.__code__.co_names)  # type: ignore[attr-defined]
    logs_and_asserts = {"logger", "debug", "AssertionError"}
    assert names - logs_and_asserts == {"actor_ref", "ActorRegistry", "register", "_start_actor_loop"}
