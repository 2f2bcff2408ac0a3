"""The full-screen console: it draws the picture a few times a second."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final, assert_never

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer

from actors.console.report import WhyReport
from actors.console.wire_views import LogView, ReceiptView, StatusView, WordsView
from supervisors.terminal import picture as pictures
from supervisors.terminal import stays
from supervisors.terminal.errands import Errands
from supervisors.terminal.feed import Feed
from supervisors.terminal.house import actors
from supervisors.terminal.ink import Row, Tone
from supervisors.terminal.keys import KEYS
from supervisors.terminal.news import Box, CaptainSaid, Lost, News, Ordered
from supervisors.terminal.ordering import Ordering
from supervisors.terminal.paint import DARK, LIGHT, rows_of
from supervisors.terminal.panels import House, Line, Lines
from supervisors.terminal.standing import opened, standing
from supervisors.terminal.talk import told

LOOKS_A_SECOND: Final = 5
STOP_SECONDS: Final = 3.0
WIDE: Final = 110
WIDE_BARS, NARROW_BARS = 24, 12


class HouseConsole(Ordering):
    """One screen for one house; it outlives the house, and finds the next one on the same port."""

    TITLE = "clankie"
    CSS_PATH = "console.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        *(Binding(key.key, key.action, key.word, show=bool(key.word)) for key in KEYS if key.action),
    ]

    def __init__(self, port: int, directory: Path) -> None:
        self._box = Box()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (36, "-tall")]
        super().__init__(Errands(port, directory, self._box))
        self._feed = Feed(port, directory, self._box)
        self._words = self._logs = False
        self._header, self._banner = Line("header"), Line("banner")
        self._house = House()
        self._stays = Lines("Stays", "", "stays", follows=False)
        self._talk = Lines("Lines and turns", "Nobody has said anything yet.", "talk")
        self._receipts = Lines("Receipts", "Nothing has been put on record since you came.", "receipts")
        self._log_end = Lines("Log", "Nothing has been logged since you came.", "log")
        self.ansi_theme_dark, self.ansi_theme_light = DARK, LIGHT
        self.theme = "textual-light" if is_light(os.environ) else "textual-dark"

    @property
    def chosen_actor(self) -> str | None:
        """The path that is chosen in the tree."""
        return self._house.chosen

    def compose(self) -> ComposeResult:
        """Header, tree, stays, talk, the two tails and the keys."""
        yield self._header
        yield self._banner
        with Horizontal(id="body"):
            yield self._house
            with Vertical(id="middle"):
                yield self._stays
                yield self._talk
        with Horizontal(id="ends"):
            yield self._receipts
            yield self._log_end
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Begin to look; who ends the process gets his terminal back as it was."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        self._house.focus()
        self._draw()
        self._feed.start()
        self.set_interval(1 / LOOKS_A_SECOND, self._look)

    def on_unmount(self) -> None:
        """Look no longer."""
        self._errands.take_back()
        self._feed.stop(STOP_SECONDS)

    def action_words(self) -> None:
        """w: of what was shown before nothing stays."""
        self._words = not self._words
        self._picture = pictures.without_words(self._picture)
        self._talk.go_on()
        self._feed.want(words=self._words, logs=self._logs)
        self._draw()

    def action_logs(self) -> None:
        """g."""
        self._logs = not self._logs
        self.screen.set_class(self._logs, "logs")
        self._feed.want(words=self._words, logs=self._logs)

    def action_next_stay(self) -> None:
        """n."""
        self._picture = pictures.with_next_stay(self._picture)
        self._draw()

    def action_dark(self) -> None:
        """d."""
        self.ansi_theme_dark, self.ansi_theme_light = DARK, LIGHT
        self.theme = "textual-dark" if self.theme == "textual-light" else "textual-light"

    def _look(self) -> None:
        news = self._box.take()
        for each in news:
            self._take(each)
        if news:
            self._draw()

    def _take(self, news: News) -> None:
        match news:
            case WordsView() if not self._words:
                pass  # it was on its way when they were hidden
            case StatusView() | ReceiptView() | WordsView() | LogView():
                self._picture = pictures.after(self._picture, news)
            case WhyReport():
                self._picture = pictures.with_why(self._picture, news)
            case Lost():
                self._picture = pictures.with_trouble(self._picture, news.trouble)
            case Ordered():
                self._told_of_order(news)
            case CaptainSaid():
                self._told_by_captain(news)
            case _:
                assert_never(news)

    def _draw(self) -> None:
        picture = self._picture
        self._header.show(_header(picture, self._box.dropped))
        self._banner.show(((f"{picture.trouble} · looking again every second", Tone.PLAIN),))
        self.screen_stack[0].set_class(bool(picture.trouble), "lost")
        report, bars = picture.report, WIDE_BARS if self.size.width >= WIDE else NARROW_BARS
        self._house.show(tuple(actors(report.tree if report is not None else None)), picture.news)
        if report is not None:
            self._stays.show(stays.rows(report.stays, picture.chosen, picture.latencies, bars))
        self._talk.border_title = "Lines and turns, with words" if self._words else "Lines and turns"
        self._talk.show(rows_of(told(picture.why.lines, picture.why.turns, picture.words)))
        self._receipts.show(rows_of(picture.receipts))
        self._log_end.show(rows_of(picture.logs))


def is_light(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that its background is light, as some do: COLORFGBG is "0;15"."""
    return environ.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"}


def _header(picture: pictures.Picture, dropped: int) -> Row:
    if picture.report is None:
        return (("clankie", Tone.STRONG),)
    if picture.trouble:
        return ((f"{opened(picture.report)}, when it was last seen", Tone.DIM),)
    late = ((f" · {dropped} things were not shown", Tone.WARN),) if dropped else ()
    return ((opened(picture.report), Tone.STRONG), (" · ", Tone.DIM), *standing(picture.report), *late)
