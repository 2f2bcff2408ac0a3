"""The contexts of a socket by themselves: whoever speaks is not idle, and nothing is said twice."""

from __future__ import annotations

from tests.loopback.elevenlabs.contexts import Context, Contexts, Farewell, Final, Generate, Refusal

TWENTY = 20.0


def contexts() -> tuple[Contexts, list[str]]:
    """They, and the rules that were broken."""
    broken: list[str] = []
    return Contexts(turns=False, inactivity=TWENTY, break_rule=broken.append), broken


def opened(all_: Contexts, name: str = "c1") -> Context:
    """One that has something to say."""
    context = all_.open(name, 0.0)
    assert isinstance(context, Context)
    context.pending = "Hello. "
    context.hand_over(flushed=True)
    assert all_.urge(context) == (Generate(context=name),)
    return context


def test_while_somebody_speaks_nobody_is_idle_and_afterwards_it_counts_anew() -> None:
    all_, broken = contexts()
    opened(all_)
    all_.begin("c1")
    assert all_.idle(TWENTY) == ()
    assert all_.generated("c1", 30.0) == ()
    assert all_.due() == 30.0 + TWENTY
    assert isinstance(all_.idle(30.0 + TWENTY)[0], Refusal)
    assert broken == []


def test_a_context_that_is_left_alone_is_final_once() -> None:
    all_, _ = contexts()
    opened(all_)
    all_.begin("c1")
    all_.generated("c1", 5.0)
    all_.hear(20.0)
    assert all_.idle(26.0) == (Final(context="c1"),)
    assert all_.idle(27.0) == ()


def test_the_farewell_waits_for_whoever_speaks_and_is_said_once() -> None:
    all_, _ = contexts()
    opened(all_)
    all_.begin("c1")
    assert all_.leave() == ()
    assert all_.generated("c1", 1.0) == (Final(context="c1"), Farewell())
    assert all_.leave() == ()
