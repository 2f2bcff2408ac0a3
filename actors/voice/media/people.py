"""Who is on the call and whose stream is whose, as the voice server says it."""

from __future__ import annotations

from itertools import islice
from typing import Final

from actors.voice.media.acts import Acts, Departed, PeopleNow, Speaker
from actors.voice.media.letters import Came, Stream, Went

MOST: Final = 10_000
"""People whom a server may name on one line, and whose streams; more than any stage has."""


class People:
    """Everybody whom the server has named, but himself."""

    def __init__(self, own: int) -> None:
        self._own = own
        self._here: frozenset[int] = frozenset()
        self._heard: set[int] = set()

    def came(self, letter: Came) -> Acts:
        """Some, or all, who are there."""
        fresh = letter.users - self._here - {self._own}
        self._here |= frozenset(islice(fresh, MOST - len(self._here)))
        return (PeopleNow(users=self._here),)

    def went(self, letter: Went) -> Acts:
        """One who is gone."""
        if letter.user == self._own:
            return ()
        self._here -= {letter.user}
        return PeopleNow(users=self._here), Departed(user=letter.user)

    def stream(self, letter: Stream) -> Acts:
        """One who can be heard, also before he was named."""
        if letter.user not in self._heard and len(self._heard) >= MOST:
            return ()
        self._heard.add(letter.user)
        return (Speaker(ssrc=letter.ssrc, user=letter.user),)
