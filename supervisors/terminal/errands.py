"""Orders on their way: each in a thread of its own, so that the screen never waits for an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final, assert_never

from actors.console.caller import TookTooLong, ask
from actors.console.client import ClientError
from actors.console.orders_client import order
from actors.console.wire import Answered, Used
from messages.lifecycle import Scalar
from messages.reasons import in_words
from supervisors.terminal.ink import Row, Tone
from supervisors.terminal.news import Box, CaptainSaid, Ordered

MOST: Final = 4
ASK_SECONDS: Final = 900.0
_TOO_MANY: Final = "several orders are on their way already; wait for their answers"


class Errands:
    """Gives orders, and puts what becomes of them into a box; what is still on its way ends with us."""

    def __init__(self, port: int, directory: Path, box: Box) -> None:
        self._port, self._directory, self._box = port, directory, box
        self._lock, self._under_way = Lock(), 0
        self._asking, self._given_up = 0, Event()

    def give(self, what: str, path: str, body: Mapping[str, Scalar]) -> None:
        """Give this order; `what` names it for people."""
        if not self._begin(lambda: self._give(what, path, body)):
            self._box.put(Ordered(what=what, trouble=_TOO_MANY))

    def ask(self, request: str) -> int:
        """Ask the captain, and take back what was before; returns the number of what he says to it."""
        self.take_back()
        self._asking, self._given_up = self._asking + 1, Event()
        asking, given_up = self._asking, self._given_up
        if not self._begin(lambda: self._ask(asking, request, given_up)):
            self._box.put(CaptainSaid(asking=asking, row=((_TOO_MANY, Tone.BAD),)))
        return asking

    def take_back(self) -> None:
        """Want no answer of the captain any more."""
        self._given_up.set()

    def _begin(self, run: Callable[[], None]) -> bool:
        with self._lock:
            if self._under_way >= MOST:
                return False
            self._under_way += 1
        Thread(target=self._run, args=(run,), name="errand", daemon=True).start()
        return True

    def _run(self, run: Callable[[], None]) -> None:
        try:
            run()
        finally:
            with self._lock:
                self._under_way -= 1

    def _give(self, what: str, path: str, body: Mapping[str, Scalar]) -> None:
        try:
            answer = order(self._port, self._directory, path, body)
        except ClientError as error:
            self._box.put(Ordered(what=what, trouble=str(error)))
        else:
            self._box.put(Ordered(what=what, answer=answer))

    def _ask(self, asking: int, request: str, given_up: Event) -> None:
        try:
            news = ask(self._port, self._directory, request, seconds=ASK_SECONDS, given_up=given_up.is_set)
            with closing(news):
                for each in news:
                    for row in _rows(each):
                        self._box.put(CaptainSaid(asking=asking, row=row))
        except ClientError as error:
            self._box.put(CaptainSaid(asking=asking, row=((str(error), Tone.BAD),)))
        except TookTooLong:
            self._box.put(CaptainSaid(asking=asking, row=(("no answer came in time", Tone.BAD),)))


def _rows(news: Used | Answered) -> tuple[Row, ...]:
    match news:
        case Used():
            return (((f"{news.tool}: {news.outcome}", Tone.DIM),),)
        case Answered(failed=failed) if failed:
            return (((f"he could not answer: {in_words(failed)}", Tone.BAD),),)
        case Answered():
            lines = news.answer.splitlines() or ["(he says nothing)"]
            files = [f"with files, which can be shown in chats only: {', '.join(news.files)}"]
            return (
                *(((line, Tone.HIS),) for line in lines),
                *(((line, Tone.DIM),) for line in files if news.files),
            )
        case _:
            assert_never(news)
