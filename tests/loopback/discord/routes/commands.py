"""The commands that the bot offers, and its answers to those who typed one."""

from __future__ import annotations

from tests.loopback.discord.board import Post
from tests.loopback.discord.body import Body, Json
from tests.loopback.discord.interactions import EPHEMERAL, Answer, Reply
from tests.loopback.discord.rest import NOTHING, Asked, Refusal, Result, Route
from tests.loopback.discord.routes.messages import check

MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE = 4, 5, 6, 7


def sync(asked: Asked) -> Result:
    """Replace the commands of one guild, or those of all."""
    guild = asked.guild().id if "guild" in asked.names else None
    if asked.id("application") != asked.front.world.application:
        raise Refusal(403, 20012, "You are not authorized to perform this action on this application")
    return Result(body=asked.front.desk.sync(guild, asked.request.listed))


def listed(asked: Asked) -> Result:
    """The commands of one guild, or those of all."""
    guild = asked.guild().id if "guild" in asked.names else None
    return Result(body=asked.front.desk.commands.get(guild, []))


def _reply(asked: Asked) -> Reply:
    reply = asked.front.desk.replies.get(asked.names["token"])
    if reply is None:
        raise Refusal(404, 10015, "Unknown Webhook")
    return reply


def _hidden(body: Body) -> bool:
    return bool(body.number("flags") & EPHEMERAL)


def callback(asked: Asked) -> Result:
    """The first word on an interaction: an answer, or that one is coming."""
    reply, said = _reply(asked), asked.body.body("data")
    if reply.expired:
        raise Refusal(404, 10062, "Unknown interaction")
    if reply.acknowledged:
        raise Refusal(400, 40060, "Interaction has already been acknowledged.")
    kind = asked.body.number("type")
    if kind in {DEFERRED_UPDATE, UPDATE} and reply.pressed:
        return _updated(asked, reply, reply.pressed, now=kind == UPDATE)
    if kind not in {MESSAGE, DEFERRED}:
        raise Refusal(400, 50035, "Invalid Form Body: type")
    content = (
        check(said.text("content"), something_else=bool(said.items("embeds"))) if kind == MESSAGE else ""
    )
    reply.acknowledge(deferred=kind == DEFERRED, hidden=_hidden(said))
    if kind == MESSAGE:
        reply.answer(content, hidden=_hidden(said))
    if asked.request.query.get("with_response", "").lower() not in {"true", "1"}:
        return NOTHING
    return Result(body=_callback_shape(asked, reply, kind))


def _updated(asked: Asked, reply: Reply, pressed: Post, *, now: bool) -> Result:
    """The message whose button was pressed changes, at once or soon."""
    reply.acknowledge(deferred=False, hidden=False)
    said = asked.body.body("data")
    if now:
        content = said.text("content") if "content" in said else pressed.content
        components = tuple(said.items("components")) if "components" in said else None
        asked.front.board.edit(pressed, content, components)
    return NOTHING


def _callback_shape(asked: Asked, reply: Reply, kind: int) -> Json:
    first = reply.answers[0] if reply.answers else Answer(content="", ephemeral=reply.hidden)
    interaction: Json = {
        "id": str(reply.id),
        "type": 3 if reply.pressed else 2,
        "response_message_id": str(first.id),
        "response_message_loading": kind == DEFERRED,
        "response_message_ephemeral": reply.hidden,
    }
    return {"interaction": interaction, "resource": {"type": kind, "message": _shape(asked, reply, first)}}


def _shape(asked: Asked, reply: Reply, answer: Answer) -> Json:
    """An answer as a message; nobody but the asker is told of it over the gateway."""
    post = Post(
        id=answer.id,
        channel=reply.channel,
        author=asked.front.world.bot,
        content=answer.content,
        flags=EPHEMERAL if answer.ephemeral else 0,
        webhook=asked.front.world.application,
        edited=bool(answer.edits),
    )
    return asked.front.board.shape(post)


def follow_up(asked: Asked) -> Result:
    """An answer to a deferred command, or one more after the first."""
    reply = _reply(asked)
    if not reply.acknowledged:
        raise Refusal(404, 10015, "Unknown Webhook")
    content = check(asked.body.text("content"), something_else=bool(asked.body.items("embeds")))
    return Result(body=_shape(asked, reply, reply.answer(content, hidden=_hidden(asked.body))))


def _answer(asked: Asked) -> Answer:
    """The answer in the path, `@original` being the first."""
    reply = _reply(asked)
    for place, answer in enumerate(reply.answers):
        if not answer.deleted and (
            str(answer.id) == asked.names["message"] or (place == 0 and _original(asked))
        ):
            return answer
    raise Refusal(404, 10008, "Unknown Message")


def _original(asked: Asked) -> bool:
    return asked.names["message"] == "@original"


def edit(asked: Asked) -> Result:
    """Change an answer; the first edit of a deferred one is the answer itself."""
    reply = _reply(asked)
    content = check(asked.body.text("content"), something_else=bool(asked.body.items("embeds")))
    if _original(asked) and reply.deferred and not reply.answers:
        return Result(body=_shape(asked, reply, reply.answer(content, hidden=reply.hidden)))
    answer = _answer(asked)
    answer.content, answer.edits = content, answer.edits + 1
    return Result(body=_shape(asked, reply, answer))


def read(asked: Asked) -> Result:
    """An answer as it reads now."""
    return Result(body=_shape(asked, _reply(asked), _answer(asked)))


def delete(asked: Asked) -> Result:
    """Take an answer back; a deferral without an answer goes too."""
    reply = _reply(asked)
    if _original(asked) and reply.deferred and not reply.answers:
        reply.answer("", hidden=reply.hidden).deleted = True
    else:
        _answer(asked).deleted = True
    return NOTHING


ROUTES = (
    Route("PUT", "/applications/{application}/commands", sync),
    Route("PUT", "/applications/{application}/guilds/{guild}/commands", sync),
    Route("GET", "/applications/{application}/commands", listed),
    Route("GET", "/applications/{application}/guilds/{guild}/commands", listed),
    Route("POST", "/interactions/{interaction}/{token}/callback", callback),
    Route("POST", "/webhooks/{application}/{token}", follow_up),
    Route("GET", "/webhooks/{application}/{token}/messages/{message}", read),
    Route("PATCH", "/webhooks/{application}/{token}/messages/{message}", edit),
    Route("DELETE", "/webhooks/{application}/{token}/messages/{message}", delete),
)
