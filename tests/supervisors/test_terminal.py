"""The full-screen console before a window of the test's own: what its keys do, and how it looks."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Footer

from actors.console.report import WhyReport
from actors.console.settings import key_file
from actors.console.wire_views import StatusView, log_view, parse_view
from actors.net.loop import IoLoop
from messages.console import OrderAnswer, OrderResult
from messages.evidence import Flush, Flushed
from messages.ids import StayId
from supervisors.terminal.app import HouseConsole, is_light
from supervisors.terminal.dialogs import Captain
from supervisors.terminal.errands import MOST, Errands
from supervisors.terminal.feed import STATUSES_TO_WAIT, Feed
from supervisors.terminal.ink import Tone, written
from supervisors.terminal.news import Box, CaptainSaid, Ordered
from supervisors.terminal.picture import MOST_RECEIPTS
from tests.actors.console.desk import Desk
from tests.supervisors import window as windows
from tests.supervisors.window import STAY, Window, line, node, receipt, stay, turn, words_view

DEADLINE = 30.0
TINY, SMALL = (40, 10), (60, 20)
Scene = Callable[[HouseConsole, "Pilot[None]"], Awaitable[None]]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    window = Window(tmp_path / "console")
    window.report = windows.report(stay())
    yield window
    window.close()


def play(
    tmp_path: Path,
    port: int,
    scene: Scene,
    size: tuple[int, int] = (80, 24),
    *,
    notes: bool = False,
    keys: bool = False,
) -> None:
    """Open the console and have the scene played.

    Without what costs most of the time: notes, the line of keys (made anew with each window), and sliding.
    """

    async def played() -> None:
        app = HouseConsole(port, tmp_path / "console")
        app.animation_level = "none"
        async with app.run_test(size=size, notifications=notes) as pilot:
            if not keys:
                await app.query_one(Footer).remove()
            await scene(app, pilot)

    asyncio.run(played())
    assert not [thread for thread in threading.enumerate() if thread.name == "feed"]


async def sees(app: HouseConsole, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: app._picture.report is not None)


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


def test_the_house_fits_on_a_small_screen_and_its_keys_explain_themselves(
    tmp_path: Path, window: Window
) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await reads(app, pilot, "clankie 0.1.0 · open for 1 h 2 min", "● evidence", "room-1", "healthy")
        await reads(app, pilot, "q Quit", "r Restart")
        window.why = WhyReport(lines=(line(),), turns=())
        window.show(receipt("discord.voice.floor_decision", stayId=STAY, decision="wake"))
        window.show_status()
        await reads(app, pilot, "addressed → wake", "floor_decision decision wake")
        before = app.theme
        await pilot.press("d", "question_mark")
        assert app.theme != before
        await reads(app, pilot, "close the house in good order")
        await pilot.press("q")
        assert app.is_running
        await pilot.press("q")
        await until(pilot, lambda: not app.is_running)

    play(tmp_path, window.port, scene, keys=True)


def test_it_can_be_pulled_to_any_size_meanwhile(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        for size in [(1, 1), (200, 3)]:
            await pilot.resize_terminal(*size)
            window.show_status()
            await pilot.press("question_mark", "escape")
        await pilot.resize_terminal(110, 24)
        await reads(app, pilot, "room-1", "healthy", "g Logs")

    play(tmp_path, window.port, scene, TINY, keys=True)


ORDERS: list[tuple[list[str], str, dict[str, object]]] = [
    (["j", "enter"], "/stays/join", {}),
    (["j", "7", "enter"], "/stays/join", {"room": "7"}),
    (["l"], "/stays/leave", {"stay": STAY}),
    (["s", "H", "i", "enter"], "/say", {"text": "Hi", "stay": STAY}),
    (["h", "enter"], "/hush", {"seconds": 300.0, "stay": STAY}),
    (["i"], "/interrupt", {"stay": STAY}),
    (["end", "r", "y"], "/actors/restart", {"path": "root/console"}),
    (["n", "l"], "/stays/leave", {"stay": "stay-0002"}),
    (["f"], "/evidence/flush", {}),
    (["x", "y"], "/shutdown", {}),
]
NOT_MEANT = [["j", "escape"], ["s", "enter"], ["a", "enter"], ["end", "r", "n"], ["home", "r"]]


def test_a_key_is_an_order_for_the_chosen_stay_unless_it_is_thought_better_of(
    tmp_path: Path, window: Window
) -> None:
    window.report = windows.report(stay(), stay(StayId("stay-0002")))

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await sees(app, pilot)
        for keys in NOT_MEANT:
            await pilot.press(*keys)
            assert not isinstance(app.screen, ModalScreen)
        for keys, path, body in ORDERS:
            await pilot.press(*keys)
            assert window.orders.get(timeout=DEADLINE) == (path, body)

    play(tmp_path, window.port, scene, TINY)


def test_what_becomes_of_an_order_is_a_note(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await sees(app, pilot)
        for result in OrderResult:
            window.answer = OrderAnswer(result=result, code="x", text=f"now [b]{result}")
            await pilot.press("f")
            await reads(app, pilot, f"now [b]{result}")
        await pilot.press("h", "ctrl+u", "x", "enter")
        await reads(app, pilot, "write 90, 90s, 5m")
        window.key = "another-key"
        await pilot.press("f")
        await reads(app, pilot, "accept")
        assert window.orders.qsize() == len(OrderResult)

    play(tmp_path, window.port, scene, notes=True)


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


def test_the_captain_answers_in_a_window_of_his_own(tmp_path: Path, window: Window) -> None:
    said: dict[str, object] = {"answer": "Here I am.\n- and there", "failed": "", "files": ["a.png"]}
    window.captain = [{"tool": "voice_join", "outcome": "joined"}, said]
    window.captain_may_answer.clear()

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await pilot.press("a", "c", "o", "enter")
        assert window.orders.get(timeout=DEADLINE) == ("/captain/ask", {"request": "co"})
        await pilot.press("escape")
        assert window.orders.get(timeout=DEADLINE)[0] == "taken back"
        await pilot.press("a", "g", "o", "enter")
        app._box.put(CaptainSaid(asking=1, row=(("too late", Tone.PLAIN),)))
        window.captain_may_answer.set()
        await reads(app, pilot, "go", "voice_join: joined", "Here I am.", "│ - and there", "a.png")
        assert "too late" not in screen(app)
        await pilot.press("escape")
        assert not isinstance(app.screen, Captain)

    play(tmp_path, window.port, scene, SMALL)


def test_words_and_the_log_are_shown_while_they_are_wanted(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        assert window.watched.get(timeout=DEADLINE) == "/events?words=0&logs=0"
        await pilot.press("w")
        assert window.watched.get(timeout=DEADLINE) == "/events?words=1&logs=0"
        window.show(*(words_view(f"What time is it, {each}?") for each in range(30)))
        await reads(app, pilot, "Anna: What time is it, 29?")
        app._talk.scroll_home(animate=False, immediate=True)
        await pilot.press("g")
        assert window.watched.get(timeout=DEADLINE) == "/events?words=1&logs=1"
        window.show(log_view(1.0, "ERROR", "out of paper"))
        await reads(app, pilot, "out of paper")
        await pilot.press("w", "g")
        on_its_way = parse_view(words_view("What time was it?"))
        assert on_its_way is not None
        app._box.put(on_its_way)
        app._look()
        await until(pilot, lambda: "What time" not in screen(app) and "out of paper" not in screen(app))

    play(tmp_path, window.port, scene)


def test_a_house_is_waited_for_and_found_again_with_its_new_key(tmp_path: Path, window: Window) -> None:
    window.close()

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await reads(app, pilot, "is not running", "looking again every second")
        assert "He is in no room" not in screen(app)
        for room in ("room-2", "room-3"):
            again = Window(tmp_path / "console", window.port)
            again.key = f"the key of {room}".replace(" ", "-")
            key_file(tmp_path / "console", window.port).write_text(again.key)
            again.report = windows.report(stay(room_id=room))
            await reads(app, pilot, room, "healthy")
            assert "looking again" not in screen(app)
            again.close()
            await reads(app, pilot, "looking again every second", room, "when it was last seen")
            assert "healthy" not in screen(app)
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        signal.raise_signal(signal.SIGTERM)
        await until(pilot, lambda: not app.is_running)

    play(tmp_path, window.port, scene)


def test_the_chosen_actor_stays_chosen_while_others_come_and_go(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await sees(app, pilot)
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

    play(tmp_path, window.port, scene)


def test_lines_that_somebody_reads_do_not_run_away(tmp_path: Path, window: Window) -> None:
    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await sees(app, pilot)
        window.show(*(receipt("discord.voice.floor", number=f"{each:03}") for each in range(MOST_RECEIPTS)))
        await reads(app, pilot, "number 199")
        app._receipts.scroll_home(animate=False, immediate=True)
        await reads(app, pilot, "number 000")
        window.show(receipt("discord.voice.floor", number="200"))
        window.show_status()
        await until(pilot, lambda: "number 200" in written(app._picture.receipts[-1].row))
        assert "number 000" in screen(app)
        app._receipts.scroll_end(animate=False, immediate=True)
        window.show_status()
        window.show(receipt("discord.voice.floor", number="201"))
        await reads(app, pilot, "number 200", "number 201")

    play(tmp_path, window.port, scene)


def test_a_terminal_gets_no_orders_from_whoever_named_a_thing(tmp_path: Path, window: Window) -> None:
    evil = "\x1b[2J\x9b2J\x07\u202eodd"
    window.report = windows.report(
        stay(room_id=evil, holder=evil, heard=(evil,), link_lost=evil, floor=evil, last_turn=evil),
        tree=node("root", node(f"root/{evil}")),
    )
    window.why = WhyReport(
        lines=(line(evil),), turns=(turn(outcome=evil, trigger=evil, reason=evil, tools=(evil,)),)
    )
    window.answer = OrderAnswer(result=OrderResult.DONE, code="x", text=f"noted {evil}")
    window.captain = [{"tool": evil, "outcome": evil}, {"answer": evil, "failed": "", "files": [evil]}]

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        # One key after the other: both in one moment are one new line to the house.
        for lines, keys in enumerate(([], ["w"], ["g"]), 1):
            await pilot.press(*keys)
            await until(pilot, lambda lines=lines: window.watched.qsize() == lines)  # type: ignore[misc]
        window.show(receipt(f"x.{evil}", odd=evil), words_view(evil, label=evil), log_view(1e300, evil, evil))
        window.show_status()
        await reads(app, pilot, "odd:", "odd by name", "--:--:--", "x.[2J2Jodd")
        seen = screen(app)
        for keys in (["f"], ["end", "r"], ["escape", "a", "c", "enter"]):
            await pilot.press(*keys)
            await reads(
                app, pilot, "odd", "noted" if keys == ["f"] else "does it" if "r" in keys else "with files"
            )
            seen += screen(app)
        assert seen.replace("\n", "").isprintable()

    play(tmp_path, window.port, scene, (112, 30), notes=True)


def test_it_gives_orders_to_a_real_console_too(tmp_path: Path) -> None:
    loop = IoLoop()
    loop.start()
    desk = Desk(loop, tmp_path / "console")

    async def scene(app: HouseConsole, pilot: Pilot[None]) -> None:
        await reads(app, pilot, "not well: the house does not describe itself")
        await pilot.press("f")
        flush = await asyncio.to_thread(desk.neighbours.evidence.expect, Flush, DEADLINE)
        flush.done.tell(Flushed(lost=0))
        await reads(app, pilot, "is on disk")

    try:
        play(tmp_path, desk.port, scene, notes=True)
    finally:
        desk.close()
        assert loop.stop(2)


def test_a_house_too_busy_to_say_why_is_not_lost(tmp_path: Path, window: Window) -> None:
    window.is_busy, box = True, Box()
    feed = Feed(window.port, tmp_path / "console", box)
    feed.start()
    window.watched.get(timeout=DEADLINE)
    assert window.asked_why.get(timeout=DEADLINE)
    window.is_busy = False
    for _ in range(STATUSES_TO_WAIT + 1):
        window.show_status()
    assert window.asked_why.get(timeout=DEADLINE)
    assert feed.stop(DEADLINE)
    assert window.asked_why.empty()
    assert [type(news) for news in box.take()] == [StatusView] * (STATUSES_TO_WAIT + 2) + [WhyReport]


@pytest.mark.parametrize(
    ("variable", "light"), [("0;15", True), ("0;default;7", True), ("15;0", False), ("", False)]
)
def test_a_light_terminal_gets_light_colours(variable: str, light: bool) -> None:
    assert is_light({"COLORFGBG": variable} if variable else {}) is light
