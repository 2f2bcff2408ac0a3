"""Who is on the call and whose stream is whose, as the voice server says it."""

from __future__ import annotations

from actors.voice.media.acts import Acts, Departed, PeopleNow, Speaker
from actors.voice.media.letters import Came, Stream, Went


class People:
    """Everybody whom the server has named, but himself."""

    def __init__(self, own: int) -> None:
        self._own = own
        self._here: frozenset[int] = frozenset()

    def came(self, letter: Came) -> Acts:
        """Some, or all, who are there."""
        self._here |= letter.users - {self._own}
        return (PeopleNow(users=self._here),)

    def went(self, letter: Went) -> Acts:
        """One who is gone."""
        if letter.user == self._own:
            return ()
        self._here -= {letter.user}
        return PeopleNow(users=self._here), Departed(user=letter.user)

    def stream(self, letter: Stream) -> Acts:
        """One who can be heard, also before he was named."""
        return (Speaker(ssrc=letter.ssrc, user=letter.user),)
