"""Guests who go on living whatever goes wrong: they chat, address and stop him, and ask his captain."""

from __future__ import annotations

import json
import random
import time
from typing import Final

from tests.loopback.openai.responses_asked import CaptainAsked, CaptainReply
from tests.reliability.chaos.history import Order
from tests.reliability.chaos.notes import Notes
from tests.reliability.guests import Guest
from tests.reliability.night import Evening
from tests.reliability.voices import Kind, of_kind

MOST_TALKING: Final = 2
PAUSE_SECONDS: Final = (0.5, 2.5)
LOOKED_UP: Final = "dinner"
"""Whoever asks for this aloud has the captain asked."""
WEIGHTS: Final = {
    Kind.TALK: 5.0,
    Kind.ADDRESS: 4.0,
    Kind.STORY: 2.5,
    Kind.STOP: 1.5,
    Kind.BACKCHANNEL: 2.0,
}
WRITES: Final = 0.1
ASKS_THE_CAPTAIN: Final = 0.08
EMOJI: Final = "👍"
SLOW_SECONDS: Final = 0.7
"""Before each event of a captain's step."""


class Company:
    """The guests of one evening, and a chance that a seed draws."""

    def __init__(self, evening: Evening, notes: Notes, chance: random.Random) -> None:
        self._evening, self._notes, self._chance = evening, notes, chance
        self._messages: dict[int, float] = {}
        evening.openai.rest.brains.captain = slowly
        evening.mind.hands_over = LOOKED_UP

    def act(self) -> float:
        """Somebody does something, or nobody; in how many seconds somebody will again."""
        here = [one for one in self._evening.guests.values() if one.here and one.participant.connected]
        free = [one for one in here if not one.saying]
        drawn = self._chance.random()
        if not free:
            pass
        elif drawn < ASKS_THE_CAPTAIN:
            self._messages[self._chance.choice(free).address("would you look into that")] = time.monotonic()
        elif drawn < ASKS_THE_CAPTAIN + WRITES:
            self._chance.choice(free).write("so much for that")
        elif len(here) - len(free) < MOST_TALKING:
            self._speaks(self._chance.choice(free))
        return self._chance.uniform(*PAUSE_SECONDS)

    def hush(self) -> None:
        """Everybody says what he is saying to its end, and is silent then."""
        for guest in self._evening.guests.values():
            guest.finish(10.0)

    def orders(self) -> list[Order]:
        """What was written to the captain, and how often he answered each and put his thumb under it."""
        posts, reactions = self._evening.discord.posts, self._evening.discord.reactions
        found: list[Order] = []
        for message, at in self._messages.items():
            answers = sum(post.reply_to == message for post in posts)
            thumbs = sum(one.message == message and not one.removed for one in reactions)
            for what, times in (("an answer to message", answers), ("a reaction to message", thumbs)):
                found.append(Order(at=at, name=str(message), what=what, times=times))
        return found

    def _speaks(self, guest: Guest) -> None:
        kind = self._chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        line = self._chance.choice(of_kind(kind))
        ended = guest.say(line)
        self._notes.speech(line, guest.id, ended - line.seconds, ended)


def slowly(asked: CaptainAsked) -> CaptainReply:
    """A captain who puts his thumb under the message first, and answers it then."""
    if not asked.steps and "react" in asked.tools:
        return CaptainReply(calls=(("react", json.dumps({"emoji": EMOJI})),), pause=SLOW_SECONDS)
    return CaptainReply(text="There it is.", pause=SLOW_SECONDS)
