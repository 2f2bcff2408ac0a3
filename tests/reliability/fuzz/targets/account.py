"""What Discord tells the account: rooms, people, messages, commands and buttons."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

import discord
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from actors.gateway.live.buttons import Buttons
from actors.gateway.live.client import AccountClient
from actors.gateway.live.commands import Commands
from actors.gateway.live.replies import Disclosure
from actors.gateway.live.trouble import explain
from actors.net.loop import Complaints
from actors.switchboard import Switchboard
from messages.gateway import Room
from messages.ids import ConfirmationId
from messages.people import Person
from supervisors.rehearsal.screen import is_hostile
from tests.loopback.discord import shapes
from tests.loopback.discord.interactions import Reply
from tests.loopback.discord.server import Discord
from tests.loopback.discord.session import PRIVILEGED, Intent
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack
from tests.reliability.fuzz.told import writable

SECONDS: Final = 0.05
"""So long everybody who waits for an answer may go on waiting when the last event has come."""
TOKEN: Final = "the-token-of-an-interaction"
_ID: Final = re.compile(rb"(?<![\w.])(?:\d{17,20}|[0-9a-f]{32})(?!\w)")
_FIRST_ID: Final = 1_500_000_000_000_000_000
_MOMENT: Final = re.compile(rb"\d{4}-\d\d-\d\dT[0-9:.+Z-]+")
_MESSAGE: Final[dict[str, object]] = {
    "id": "5", "channel_id": "6", "content": "", "attachments": [], "embeds": [], "edited_timestamp": None,
    "type": 0, "pinned": False, "mention_everyone": False, "tts": False, "mentions": [], "flags": 0,
    "mention_roles": [], "timestamp": shapes.JOINED_AT,
    "author": {"id": "7", "username": "x", "avatar": None},
}  # fmt: skip


_ANSWER: Final[dict[str, object]] = {
    **_MESSAGE,
    "interaction": {"id": "5", "type": 2, "response_message_id": "5", "response_message_loading": True},
    "resource": None,
}  # fmt: skip


class _Adapter(AsyncWebhookAdapter):
    """Whatever is asked of Discord is answered with `answer`, and nothing leaves this process."""

    answer: Any = _ANSWER

    async def request(self, *_: Any, **__: Any) -> Any:
        """A message, and what became of an interaction: one of both is wanted."""
        return self.answer


class _Loop:
    """An I/O thread that is this one."""

    def call(self, callback: Any, *args: object) -> bool:
        """At once."""
        callback(*args)
        return True


# --- what there is to be told -----------------------------------------------------------------------

_KNOWN: dict[str, Any] = {}


def _evening() -> tuple[list[bytes], list[bytes]]:
    """What comes first, and what happens then, as the loopback Discord tells it; told once."""
    if not _KNOWN:
        first, then = _happens()
        known: dict[bytes, bytes] = {}
        _KNOWN["told"] = [_settled(one, known) for one in first], [_settled(one, known) for one in then]
    first, then = _KNOWN["told"]
    return first, then


def _settled(told: bytes, known: dict[bytes, bytes]) -> bytes:
    """With ids, sessions and times that are the same in every process, as a seed wants it."""

    def named(found: re.Match[bytes]) -> bytes:
        return known.setdefault(found[0], b"%d" % (_FIRST_ID + len(known)))

    return _MOMENT.sub(shapes.JOINED_AT.encode(), _ID.sub(named, told))


def _happens() -> tuple[list[bytes], list[bytes]]:
    told: list[bytes] = []
    with Discord() as server:

        def tell(event: str, d: Any, _needs: Intent = PRIVILEGED) -> None:
            shape = d(~Intent(0)) if callable(d) else d
            told.append(json.dumps({"t": event, "d": shape}).encode())

        server.gateway.tell = tell  # type: ignore[method-assign,assignment]
        guild = server.guild("Home")
        room, chat = guild.voice("General"), guild.text("chat")
        ada, ben = guild.member("Ada"), guild.member("Ben")
        whole = server.ground.run(lambda: shapes.guild(guild.state, server.world, everybody=True))
        ready = {
            "v": 10, "user": shapes.user(server.world.bot), "session_id": "s", "resume_gateway_url": "wss://x",
            "guilds": [{"id": str(guild.id), "unavailable": True}],
            "application": {"id": str(server.world.application), "flags": 0},
        }  # fmt: skip
        first = [
            json.dumps({"t": "READY", "d": ready}).encode(),
            json.dumps({"t": "GUILD_CREATE", "d": whole}).encode(),
        ]
        told.clear()
        ada.join(room)
        told += [
            _of_himself(told[-1], server.user, shown) for shown in ({}, {"mute": True}, {"suppress": True})
        ]
        message = ada.write(chat, f"Hello {guild.bot.mention}, are you there?")
        ben.write_privately("psst")
        thread = ben.open_thread(chat, "A thread", message)
        ben.write(thread, "in here", reply_to=message)
        ada.edit(message, "Hello?")
        ada.delete(message)
        room.rename("Salon")
        room.deny("connect")
        then = list(told)
        lines = ("join", "status", "voice-consent opt-in", "memories", "nobody knows this")
        then += [_typed(server, guild, chat, ada, line) for line in lines]
        then.append(_pressed(server, guild, chat, ada))
        told.clear()
        ada.leave()
        told.append(_of_himself(told[-1], server.user, {"channel_id": None}))
        room.delete()
        then += told
    return first, then


def _of_himself(told: bytes, himself: int, changed: Mapping[str, object]) -> bytes:
    """The same voice state, of the account."""
    d = json.loads(told)["d"]
    d["member"]["user"]["id"] = d["user_id"] = str(himself)
    return json.dumps({"t": "VOICE_STATE_UPDATE", "d": {**d, **changed}}).encode()


def _interaction(server: Discord, guild: Any, chat: Any, who: Any, data: dict[str, object]) -> dict[str, Any]:
    reply = Reply(server.ground, "x", chat.id, 3.0)
    reply.token = TOKEN
    membership = guild.state.members[who.id]
    return dict(server.desk._interaction(guild.state, chat.state, membership, reply, data))


def _typed(server: Discord, guild: Any, chat: Any, who: Any, line: str) -> bytes:
    words = line.split()
    options: list[dict[str, object]] = []
    for place, word in enumerate(reversed(words)):
        options = [{"name": word, "type": 1 if place == 0 else 2, "options": options}]
    data: dict[str, object] = {"id": "77", "name": "clankie", "type": 1, "options": options}
    return json.dumps({"t": "INTERACTION_CREATE", "d": _interaction(server, guild, chat, who, data)}).encode()


def _pressed(server: Discord, guild: Any, chat: Any, who: Any) -> bytes:
    data: dict[str, object] = {"component_type": 2, "custom_id": "clankie:key:yes", "id": 1}
    d = _interaction(server, guild, chat, who, data)
    return json.dumps({"t": "INTERACTION_CREATE", "d": {**d, "type": 3, "message": _MESSAGE}}).encode()


# --- being told ---------------------------------------------------------------------------------------


class _Account:
    """The live account without its sockets."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.adapter = _Adapter()  # type: ignore[no-untyped-call]
        async_context.set(self.adapter)
        self.buttons = Buttons(_Loop(), self.told.append)  # type: ignore[arg-type]
        self.client = AccountClient(
            tell=self.told.append,
            board=Switchboard(),
            online=lambda _: None,
            commands=self._commands,
            pressed=self.buttons.pressed,
            message_content=True,
            proxy=None,
            connector=None,
        )
        self.client._connection.guild_ready_timeout = 0.0
        self.client.http.request = self._asked  # type: ignore[method-assign]

    def _commands(self, client: discord.Client) -> Commands:
        disclosure, loop = Disclosure(), _Loop()
        return Commands(client, self.told.append, loop=loop, disclosure=disclosure, join_seconds=1.0)  # type: ignore[arg-type]

    async def _asked(self, *_: Any, **__: Any) -> Any:
        raise discord.DiscordException("nobody is asked here")

    def hear(self, part: bytes) -> bool:
        """One event, or what is answered from now on; whether the connection lives on."""
        try:
            said = json.loads(part.decode("utf-8", "replace"))
            if "answer" in said:
                self.adapter.answer = said["answer"]
                return True
            event, d = said["t"], said["d"]
        except (ValueError, RecursionError, KeyError, TypeError):
            return True
        parse = self.client._connection.parsers.get(event) if isinstance(event, str) else None
        if parse is None:
            return True
        try:
            parse(d)
        except Exception as failure:
            # What the library cannot read ends its connection, and the house begins another.
            trouble = explain(failure)
            writable(trouble)
            return False
        return True


async def _told(data: bytes) -> list[object]:
    account = _Account()
    asyncio.get_running_loop().set_exception_handler(Complaints())
    await account.client._async_setup_hook()
    account.buttons.use(account.client)
    first, _ = _evening()
    for part in first:
        account.hear(part)
    await _settle(account.client)
    account.buttons.confirm(ConfirmationId("c"), "6", "May I?")  # type: ignore[arg-type]
    for part in unpack(data):
        if not account.hear(part):
            break
        await asyncio.sleep(0)
    await _settle(account.client)
    await asyncio.sleep(0)
    await account.client.let_go()
    await account.buttons.let_go()
    ours = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in ours:
        task.cancel()
    for ended in await asyncio.gather(*ours, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    return account.told


async def _settle(client: discord.Client) -> None:
    """Whatever can be done at once is done."""
    for _ in range(30):
        await asyncio.sleep(0)
    ready = client._connection._ready_task
    if ready is not None:
        await asyncio.wait([ready], timeout=1.0)
    for _ in range(10):
        await asyncio.sleep(0)


def _events(data: bytes) -> None:
    told = asyncio.run(_told(data))
    writable(*(one for one in told if not hasattr(one, "reply_to")))
    rooms = [room for one in told for room in (getattr(one, "room", None), *getattr(one, "rooms", ()))]
    for room in rooms:
        if isinstance(room, Room) and not isinstance(cast("object", room.seats), int | None):
            raise Broken("seats that nobody can count")
    for person in _people(told):
        if not isinstance(cast("object", person.bot), bool):
            raise Broken("somebody who is neither a bot nor none")
        if not person.label or len(person.label) > 100 or any(map(is_hostile, person.label)):
            raise Broken("a name that does more than stand there")


def _people(told: list[object]) -> list[Person]:
    found: list[Person] = []
    for event in told:
        for name in ("person", "account", "asker"):
            one = getattr(event, name, None)
            one = getattr(one, "person", one)
            found += [one] if isinstance(one, Person) else []
        found += [one for one in getattr(event, "people", ()) if isinstance(one, Person)]
    return found


def _seeds() -> list[bytes]:
    _, then = _evening()
    answer = json.dumps({"answer": _ANSWER}).encode()
    return [pack([answer, *then]), pack(then[:6]), *(pack([answer, one]) for one in then)]


_GATEWAY: Final = tuple(
    f"actors/gateway/live/{one}.py"
    for one in ("client", "facts", "commands", "buttons", "rosters", "hindrances")
)
TARGETS: Final = (
    Target(
        name="gateway",
        of="gateway events",
        feed=_events,
        seeds=_seeds,
        readers=_GATEWAY,
        form=Form.JSON,
        sequence=True,
        secrets=(TOKEN,),
        seconds=3.0,
        times=400,
        few=30,
    ),
)
