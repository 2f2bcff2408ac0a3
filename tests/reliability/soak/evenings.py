"""What people do all day: talk, ask, interrupt, write, come, go and change their minds; and what breaks."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Final

from messages.console import HushOrdered, OrderGiven, SayOrdered, StatusAsked, WhyAsked
from messages.gateway import (
    AskedBy,
    Asker,
    ForgetAsked,
    GatewayAway,
    GatewayBack,
    LeaveAnswered,
    LeaveVoice,
    MessageGone,
)
from messages.ids import OrderId, RoomId
from tests.loopback.openai.chat import Call
from tests.loopback.openai.mind import Asked, Reply, pieces_of
from tests.probe import Probe
from tests.reliability.soak.house import House
from tests.stories.sound import NOISE
from tests.stories.town import ATTIC, DEN, PLACES

STORY: Final = " ".join(f"This is sentence {number} of a story that goes on." for number in range(6))
MOST_GUESTS: Final = 4
TALK: Final = ("did you see the game last night", "the soup was too hot", "I will be late tomorrow", NOISE)
LOOKED_UP: Final = ("what time is it", "what day is it", "help", "what is in my notes")
CRASHED: Final = (
    "mouth/playback",
    "mouth/tts",
    "mouth/floor",
    "realtime",
    "voice",
    "ears",
    "mouth",
    "captain",
    "meter",
    "console",
    "evidence",
    "stay",
    "gateway",
    "stays",
)
"""Whoever may crash, by the end of his path."""


def think(asked: Asked) -> Reply:
    """The mind: a story, a question to the captain, an answer, or nothing."""
    if asked.trigger == "handoff_result":
        return Reply(pieces=pieces_of("My captain says that it is so."))
    lines = [json.loads(said.text) for said in asked.context if said.role == "user"]
    newest = str(next((line["text"] for line in reversed(lines) if "text" in line), ""))
    if asked.trigger not in ("address", "offer", "volition"):
        return Reply()
    if "look up" in newest:
        request = json.dumps({"request": newest.partition("look up ")[2]})
        return Reply(pieces=("Let me look.",), calls=(Call(name="ask_clankie", arguments=request),))
    return Reply(pieces=pieces_of(STORY if "story" in newest else f"Yes to {newest}."), pause=0.05)


class Evening:
    """One room's people and what they do, drawn by chance; `did` counts it."""

    def __init__(self, house: House, chance: random.Random, host: str, *, crashes: bool) -> None:
        self.house, self.host = house, host
        self.did: Counter[str] = Counter()
        self._chance, self._crashes = chance, crashes
        self._guests: list[str] = []
        self._asked = 0
        self._left: Probe[LeaveAnswered] = Probe()
        self._deeds: tuple[tuple[Callable[[], None], int], ...] = (
            (self.ask, 40),
            (self.talk, 20),
            (self.interrupt, 6),
            (self.look_up, 4),
            (self.come_or_go, 14),
            (self.change_consent, 8),
            (self.write, 8),
            (self.look_in, 4),
            (self.break_lines, 1),
            *(((self.crash, 5), (self.trouble, 2)) if crashes else ()),
        )

    @property
    def room(self) -> RoomId:
        """Where the host is."""
        return self.house.where[self.host]

    @property
    def inside(self) -> bool:
        """Whether he is in their guild's room."""
        return PLACES[self.room] in self.house.account.inside

    # --- a stay

    def begin(self) -> None:
        """He is asked in, and hears the host."""
        self.did["stays"] += 1
        self.house.calls(self.host)
        self.house.run(2.0)
        self.house.consent(self.host)

    def go_on(self, seconds: float, pause: float = 30.0) -> None:
        """Live for so long, or until he is gone; something happens every `pause` seconds or so."""
        end = self.house.clock.now() + seconds
        deeds, weights = zip(*self._deeds, strict=True)
        while self.house.clock.now() < end and self.inside:
            deed: Callable[[], None] = self._chance.choices(deeds, weights)[0]
            deed()
            self.did[deed.__name__] += 1
            self.house.run(self._chance.uniform(pause / 3, pause))

    def end(self) -> None:
        """He is asked to leave, and all guests go; whoever asks has read the answer."""
        asker = Asker(person=self.house.person(self.host), guild=PLACES[self.room])
        self.house.account.tell(LeaveVoice(asked_by=AskedBy.SLASH, reply_to=self._left, asker=asker))
        self.house.run(10.0)
        self._left.clear()
        for guest in self._guests:
            self.house.goes_home(guest)
        self._guests.clear()
        self.house.run(60.0)

    # --- what they do

    def ask(self) -> None:
        """Somebody wants to know something."""
        self._asked += 1
        self.house.say(self._somebody(), f"Clankie what about number {self._asked}")

    def talk(self) -> None:
        """Somebody says something to somebody else."""
        self.house.say(self._somebody(), self._chance.choice(TALK))

    def interrupt(self) -> None:
        """Somebody wants a story, and then no story."""
        self.house.say(self.host, "Clankie tell us a story")
        self.house.run(self._chance.uniform(3.0, 9.0))
        self.house.say(self.host, "Clankie stop")

    def look_up(self) -> None:
        """Somebody wants what only the captain knows."""
        self.house.say(self.host, f"Clankie look up {self._chance.choice(LOOKED_UP)}")

    def come_or_go(self) -> None:
        """A stranger comes, or one who came goes for ever."""
        if len(self._guests) < MOST_GUESTS and (not self._guests or self._chance.random() < 0.5):
            self._guests.append(self.house.guest(self.room))
        else:
            self.house.goes_home(self._guests.pop(self._chance.randrange(len(self._guests))))

    def change_consent(self) -> None:
        """A guest lets himself be heard, or no longer."""
        if self._guests:
            self.house.consent(self._chance.choice(self._guests), self._chance.random() < 0.7)

    def write(self) -> None:
        """Somebody writes, in the room or elsewhere; some take it back, and some want to be forgotten."""
        name, room = self._somebody(), self._chance.choice((RoomId("14"), self.room))
        seen = self.house.writes(name, "Clankie what time is it", room, PLACES[self.room], mention=True)
        self.house.run(2.0)
        if self._chance.random() < 0.2:
            self.house.account.tell(seen)
        if self._chance.random() < 0.2:
            self.house.account.tell(MessageGone(room=seen.room, message=seen.message))
        if name in self._guests and self._chance.random() < 0.2:
            asker = Asker(person=self.house.person(name), guild=PLACES[self.room])
            self.house.account.tell(ForgetAsked(asker=asker, reply_to=Probe()))

    def look_in(self) -> None:
        """Whoever has the machine looks in, and gives an order."""
        console = self.house.doors.console
        console.tell(StatusAsked(answer=_nobody_reads))
        console.tell(WhyAsked(stay=None, most=20, answer=_nobody_reads))
        order = self._chance.choice((SayOrdered(text="Dinner is ready."), HushOrdered(seconds=5.0)))
        console.tell(OrderGiven(id=OrderId(f"o{self.did['look_in']}"), order=order, answer=_nobody_reads))

    # --- what breaks

    def break_lines(self) -> None:
        """Every line to a provider breaks."""
        self.house.lose_lines()

    def crash(self) -> None:
        """Somebody crashes."""
        living = self.house.stage.living()
        ends = [one for one in CRASHED if any(path.endswith(f"/{one}") for path in living)]
        end = self._chance.choice(ends)
        self.did[f"crash of {end.rpartition('/')[2]}"] += 1
        self.house.stage.crash(self._chance.choice([path for path in living if path.endswith(f"/{end}")]))
        self.house.run(2.0)
        if self.inside:
            self.house.consent(self.host)

    def trouble(self) -> None:
        """He is moved, or thrown out, or the account is away for a while."""
        account, guild = self.house.account, PLACES[self.room]
        match self._chance.randrange(3):
            case 0:
                account.tell(GatewayAway(reason="closed_1001"))
                self.house.run(5.0)
                account.tell(GatewayBack())
            case 1:
                account.see(guild, ATTIC if account.inside[guild] == DEN else DEN)
            case _:
                account.see(guild, None)

    def _somebody(self) -> str:
        return self._chance.choice([self.host, self.host, *self._guests])


def _nobody_reads(_: object) -> None:
    """An answer for nobody."""
