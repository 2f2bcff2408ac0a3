"""The small windows over the screen: a line to type, a question to confirm, the keys, and the captain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from supervisors.terminal.ink import Row, plain
from supervisors.terminal.paint import painted_all

_CLOSE = Binding("escape", "close", "Close")


class Typed(ModalScreen[str | None]):
    """One line of text; None if he who was asked thinks better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [_CLOSE]

    def __init__(self, title: str, hint: str, text: str = "", longest: int = 0) -> None:
        super().__init__()
        self._title, self._hint, self._text, self._longest = title, hint, text, longest

    def compose(self) -> ComposeResult:
        """A title, the line, and what the keys do."""
        with Vertical(classes="dialog"):
            yield Static(Text(self._title, style="bold"))
            yield Input(self._text, placeholder=self._hint, max_length=self._longest)
            yield Static(Text("Enter does it, Escape does not.", style="dim"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Escape."""
        self.dismiss(None)


class Sure(ModalScreen[bool]):
    """Something that is not done by accident."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The question, and its two keys."""
        with Vertical(classes="dialog"):
            yield Static(Text(plain(self._question), style="bold"))
            yield Static(Text("y does it, n or Escape does not.", style="dim"))

    def action_answer(self, yes: bool) -> None:
        """One of the keys."""
        self.dismiss(yes)


class Keys(ModalScreen[None]):
    """Every key, and what it does."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "close", "Close")]

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self._rows = tuple(rows)

    def compose(self) -> ComposeResult:
        """A table of two columns."""
        lines = (Text.assemble((f"{key:>6}  ", "bold cyan"), what) for key, what in self._rows)
        with VerticalScroll(classes="dialog tall"):
            yield Static(Text("Keys", style="bold"))
            yield Static(Text("\n").join(lines))

    def action_close(self) -> None:
        """Any of its keys."""
        self.dismiss(None)


class Captain(ModalScreen[None]):
    """An answer of the captain as it comes; to close it before the end takes the order back."""

    BINDINGS: ClassVar[list[BindingType]] = [_CLOSE]

    def __init__(self, request: str) -> None:
        super().__init__()
        self._request, self._rows = request, Static()

    def compose(self) -> ComposeResult:
        """What was asked, and what has come of it."""
        with VerticalScroll(classes="dialog tall"):
            yield Static(Text(plain(self._request), style="bold"))
            yield self._rows
            yield Static(Text("Escape closes this, and takes back what is not answered yet.", style="dim"))

    def show(self, rows: Iterable[Row]) -> None:
        """All that has come by now."""
        self._rows.update(painted_all(rows))

    def action_close(self) -> None:
        """Escape."""
        self.dismiss(None)
