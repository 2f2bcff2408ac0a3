"""The tools that test the house are tested like the house."""

from collections.abc import Callable

import pytest

from actors.base import Life, Worker
from messages.lifecycle import Ending, Exited
from messages.mailbox import Mailbox
from supervisors.address import Address
from tests.probe import Probe
from tests.stage import Stage


class Speaker(Worker[str]):
    """Says what it reads, with its name."""

    def __init__(self, life: Life, listener: Mailbox[str]) -> None:
        super().__init__(life)
        self.listener = listener

    def receive(self, message: str) -> None:
        if message == "crash":
            raise ValueError("not ordered")
        self.listener.tell(f"{self.life.path} {message}")


def speaks_to(listener: Mailbox[str]) -> Callable[[Life], Speaker]:
    return lambda life: Speaker(life, listener)


def recital(seed: int) -> list[str]:
    heard: Probe[str] = Probe()
    with Stage(seed) as stage:
        speakers = [stage.add(name, speaks_to(heard)) for name in "abc"]
        for speaker in speakers:
            for line in "123":
                speaker.here.tell(line)
        stage.run()
    return heard.received()


def test_a_seed_gives_one_order_again_and_again() -> None:
    assert recital(7) == recital(7)


def test_seeds_give_different_orders_but_never_within_a_mailbox() -> None:
    recitals = [recital(seed) for seed in range(30)]
    assert len({tuple(lines) for lines in recitals}) > 20
    for lines in recitals:
        for name in "abc":
            assert [line for line in lines if line[0] == name] == [f"{name} {n}" for n in "123"]


def test_time_stands_still_while_anybody_has_mail_and_then_goes_to_the_next_timer() -> None:
    heard: Probe[str] = Probe()
    with Stage() as stage:
        speaker = stage.add("a", speaks_to(heard))
        stage.clock.after(0.1, speaker.here, "soon")
        stage.clock.after(5.0, speaker.here, "later")
        speaker.here.tell("now")
        stage.run(1.0)
        assert (heard.received(), stage.now()) == (["a now", "a soon"], 1.0)
        stage.run(4.0)
        assert heard.received()[-1] == "a later"


def test_what_a_worker_was_told_before_the_end_is_read_before_the_end() -> None:
    heard: Probe[str] = Probe()
    stage = Stage()
    stage.add("a", speaks_to(heard)).here.tell("last words")
    stage.close()
    assert heard.received() == ["a last words"]
    assert stage.exited.expect(Exited, 0).ending is Ending.SHUTDOWN


def test_a_worker_can_be_stopped_by_pykkas_own_message() -> None:
    with Stage() as stage:
        stage.add("a", speaks_to(Probe())).stop()
        stage.run()
        assert stage.exited.expect(Exited, 0).ending is Ending.SHUTDOWN
        with pytest.raises(KeyError):
            stage.worker("a")


def test_an_ordered_crash_is_no_surprise_and_any_other_fails_the_story() -> None:
    address: Address[str] = Address()
    stage = Stage()
    stage.add("a", speaks_to(Probe()))
    stage.add("b", speaks_to(Probe()), address)
    stage.crash("a")
    assert stage.crashes == []
    address.tell("crash")
    stage.run()
    assert [exited.child for exited in stage.exited.received()] == ["a", "b"]
    with pytest.raises(BaseExceptionGroup):
        stage.close()


def test_two_who_answer_each_other_for_ever_are_found_out() -> None:
    there: Address[str] = Address()
    with Stage() as stage:
        here = stage.add("a", speaks_to(there))
        stage.add("b", speaks_to(here.here), there)
        there.tell("")
        with pytest.raises(AssertionError, match="never falls silent"):
            stage.run()
        there.unbind()
        stage.run()


def test_a_probe_waits_takes_each_message_once_and_lists_what_came_instead() -> None:
    probe: Probe[int | str] = Probe()
    for message in (1, "one", 2):
        probe.tell(message)
    assert (probe.expect(str, 0), probe.expect(int, 0), probe.expect(int, 0)) == ("one", 1, 2)
    assert probe.received() == [1, "one", 2]
    with pytest.raises(AssertionError, match=r"no int within 0 s; what came:\n  1\n  'one'\n  2"):
        probe.expect(int, 0)
    probe.clear()
    with pytest.raises(AssertionError, match="nothing"):
        probe.expect(object, 0)
