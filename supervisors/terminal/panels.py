"""The parts of the screen: lines that follow their end, and the tree in which an actor can be chosen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from supervisors.terminal.house import Actor, row
from supervisors.terminal.ink import Row
from supervisors.terminal.paint import painted, painted_all


class Lines(VerticalScroll):
    """Lines of which the end stays in sight, unless somebody has scrolled up to read."""

    def __init__(self, title: str, empty: str, panel: str, *, follows: bool = True) -> None:
        super().__init__(id=panel, classes="panel")
        self.border_title = title
        self._empty, self._follows = empty, follows
        self._body = Static()
        self._shown: tuple[Row, ...] | None = None

    def compose(self) -> ComposeResult:
        """One text, however many lines it has."""
        yield self._body

    def on_mount(self) -> None:
        """Hold on to the end, if that is where the news are."""
        if self._follows:
            self.anchor()

    def show(self, rows: Sequence[Row]) -> None:
        """These, and no others, as soon as nobody reads further up, from where they would run away."""
        shown = tuple(rows)
        if shown == self._shown or (self._follows and 0 <= self.scroll_y < self.max_scroll_y):
            return
        self._shown = shown
        self._body.update(painted_all(shown) if shown else self._empty)

    def go_on(self) -> None:
        """Go to the end, whoever reads."""
        self.scroll_end(animate=False, immediate=True)


class Line(Static):
    """One row, drawn again only where it is another one."""

    def __init__(self, panel: str) -> None:
        super().__init__(id=panel)
        self._now: Row | None = None

    def show(self, row: Row) -> None:
        """This, and nothing else."""
        if row != self._now:
            self._now = row
            self.update(painted(row))


class House(OptionList):
    """The tree; who is chosen stays chosen while others come and go."""

    def __init__(self) -> None:
        super().__init__(id="house", classes="panel", markup=False)
        self.border_title = "House"
        self._paths: tuple[str, ...] = ()

    @property
    def chosen(self) -> str | None:
        """The path of the chosen actor."""
        at = self.highlighted
        return self._paths[at] if at is not None and at < len(self._paths) else None

    def show(self, actors: Sequence[Actor], new: Collection[str]) -> None:
        """The tree as it is now."""
        lines = {actor.path: painted(row(actor, new=actor.path in new)) for actor in actors}
        if tuple(lines) == self._paths:
            for path, line in lines.items():
                if self.get_option(path).prompt != line:
                    self.replace_option_prompt(path, line)
            return
        chosen = self.chosen
        self._paths = tuple(lines)
        self.clear_options()
        self.add_options(Option(line, id=path) for path, line in lines.items())
        if self._paths:
            self.highlighted = self._paths.index(chosen) if chosen in lines else 0
