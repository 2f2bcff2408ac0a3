"""Who may have what done, written out: a cell for each policy, surface, tier and tool, and none missing."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import cast

import pytest

from actors.authority import Authority
from actors.captain.tools import HOUSE_TOOLS
from messages.authority import Need, Ruling, Sort, Standing, Surface, Tier
from messages.gateway import Asker
from messages.ids import GuildId, PersonId, RoleId, RoomId
from messages.people import Person

HOUSE = (
    "voice_join voice_leave watch_start watch_stop",
    "react unreact create_thread join_thread send_text_update",
    "observe_room recall",
    "remember",
)
"""The columns of the table, a group of them a line; after these come the tools of servers."""
MACHINES = tuple(
    Need(sort=Sort.MACHINE, tier=tier, weighty=weighty) for tier, weighty in product(Tier, (False, True))
)
"""Those for everyone, for ambient people, for system actors and for the owner; each light, then weighty."""
RULINGS = {"A": Ruling.ALLOWED, "c": Ruling.CONFIRM, ".": Ruling.REFUSED}
TABLE = """
bot ambient
  text        everyone .... AAAAA AA A AA......
  text        ambient  AAAA AAAAA AA A AAAA....
  text        system   AAAA AAAAA AA A AAAAAA..
  text        owner    AAAA AAAAA AA A AAAAAAAA
  voice       everyone .... AAAAA AA A Ac......
  voice       ambient  AAAA AAAAA AA A AcAc....
  voice       system   AAAA AAAAA AA A AcAcAc..
  voice       owner    AAAA AAAAA AA A AcAcAcAc
  mixed_voice everyone .... AAAAA AA A Ac......
  mixed_voice ambient  AAAA AAAAA AA A AcAc....
  mixed_voice system   AAAA AAAAA AA A AcAcAc..
  mixed_voice owner    AAAA AAAAA AA A AcAcAcAc
  membership  everyone .... ..... .. . ........
  membership  ambient  .... ..... .. . ........
  membership  system   .... ..... .. . ........
  membership  owner    .... ..... .. . ........
  operator    everyone .... ..... .. . ........
  operator    ambient  .... ..... .. . ........
  operator    system   .... ..... .. . ........
  operator    owner    AAAA ..... AA A AAAAAAAA

bot guild_members
  text        everyone AAAA AAAAA AA A AA......
  text        ambient  AAAA AAAAA AA A AAAA....
  text        system   AAAA AAAAA AA A AAAAAA..
  text        owner    AAAA AAAAA AA A AAAAAAAA
  voice       everyone AAAA AAAAA AA A Ac......
  voice       ambient  AAAA AAAAA AA A AcAc....
  voice       system   AAAA AAAAA AA A AcAcAc..
  voice       owner    AAAA AAAAA AA A AcAcAcAc
  mixed_voice everyone AAAA AAAAA AA A Ac......
  mixed_voice ambient  AAAA AAAAA AA A AcAc....
  mixed_voice system   AAAA AAAAA AA A AcAcAc..
  mixed_voice owner    AAAA AAAAA AA A AcAcAcAc
  membership  everyone .... ..... .. . ........
  membership  ambient  .... ..... .. . ........
  membership  system   .... ..... .. . ........
  membership  owner    .... ..... .. . ........
  operator    everyone .... ..... .. . ........
  operator    ambient  .... ..... .. . ........
  operator    system   .... ..... .. . ........
  operator    owner    AAAA ..... AA A AAAAAAAA

owner ambient
  text        everyone .... ..... .. . ........
  text        ambient  .... ..... .. . ........
  text        system   .... ..... .. . ........
  text        owner    AAAA AAAAA AA A AAAAAAAA
  voice       everyone .... ..... .. . ........
  voice       ambient  .... ..... .. . ........
  voice       system   .... ..... .. . ........
  voice       owner    AAAA AAAAA AA A AcAcAcAc
  mixed_voice everyone .... ..... .. . ........
  mixed_voice ambient  .... ..... .. . ........
  mixed_voice system   .... ..... .. . ........
  mixed_voice owner    AAAA AAAAA AA A AcAcAcAc
  membership  everyone .... ..... .. . ........
  membership  ambient  .... ..... .. . ........
  membership  system   .... ..... .. . ........
  membership  owner    .... ..... .. . ........
  operator    everyone .... ..... .. . ........
  operator    ambient  .... ..... .. . ........
  operator    system   .... ..... .. . ........
  operator    owner    AAAA ..... AA A AAAAAAAA

owner guild_members
  text        everyone .... ..... .. . ........
  text        ambient  .... ..... .. . ........
  text        system   .... ..... .. . ........
  text        owner    AAAA AAAAA AA A AAAAAAAA
  voice       everyone .... ..... .. . ........
  voice       ambient  .... ..... .. . ........
  voice       system   .... ..... .. . ........
  voice       owner    AAAA AAAAA AA A AcAcAcAc
  mixed_voice everyone .... ..... .. . ........
  mixed_voice ambient  .... ..... .. . ........
  mixed_voice system   .... ..... .. . ........
  mixed_voice owner    AAAA AAAAA AA A AcAcAcAc
  membership  everyone .... ..... .. . ........
  membership  ambient  .... ..... .. . ........
  membership  system   .... ..... .. . ........
  membership  owner    .... ..... .. . ........
  operator    everyone .... ..... .. . ........
  operator    ambient  .... ..... .. . ........
  operator    system   .... ..... .. . ........
  operator    owner    AAAA ..... AA A AAAAAAAA
"""

GUILD, ROOM = GuildId("1"), RoomId("11")
OWNER, SYSTEM, AMBIENT, NOBODY = (PersonId(name) for name in ("owner", "system", "ambient", "nobody"))
DJ, OTHER = RoleId("7"), RoleId("8")
LAW = Authority(
    home=GuildId("local"),
    owner=OWNER,
    system=frozenset({SYSTEM}),
    ambient=frozenset({AMBIENT}),
    roles=frozenset({DJ}),
    guilds=frozenset({GUILD}),
)
POLICIES = {
    "bot ambient": LAW,
    "bot guild_members": replace(LAW, open_to_members=True),
    "owner ambient": replace(LAW, owner_only=True),
    "owner guild_members": replace(LAW, owner_only=True, open_to_members=True),
}

Row = tuple[str, Surface, Tier]


def rows() -> dict[Row, str]:
    found: dict[Row, str] = {}
    policy = ""
    for line in filter(None, TABLE.splitlines()):
        if line.startswith(" "):
            surface, tier, *cells = line.split()
            row = (policy, Surface(surface), Tier[tier.upper()])
            assert row not in found
            found[row] = "".join(cells)
        else:
            policy = line
    return found


def needs() -> tuple[Need, ...]:
    names = " ".join(HOUSE).split()
    return (*(Need(sort=HOUSE_TOOLS[name][1]) for name in names), *MACHINES)


def asker(person: PersonId, *roles: RoleId, bot: bool = False) -> Asker:
    return Asker(person=Person(id=person, label=person, bot=bot), guild=GUILD, roles=frozenset(roles))


# --- the table


def test_the_table_has_every_policy_surface_and_tier_and_every_tool() -> None:
    table = rows()
    assert set(table) == set(product(POLICIES, Surface, Tier))
    assert sorted(" ".join(HOUSE).split()) == sorted(HOUSE_TOOLS)
    assert {len(cells) for cells in table.values()} == {len(needs())}
    assert {need.sort for need in needs()} == set(Sort)
    assert {cell for cells in table.values() for cell in cells} == set(RULINGS)


@pytest.mark.parametrize(("row", "cells"), rows().items(), ids=lambda one: " ".join(map(str, one)))
def test_every_cell_is_as_written(row: Row, cells: str) -> None:
    policy, surface, tier = row
    standing = Standing(tier=tier, surface=surface)
    found = [POLICIES[policy].rule(need, standing) for need in needs()]
    assert found == [RULINGS[cell] for cell in cells]


def test_whoever_may_do_more_may_also_do_less_and_nothing_aloud_is_freer_than_in_writing() -> None:
    order = ".cA"
    table = rows()
    for (policy, surface, tier), cells in table.items():
        below = table[policy, surface, Tier(max(0, tier - 1))]
        assert all(order.index(less) <= order.index(more) for less, more in zip(below, cells, strict=True))
        if surface in {Surface.VOICE, Surface.MIXED_VOICE}:
            written = table[policy, Surface.TEXT, tier]
            assert all(order.index(a) <= order.index(b) for a, b in zip(cells, written, strict=True))


def test_several_voices_may_what_one_voice_of_the_least_tier_may() -> None:
    table = rows()
    for policy, tier in product(POLICIES, Tier):
        assert table[policy, Surface.MIXED_VOICE, tier] == table[policy, Surface.VOICE, tier]


def test_what_nobody_has_thought_of_is_refused() -> None:
    telepathy, magic = cast("Surface", "telepathy"), cast("Sort", "magic")
    for law, tier in product(POLICIES.values(), Tier):
        for need in needs():
            assert law.rule(need, Standing(tier=tier, surface=telepathy)) is Ruling.REFUSED
        for surface in Surface:
            need = Need(sort=magic, tier=Tier.EVERYONE, weighty=False)
            assert law.rule(need, Standing(tier=tier, surface=surface)) is Ruling.REFUSED


def test_a_tool_of_a_server_is_the_owners_and_weighty_unless_it_is_said() -> None:
    need = Need(sort=Sort.MACHINE)
    assert LAW.rule(need, Standing(tier=Tier.SYSTEM, surface=Surface.TEXT)) is Ruling.REFUSED
    assert LAW.rule(need, Standing(tier=Tier.OWNER, surface=Surface.VOICE)) is Ruling.CONFIRM


# --- people


@pytest.mark.parametrize(
    ("person", "roles", "tier"),
    [
        (OWNER, (), Tier.OWNER),
        (OWNER, (DJ,), Tier.OWNER),
        (SYSTEM, (), Tier.SYSTEM),
        (SYSTEM, (DJ,), Tier.SYSTEM),
        (AMBIENT, (), Tier.AMBIENT),
        (NOBODY, (DJ,), Tier.AMBIENT),
        (NOBODY, (OTHER,), Tier.EVERYONE),
        (NOBODY, (), Tier.EVERYONE),
    ],
)
def test_the_highest_tier_that_somebody_has_counts(
    person: PersonId, roles: tuple[RoleId, ...], tier: Tier
) -> None:
    assert LAW.tier(person, frozenset(roles)) is tier


def test_a_house_without_an_owner_or_system_actors_has_none() -> None:
    bare = Authority(home=GuildId("local"))
    for person in (OWNER, SYSTEM, AMBIENT, PersonId("")):
        assert bare.tier(person, frozenset({DJ})) is Tier.EVERYONE
        assert not bare.may_confirm(asker(person, DJ), Tier.SYSTEM)


@pytest.mark.parametrize(
    ("askers", "tier"),
    [
        ((), Tier.EVERYONE),
        ((asker(OWNER),), Tier.OWNER),
        ((asker(OWNER), asker(SYSTEM)), Tier.SYSTEM),
        ((asker(NOBODY), asker(OWNER)), Tier.EVERYONE),
        ((asker(OWNER), asker(NOBODY)), Tier.EVERYONE),
        ((asker(OWNER), asker(NOBODY, DJ)), Tier.AMBIENT),
        ((asker(OWNER), asker(OWNER, bot=True)), Tier.EVERYONE),
        ((asker(SYSTEM, DJ, bot=True),), Tier.EVERYONE),
    ],
)
def test_several_people_may_together_what_the_least_of_them_may_and_a_bot_is_the_least(
    askers: tuple[Asker, ...], tier: Tier
) -> None:
    assert LAW.least(askers) is tier


@pytest.mark.parametrize(
    ("one", "tier", "may"),
    [
        (asker(OWNER), Tier.OWNER, True),
        (asker(SYSTEM), Tier.OWNER, False),
        (asker(SYSTEM), Tier.SYSTEM, True),
        (asker(AMBIENT), Tier.SYSTEM, False),
        (asker(AMBIENT), Tier.AMBIENT, True),
        (asker(NOBODY, DJ), Tier.AMBIENT, True),
        (asker(NOBODY, OTHER), Tier.AMBIENT, False),
        (asker(NOBODY), Tier.EVERYONE, True),
        (asker(OWNER, bot=True), Tier.EVERYONE, False),
    ],
)
def test_only_people_of_the_tools_tier_say_yes(one: Asker, tier: Tier, may: bool) -> None:
    assert LAW.may_confirm(one, tier) is may
    personal = POLICIES["owner guild_members"]
    assert personal.may_confirm(one, tier) is (may and one.person.id == OWNER)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("one", "tier"),
    [(asker(OWNER), Tier.OWNER), (asker(AMBIENT), Tier.AMBIENT), (asker(NOBODY), Tier.EVERYONE)],
)
def test_a_command_moves_him_as_a_message_would_and_a_bot_never_does(
    policy: str, one: Asker, tier: Tier
) -> None:
    law = POLICIES[policy]
    written = rows()[policy, Surface.TEXT, tier]
    assert law.may_move(one) is (RULINGS[written[0]] is Ruling.ALLOWED)
    assert not law.may_move(replace(one, person=replace(one.person, bot=True)))


@pytest.mark.parametrize(
    ("law", "guild", "room", "allowed"),
    [
        (LAW, GUILD, ROOM, True),
        (LAW, GuildId("2"), ROOM, False),
        (LAW, LAW.home, ROOM, True),
        (replace(LAW, channels=frozenset({ROOM})), GUILD, ROOM, True),
        (replace(LAW, channels=frozenset({ROOM})), GUILD, RoomId("12"), False),
        (replace(LAW, channels=frozenset({ROOM})), GuildId("2"), ROOM, False),
        (replace(LAW, owner_only=True), GUILD, ROOM, False),
        (replace(LAW, owner_only=True, channels=frozenset({ROOM})), GUILD, ROOM, True),
        (replace(LAW, guilds=frozenset()), GUILD, ROOM, False),
    ],
)
def test_where_he_may_be_is_never_more_than_what_is_listed(
    law: Authority, guild: GuildId, room: RoomId, allowed: bool
) -> None:
    assert law.allows(guild, room) is allowed


def test_others_words_never_give_anybody_more_and_what_is_weighty_is_then_confirmed_in_writing() -> None:
    every = [
        (law, need, Standing(tier=tier, surface=surface))
        for law in POLICIES.values()
        for need in needs()
        for tier in Tier
        for surface in Surface
    ]
    for law, need, standing in every:
        before, after = law.rule(need, standing), law.rule(need, replace(standing, swayed=True))
        doubtful = before is Ruling.ALLOWED and need.sort is Sort.MACHINE and need.weighty
        confirmed = doubtful and standing.surface is Surface.TEXT
        assert after is (Ruling.CONFIRM if confirmed else before)
        assert law.rule(replace(need, wary=False), replace(standing, swayed=True)) is before
