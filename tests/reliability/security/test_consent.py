"""Whatever happens in whatever order, exactly those may be heard who were promised it."""

from __future__ import annotations

import random
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from actors.gateway.authority import authority_of
from actors.gateway.settings import GatewaySettings
from actors.gateway.state import State
from actors.stay.settings import StaySettings
from messages.gateway import (
    AskedBy,
    Asker,
    ConsentAsked,
    JoinAnswer,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemberArrived,
    MemberDeparted,
    OwnVoiceMoved,
    RoomRoster,
)
from messages.ids import GuildId, RoomId
from messages.people import Person
from tests.actors.gateway.scene import ANNA, ATTIC, BERT, CLEO, DEN, HOME, OWNED, ROBOT
from tests.probe import Probe
from tests.reliability.security.chain import Chain
from tests.reliability.security.consents import Consents, Phase

PEOPLE = (ANNA, BERT, CLEO, ROBOT)
ROOMS = (DEN, ATTIC)
person, room = st.sampled_from(PEOPLE), st.sampled_from(ROOMS)
there = precondition(lambda machine: machine.model.phase in {Phase.COMING, Phase.THERE})


class WhoIsHeard(RuleBasedStateMachine):
    """The rooms of one server; every step is told the model and the house."""

    model: Consents
    house: Chain
    ssrcs: ClassVar[int] = 1_000

    @initialize(by_presence=st.booleans(), most=st.sampled_from((1, 2, 25)), far=st.integers(0, 3))
    def opens(self, by_presence: bool, most: int, far: int) -> None:
        """Nobody is anywhere, or somebody has called him already, and he is so far on his way."""
        self.model = Consents(
            by_presence=by_presence,
            most=most,
            bots=frozenset({str(ROBOT.id)}),
            rooms={str(one): [] for one in ROOMS},
        )
        gateway = State(settings=GatewaySettings(), authority=authority_of(OWNED, GuildId("local")))
        policy = "presence" if by_presence else "explicit"
        self.house = Chain(gateway, StaySettings(consent_policy=policy, most_heard=most))
        for one in ROOMS:
            self.house.gateway(RoomRoster(room=one, people=()))
        self.owners: dict[int, str] = {}
        self.now = 50.0
        if far:
            self.comes(ANNA, DEN)
            self.is_called(ANNA, slash=False)
        for go_on in (self.begins, self.settles)[: max(0, far - 1)]:
            go_on()

    def where(self, who: Person) -> RoomId | None:
        return next((one for one in ROOMS if str(who.id) in self.model.rooms[str(one)]), None)

    # --- people

    @rule(who=person, into=room)
    def comes(self, who: Person, into: RoomId) -> None:
        """He comes in, from elsewhere or from nowhere."""
        if self.where(who) == into:
            return
        self.goes(who)
        self.model.arrives(str(who.id), str(into))
        self.house.gateway(MemberArrived(room=into, person=who))

    @rule(who=person)
    def goes(self, who: Person) -> None:
        """He goes."""
        if (out := self.where(who)) is not None:
            self.model.departs(str(who.id), str(out))
            self.house.gateway(MemberDeparted(room=out, person=who.id))

    @rule(who=person)
    def opts_in(self, who: Person) -> None:
        """/clankie voice-consent opt-in."""
        self.model.opts_in(str(who.id))
        self.house.gateway(ConsentAsked(person=who.id, granted=True, guild=HOME))

    @rule(who=person)
    def opts_out(self, who: Person) -> None:
        """/clankie voice-consent opt-out."""
        self.model.opts_out(str(who.id))
        self.house.gateway(ConsentAsked(person=who.id, granted=False, guild=HOME))

    # --- himself

    @rule(who=st.sampled_from((ANNA, BERT)), slash=st.booleans())
    def is_called(self, who: Person, slash: bool) -> None:
        """A command shows the disclosure; a request to the captain shows nothing."""
        to = self.where(who)
        if to is None or self.model.phase is not Phase.AWAY:
            return
        by = AskedBy.SLASH if slash else AskedBy.CAPTAIN
        self.model.called(str(to), str(who.id) if slash else None)
        asker = Asker(person=who, guild=HOME)
        self.house.gateway(JoinVoice(asked_by=by, asker=asker, reply_to=Probe[JoinAnswer]()))

    @rule()
    def begins(self) -> None:
        """The stay lives."""
        if self.model.phase is Phase.CALLED:
            self.model.begins()
            self.house.begins()

    @rule()
    def settles(self) -> None:
        """Everybody has said what he had to say."""
        joins = self.model.phase is Phase.COMING
        if joins:
            self.model.joined()
        self.house.settle()
        if self.model.phase is Phase.THERE:
            assert self.house.permitted() == self.model.heard

    @there
    @rule(to=room)
    def is_moved(self, to: RoomId) -> None:
        """Somebody drags him into another room."""
        if str(to) != self.model.room:
            self.model.moved(str(to))
            self.house.gateway(OwnVoiceMoved(guild=HOME, room=to))

    @there
    @rule(how=st.sampled_from(("slash", "kick", "crash")), really=st.integers(0, 9))
    def is_gone(self, how: str, really: int) -> None:
        """However it ends, which it seldom does."""
        if really:
            return
        self.model.gone()
        if how == "crash":
            self.house.crashes()
        elif how == "kick":
            self.house.gateway(OwnVoiceMoved(guild=HOME, room=None))
        else:
            leave = LeaveVoice(
                asked_by=AskedBy.SLASH,
                asker=Asker(person=ANNA, guild=HOME),
                reply_to=Probe[LeaveAnswered](),
            )
            self.house.gateway(leave)
        self.house.settle()

    # --- what breaks

    @there
    @rule(who=person)
    def an_ear_crashes(self, who: Person) -> None:
        """A listener is gone."""
        self.model.loses_ear(str(who.id))
        self.house.ear_crashes(who.id)

    @there
    @rule(whole=st.booleans())
    def the_link_breaks(self, whole: bool) -> None:
        """The media process dies, or the room that holds it."""
        self.owners.clear()
        if whole:
            self.house.voice_begins()
        else:
            self.house.process_dies()

    # --- packets

    @there
    @rule(who=st.sampled_from((ANNA, BERT, CLEO)), anew=st.booleans(), other=person)
    def speaks(self, who: Person, anew: bool, other: Person) -> None:
        """Packets of one person, under a number of his own or one that was another's before."""
        if self.house.link is None:
            return
        taken = next((one for one, owner in self.owners.items() if owner == str(other.id)), None)
        if anew or taken is None:
            WhoIsHeard.ssrcs += 1
            taken = WhoIsHeard.ssrcs
        self.now += 5.0
        unread = [self.house.packet(int(who.id), taken, place, self.now) for place in range(2)]
        if taken not in self.owners:
            assert unread == [0, 0], "nobody knows whose that is"
        self.owners = {one: owner for one, owner in self.owners.items() if owner != str(who.id)}
        self.owners[taken] = str(who.id)
        calls = self.house.link.cipher.calls
        self.house.link.listening.speaker(taken, int(who.id))
        for place in range(500, 503):
            self.house.packet(int(who.id), taken, place, self.now)
        if str(who.id) not in self.model.heard:
            assert self.house.link.cipher.calls == calls, "decrypted without consent"

    # --- always

    @invariant()
    def nobody_else_is_heard(self) -> None:
        """Ears that open late open nothing that was taken back meanwhile."""
        if hasattr(self, "house"):
            assert self.house.permitted() <= self.model.heard
            for capture, sink in self.house.sinks.items():
                for frame in sink.frames:
                    assert str(frame.person) in self.model.heard
                    assert self.house.capture_of(frame.person) == capture
                sink.frames.clear()


SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
LONG = settings.get_current_profile_name() == "long"
if not LONG:
    WhoIsHeard.TestCase.settings = settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
TestWhoIsHeard = WhoIsHeard.TestCase

# --- evenings drawn from seeds: hypothesis shortens what it finds, and these go further in the same time

EVENINGS = 10_000 if LONG else 200
STEPS = 80
Drawn = dict[str, object]


def drawn(step: str, draw: random.Random) -> Drawn:
    """What a step is given."""
    who = draw.choice(PEOPLE)
    match step:
        case "comes":
            return {"who": who, "into": draw.choice(ROOMS)}
        case "is_called":
            return {"who": draw.choice((ANNA, BERT)), "slash": draw.random() < 0.5}
        case "is_moved":
            return {"to": draw.choice(ROOMS)}
        case "is_gone":
            return {"how": draw.choice(("slash", "kick", "crash")), "really": draw.randrange(10)}
        case "the_link_breaks":
            return {"whole": draw.random() < 0.5}
        case "speaks":
            speaker = draw.choice((ANNA, BERT, CLEO))
            return {"who": speaker, "anew": draw.random() < 0.5, "other": who}
        case "begins" | "settles":
            return {}
        case _:
            return {"who": who}


OFTEN = ("comes", "comes", "goes", "opts_in", "opts_in", "opts_out", "is_called", "begins", "settles")
ONLY_THERE = ("is_moved", "is_gone", "an_ear_crashes", "the_link_breaks", "speaks", "speaks")


def evening(seed: int) -> list[tuple[str, Drawn]]:
    """Live through one; what was done in it, up to what went wrong."""
    draw, machine, done = random.Random(seed), WhoIsHeard(), list[tuple[str, Drawn]]()
    machine.opens(by_presence=draw.random() < 0.5, most=draw.choice((1, 2, 25)), far=draw.randrange(4))
    try:
        for _ in range(STEPS):
            is_there = machine.model.phase in {Phase.COMING, Phase.THERE}
            step = draw.choice((*OFTEN, *ONLY_THERE) if is_there else OFTEN)
            done.append((step, drawn(step, draw)))
            getattr(machine, step)(**done[-1][1])
            machine.nobody_else_is_heard()
    except AssertionError as wrong:
        raise AssertionError(f"seed {seed}: {machine.model} after {done}") from wrong
    return done


def test_whoever_is_promised_to_be_heard_is_heard_and_nobody_else_over_many_evenings() -> None:
    came = {step for seed in range(EVENINGS) for step, _ in evening(seed)}
    assert came == {*OFTEN, *ONLY_THERE}
