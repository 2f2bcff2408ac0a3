"""The half of the console that gives orders: a key, perhaps a question, and a note of what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.app import App

from messages.console import OrderResult
from messages.lifecycle import Scalar
from supervisors.terminal.dialogs import Captain, Keys, Sure, Typed
from supervisors.terminal.durations import LONGEST, seconds_in
from supervisors.terminal.errands import Errands
from supervisors.terminal.ink import Row, plain
from supervisors.terminal.keys import KEYS, shown
from supervisors.terminal.news import CaptainSaid, Ordered
from supervisors.terminal.picture import Picture

LONGEST_SAY: Final = 600
LONGEST_NAME: Final = 128
LONGEST_REQUEST: Final = 4_000


_THE_HOUSE: Final = "that is the whole house; close it (x), and start it again"
_COSTS: Final = {
    "body": " Every stay ends with it.",
    "gateway": " Every stay ends with it.",
    "stays": " Every stay ends with it.",
    "console": " Every open page then needs the new key.",
}


def _costs(path: str) -> str:
    """What else ends with an actor of the house."""
    return _COSTS.get(path.rpartition("/")[2], "")


class Ordering(App[None]):
    """What the keys do; where there are several stays, it is done in the chosen one."""

    def __init__(self, errands: Errands) -> None:
        super().__init__()
        self._errands = errands
        self._picture = Picture()
        self._captain: Captain | None = None
        self._asking, self._answer = 0, tuple[Row, ...]()

    @property
    def chosen_actor(self) -> str | None:
        """The path that is chosen in the tree."""
        raise NotImplementedError

    # --- keys -------------------------------------------------------------------------------------

    def action_join(self) -> None:
        """j."""
        self._typed(
            "Which room?",
            "the id of a room; empty: to where the owner is",
            lambda room: self._give("join", "/stays/join", {"room": room or None}),
            longest=LONGEST_NAME,
        )

    def action_leave(self) -> None:
        """l."""
        self._give("leave", "/stays/leave", self._here())

    def action_say(self) -> None:
        """s."""
        self._typed(
            "What does he say?",
            "word for word",
            self._say,
            longest=LONGEST_SAY,
        )

    def action_hush(self) -> None:
        """h."""
        self._typed("For how long is he silent?", "90, 90s, 5m or 1h; 0: he may speak", self._hush, "5m")

    def action_interrupt(self) -> None:
        """i."""
        self._give("stop", "/interrupt", self._here())

    def action_restart(self) -> None:
        """r."""
        path = self.chosen_actor
        if path is not None and "/" not in path:
            self.notify(_THE_HOUSE, title="restart", severity="error", markup=False)
        elif path is not None:
            self._sure(
                f"Give {path} a new life?{_costs(path)}",
                lambda: self._give("restart", "/actors/restart", {"path": path}),
            )

    def action_flush(self) -> None:
        """f."""
        self._give("flush", "/evidence/flush", {})

    def action_shutdown(self) -> None:
        """x."""
        question = "Close the house, and every stay with it?"
        self._sure(question, lambda: self._give("shutdown", "/shutdown", {}))

    def action_ask(self) -> None:
        """a."""
        hint = 'what he should do: "come here"'
        self._typed("What should the captain do?", hint, self._ask, longest=LONGEST_REQUEST)

    def action_keys(self) -> None:
        """?."""
        self.push_screen(Keys((shown(key.key), key.does) for key in KEYS))

    # --- answers ----------------------------------------------------------------------------------

    def _told_of_order(self, news: Ordered) -> None:
        """A note in the corner."""
        if news.answer is None:
            self.notify(news.trouble, title=news.what, severity="error", markup=False)
            return
        match news.answer.result:
            case OrderResult.DONE:
                self.notify(plain(news.answer.text), title=news.what, markup=False)
            case OrderResult.REFUSED:
                self.notify(plain(news.answer.text), title=news.what, severity="error", markup=False)
            case OrderResult.GONE | OrderResult.PENDING:
                self.notify(plain(news.answer.text), title=news.what, severity="warning", markup=False)

    def _told_by_captain(self, news: CaptainSaid) -> None:
        """A line in his window; of what was taken back nothing is shown."""
        if self._captain is not None and news.asking == self._asking:
            self._answer = (*self._answer, news.row)
            self._captain.show(self._answer)

    # --- helpers ----------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if text:
            self._give("say", "/say", {"text": text, **self._here()})

    def _hush(self, duration: str) -> None:
        seconds = seconds_in(duration)
        if seconds is None or seconds > LONGEST:
            sentence = "write 90, 90s, 5m or 1h, and at most 24h"
            self.notify(sentence, title="hush", severity="error", markup=False)
        else:
            self._give("hush", "/hush", {"seconds": seconds, **self._here()})

    def _ask(self, request: str) -> None:
        if not request:
            return
        self._answer, self._captain = (), Captain(request)
        self.push_screen(self._captain, self._asked)
        self._asking = self._errands.ask(request)

    def _asked(self, _: None) -> None:
        self._captain = None
        self._errands.take_back()

    def _here(self) -> dict[str, Scalar]:
        return {"stay": self._picture.chosen}

    def _give(self, what: str, path: str, body: dict[str, Scalar]) -> None:
        self._errands.give(what, path, body)

    def _typed(
        self, title: str, hint: str, then: Callable[[str], None], text: str = "", longest: int = 40
    ) -> None:
        def told(typed: str | None) -> None:
            if typed is not None:
                then(typed)

        self.push_screen(Typed(title, hint, text, longest), told)

    def _sure(self, question: str, then: Callable[[], None]) -> None:
        def told(yes: bool | None) -> None:
            if yes:
                then()

        self.push_screen(Sure(question), told)
