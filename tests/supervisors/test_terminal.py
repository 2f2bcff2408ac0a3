"""The full-screen console before a window of the test's own: what its keys do, and how it looks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from actors.console.report import WhyReport
from actors.console.settings import key_file
from actors.console.wire_views import log_view
from actors.net.loop import IoLoop
from messages.console import OrderAnswer, OrderResult
from messages.evidence import Flush, Flushed
from messages.ids import StayId
from supervisors.terminal.app import HouseConsole, is_light
from supervisors.terminal.dialogs import Captain, Keys, Typed
from supervisors.terminal.errands import MOST, Errands
from supervisors.terminal.ink import Tone
from supervisors.terminal.news import Box, CaptainSaid, Ordered
from tests.actors.console.desk import Desk
from tests.supervisors import window as windows
from tests.supervisors.window import STAY, Window, line, node, receipt, stay, words_view

DEADLINE = 10.0
Scene = Callable[[HouseConsole, "Pilot[None]"], Awaitable[None]]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    window = Window(tmp_path / "console")
    window.report = windows.report(stay())
    yield window
    window.close()


def play(tmp_path: Path, window: Window, scene: Scene, size: tuple[int, int] = (80, 24)) -> None:
    """Open the console, wait until it sees the house, and have the scene played; no thread is left behind."""

    async def played() -> None:
        app = HouseConsole(window.port, tmp_path / "console")
        async with app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: app._picture.report is not None)
            await scene(app, pilot)

    asyncio.run(played())
    assert not [thread for thread in threading.enumerate() if thread.name == "feed"]


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    deadline = monotonic() + DEADLINE
    while not holds():
        assert monotonic() < deadline, screen(pilot.app)  # type: ignore[arg-type]
        await pilot.pause(0.1)


def screen(app: HouseConsole) -> str:
    """All that is to be read, as one text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


async def reads(app: HouseConsole, pilot: Pilot[None], *parts: str) -> None:
    await until(pilot, lambda: all(part in screen(app) for part in parts))


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
def test_the_house_fits_on_the_screen(tmp_path: Path, window: Window, size: tuple[int, int]) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await reads(app, pilot, "clankie 0.1.0 · open for 1 h 2 min", "● evidence", "room-1", "healthy")
        await reads(app, pilot, "q Quit", "r Restart")
        window.why = WhyReport(lines=(line(),), turns=())
        window.show(receipt("discord.voice.floor_decision", stayId=STAY, decision="wake"))
        window.show_status()
        await reads(app, pilot, "addressed → wake", "floor_decision decision wake")

    play(tmp_path, window, scene, size)


def test_it_can_be_pulled_to_any_size_meanwhile(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        for size in [(160, 50), (1, 1), (30, 8), (400, 3), (110, 36)]:
            await pilot.resize_terminal(*size)
            window.show_status()
            await pilot.press("question_mark", "escape")
        await reads(app, pilot, "room-1", "healthy")

    play(tmp_path, window, scene)


ORDERS: list[tuple[list[str], str, dict[str, object]]] = [
    (["j", "enter"], "/stays/join", {}),
    (["j", "7", "enter"], "/stays/join", {"room": "7"}),
    (["l"], "/stays/leave", {"stay": STAY}),
    (["s", "H", "i", "enter"], "/say", {"text": "Hi", "stay": STAY}),
    (["h", "enter"], "/hush", {"seconds": 300.0, "stay": STAY}),
    (["i"], "/interrupt", {"stay": STAY}),
    (["r", "y"], "/actors/restart", {"path": "root"}),
    (["end", "r", "y"], "/actors/restart", {"path": "root/console"}),
    (["f"], "/evidence/flush", {}),
    (["x", "y"], "/shutdown", {}),
]


def test_a_key_is_an_order_and_its_answer_is_a_note(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        for number, (keys, path, body) in enumerate(ORDERS):
            window.answer = OrderAnswer(result=OrderResult.DONE, code="done", text=f"done {number}")
            await pilot.press(*keys)
            await reads(app, pilot, f"done {number}")
            assert window.orders.get(timeout=DEADLINE) == (path, body)

    play(tmp_path, window, scene)


def test_what_is_thought_better_of_is_not_done(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        for keys in (["j", "escape"], ["s", "enter"], ["s", "x", "escape"], ["a", "enter"]):
            await pilot.press(*keys)
        for keys in (["r", "n"], ["x", "escape"]):
            await pilot.press(*keys)
        await pilot.press("h", "ctrl+u", "x", "enter")
        await reads(app, pilot, "write 90, 90s, 5m or 1h")
        assert window.orders.empty()
        assert not isinstance(app.screen, Typed)

    play(tmp_path, window, scene)


def test_an_order_that_is_not_done_says_why(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        for result in ("refused", "gone", "pending"):
            window.answer = OrderAnswer(result=OrderResult(result), code="x", text=f"not [b]{result}")
            await pilot.press("f")
            await reads(app, pilot, f"not [b]{result}")
        window.key = "another-key"
        await pilot.press("f")
        await reads(app, pilot, "accept")

    play(tmp_path, window, scene)


def test_only_so_many_orders_are_on_their_way_at_once(tmp_path: Path, window: Window) -> None:
    window.captain_may_answer.clear()
    box = Box()
    errands = Errands(window.port, tmp_path / "console", box)
    for _ in range(MOST):
        errands.ask("come")
        window.orders.get(timeout=DEADLINE)
        errands._given_up = threading.Event()  # so that the next does not take it back
    errands.give("flush", "/evidence/flush", {})
    errands.ask("come")
    assert [type(news) for news in box.take()] == [Ordered, CaptainSaid]
    assert window.orders.empty()


def test_orders_are_for_the_chosen_stay(tmp_path: Path, window: Window) -> None:
    window.report = windows.report(stay(), stay(StayId("stay-0002")))

    async def scene(_: HouseConsole, pilot: Pilot[None]) -> None:
        await pilot.press("n", "l")
        assert window.orders.get(timeout=DEADLINE) == ("/stays/leave", {"stay": "stay-0002"})

    play(tmp_path, window, scene)


def test_the_captain_answers_in_a_window_of_his_own(tmp_path: Path, window: Window) -> None:
    window.captain = [{"tool": "voice_join", "outcome": "joined"}, *window.captain]

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await pilot.press("a", "c", "o", "enter")
        await reads(app, pilot, "co", "voice_join: joined", "Here I am.")
        await pilot.press("escape")
        assert not isinstance(app.screen, Captain)
        assert window.orders.get(timeout=DEADLINE) == ("/captain/ask", {"request": "co"})

    play(tmp_path, window, scene)


def test_what_the_captain_has_not_answered_is_taken_back(tmp_path: Path, window: Window) -> None:
    window.captain_may_answer.clear()

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await pilot.press("a", "c", "o", "enter")
        assert window.orders.get(timeout=DEADLINE)[0] == "/captain/ask"
        await pilot.press("escape")
        assert window.orders.get(timeout=DEADLINE)[0] == "taken back"
        await pilot.press("a", "g", "o", "enter")
        app._box.put(CaptainSaid(asking=1, row=(("too late", Tone.PLAIN),)))
        window.captain_may_answer.set()
        await reads(app, pilot, "Here I am.")
        assert "too late" not in screen(app)

    play(tmp_path, window, scene)


def test_words_and_the_log_are_shown_while_they_are_wanted(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        assert window.watched.get(timeout=DEADLINE) == "/events?words=0&logs=0"
        await pilot.press("w")
        assert window.watched.get(timeout=DEADLINE) == "/events?words=1&logs=0"
        window.show(words_view("What time is it?"))
        await reads(app, pilot, "Anna: What time is it?")
        await pilot.press("g")
        assert window.watched.get(timeout=DEADLINE) == "/events?words=1&logs=1"
        window.show(log_view(1.0, "ERROR", "out of paper"))
        await reads(app, pilot, "out of paper")
        await pilot.press("w", "g")
        await until(pilot, lambda: "What time" not in screen(app) and "out of paper" not in screen(app))

    play(tmp_path, window, scene)


def test_a_house_that_was_started_again_is_found_with_its_new_key(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        window.close()
        await reads(app, pilot, "looking again every second", "room-1")
        again = Window(tmp_path / "console", window.port)
        again.key = "another-key"
        key_file(tmp_path / "console", window.port).write_text(again.key)
        again.report = windows.report(stay(room_id="room-2"))
        await reads(app, pilot, "room-2")
        assert "looking again" not in screen(app)
        again.close()

    play(tmp_path, window, scene)


def test_the_chosen_actor_stays_chosen_while_others_come_and_go(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await pilot.press("down", "down")
        assert app.chosen_actor == "root/console"
        tree = node("root", node("root/a"), node("root/b", restarts=1), node("root/console"))
        window.report = windows.report(stay(), tree=tree)
        window.show_status()
        await reads(app, pilot, "b ↻1")
        assert app.chosen_actor == "root/console"
        window.report = windows.report(stay(), tree=node("root"))
        window.show_status()
        await until(pilot, lambda: app.chosen_actor == "root")

    play(tmp_path, window, scene)


def test_the_keys_explain_themselves_and_the_colours_change(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        before = app.theme
        await pilot.press("d")
        assert app.theme != before
        await pilot.press("question_mark")
        await reads(app, pilot, "close the house in good order")
        assert isinstance(app.screen, Keys)
        await pilot.press("q")
        assert app.is_running
        await pilot.press("q")
        await until(pilot, lambda: not app.is_running)

    play(tmp_path, window, scene)


def test_lines_that_somebody_reads_do_not_run_away(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        window.show(*(receipt("discord.voice.floor", number=each) for each in range(50)))
        await reads(app, pilot, "number 49")
        app._receipts.scroll_home(animate=False)
        await reads(app, pilot, "number 0")
        window.show(receipt("discord.voice.floor", number=50))
        await until(pilot, lambda: len(app._picture.receipts) == 51)
        assert "number 0" in screen(app)
        assert "number 50" not in screen(app)

    play(tmp_path, window, scene)


def test_it_gives_orders_to_a_real_console_too(tmp_path: Path) -> None:
    loop = IoLoop()
    loop.start()
    desk = Desk(loop, tmp_path / "console")

    async def played() -> None:
        app = HouseConsole(desk.port, tmp_path / "console")
        async with app.run_test(notifications=True) as pilot:
            await reads(app, pilot, "not well: the house does not describe itself")
            await pilot.press("f")
            flush = await asyncio.to_thread(desk.neighbours.evidence.expect, Flush, DEADLINE)
            flush.done.tell(Flushed(lost=0))
            await reads(app, pilot, "is on disk")

    try:
        asyncio.run(played())
    finally:
        desk.close()
        assert loop.stop(2)


def test_without_a_house_it_opens_and_says_what_to_do(tmp_path: Path, window: Window) -> None:
    window.close()

    async def played() -> None:
        app = HouseConsole(window.port, tmp_path / "console")
        async with app.run_test() as pilot:
            await until(pilot, lambda: "clankie run" in str(app.query_one("#banner", Static).render()))

    asyncio.run(played())


@pytest.mark.parametrize(
    ("variable", "light"), [("0;15", True), ("0;default;7", True), ("15;0", False), ("", False)]
)
def test_a_light_terminal_gets_light_colours(variable: str, light: bool) -> None:
    assert is_light({"COLORFGBG": variable} if variable else {}) is light
