"""The thread that watches the house, and comes back when the house does."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final

from actors.console.client import ClientError, NoAnswer, fetch_why
from actors.console.watcher import Watcher, watch
from actors.console.wire_views import ReceiptView, Shown, StatusView
from supervisors.terminal.news import Box, Lost
from supervisors.terminal.picture import is_of_a_turn

AGAIN_SECONDS: Final = 1.0
WHY_SECONDS: Final = 2.0
STATUSES_TO_WAIT: Final = 5
MOST_TURNS: Final = 60


class Feed:
    """Puts what the house shows into a box, from `start` to `stop`; each connection reads the key anew."""

    def __init__(self, port: int, directory: Path, box: Box) -> None:
        self._port, self._directory, self._box = port, directory, box
        self._words = self._logs = False
        self._lock, self._changed, self._stopped = Lock(), Event(), Event()
        self._watcher: Watcher | None = None
        self._why_is_old, self._statuses_to_wait = True, 0
        self._thread = Thread(target=self._run, name="feed", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def want(self, *, words: bool, logs: bool) -> None:
        """Watch with these from now on."""
        with self._lock:
            self._words, self._logs = words, logs
            self._hang_up()

    def stop(self, seconds: float) -> bool:
        """Watch no longer; whether the thread came to its end in this time."""
        with self._lock:
            self._stopped.set()
            self._hang_up()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _hang_up(self) -> None:
        self._changed.set()
        if self._watcher is not None:
            self._watcher.close()

    def _run(self) -> None:
        while (watcher := self._begin()) is not None:
            self._why_is_old = True
            try:
                for view in watcher:
                    self._take(view)
            except ClientError as error:
                self._box.put(Lost(trouble=str(error)))
                self._changed.wait(AGAIN_SECONDS)
            finally:
                watcher.close()

    def _begin(self) -> Watcher | None:
        with self._lock:
            self._changed.clear()
            if self._stopped.is_set():
                return None
            self._watcher = watch(self._port, self._directory, words=self._words, logs=self._logs)
            return self._watcher

    def _take(self, view: Shown) -> None:
        self._box.put(view)
        if isinstance(view, ReceiptView):
            self._why_is_old = self._why_is_old or is_of_a_turn(view.receipt.type)
        elif isinstance(view, StatusView) and self._why_is_old:
            self._ask_why()

    def _ask_why(self) -> None:
        """A house too busy to say it is not lost for that; it is asked again after a while."""
        if self._statuses_to_wait:
            self._statuses_to_wait -= 1
            return
        try:
            why = fetch_why(self._port, self._directory, most=MOST_TURNS, deadline=WHY_SECONDS)
        except NoAnswer:
            self._statuses_to_wait = STATUSES_TO_WAIT
        else:
            self._why_is_old = False
            self._box.put(why)
