"""What the bot writes, edits, takes back and puts under the messages of others."""

from __future__ import annotations

from tests.loopback.discord.board import File, Post, Reaction
from tests.loopback.discord.body import Json
from tests.loopback.discord.rest import NOTHING, Asked, Refusal, Result, Route
from tests.loopback.discord.session import Intent
from tests.loopback.discord.world import ChannelKind

CONTENT_LIMIT = 2_000
NAME_LIMIT = 100


def check(content: str, *, something_else: bool = False) -> str:
    """A content that Discord would take: not empty, at most 2,000 characters."""
    if len(content) > CONTENT_LIMIT:
        raise Refusal(400, 50035, "Invalid Form Body: content must be 2000 or fewer in length.")
    if not content.strip() and not something_else:
        raise Refusal(400, 50006, "Cannot send an empty message")
    return content


def _post(asked: Asked) -> Post:
    """The message in the path."""
    post = asked.front.board.messages.get(asked.id("message"))
    if post is None or post.deleted or post.channel != asked.id("channel"):
        raise Refusal(404, 10008, "Unknown Message")
    return post


def write(asked: Asked) -> Result:
    """A new message in a channel."""
    front, body = asked.front, asked.body
    kind = asked.channel().kind
    asked.channel("send_messages_in_threads" if kind is ChannelKind.THREAD else "send_messages")
    reference = body.body("message_reference")
    reply_to = reference.number("message_id") or None
    if reply_to and reply_to not in front.board.messages:
        if reference.fields.get("fail_if_not_exists", True):
            raise Refusal(400, 50035, "Invalid Form Body: Unknown message")
        reply_to = None
    files = _files(asked)
    post = Post(
        channel=asked.channel().id,
        author=front.world.bot,
        content=check(body.text("content"), something_else=bool(body.items("embeds") or files)),
        files=files,
        components=_components(asked),
        reply_to=reply_to,
        allowed_mentions=dict(body.body("allowed_mentions").fields) if "allowed_mentions" in body else None,
        embeds=tuple(body.items("embeds")),
        flags=body.number("flags"),
        nonce=body.fields.get("nonce"),
    )
    same = front.board.written(post) if body.fields.get("enforce_nonce") else None
    return Result(body=front.board.shape(same or front.board.write(post)))


def _components(asked: Asked) -> tuple[object, ...]:
    """What stands below a message, if no name in it is too long."""
    rows = asked.body.bodies("components")
    names = [button.text("custom_id") for row in rows for button in row.bodies("components")]
    if any(len(name) > NAME_LIMIT for name in names):
        raise Refusal(400, 50035, "Invalid Form Body: custom_id must be between 1 and 100 in length.")
    return tuple(asked.body.items("components"))


def _files(asked: Asked) -> tuple[File, ...]:
    """What came along, if it may and is not too large."""
    files = tuple(File(name=name, data=data) for name, data in asked.request.files)
    if files:
        asked.channel("attach_files")
    if sum(len(one.data) for one in files) > asked.front.board.upload_limit:
        raise Refusal(413, 40005, "Request entity too large")
    return files


def read(asked: Asked) -> Result:
    """One message."""
    asked.channel("read_message_history")
    return Result(body=asked.front.board.shape(_post(asked)))


def history(asked: Asked) -> Result:
    """The latest messages of a channel, the newest first."""
    channel = asked.channel("read_message_history")
    limit = int(asked.request.query.get("limit", "50"))
    before = int(asked.request.query.get("before", "0"))
    board = asked.front.board
    posts = [
        post
        for post in reversed(board.messages.values())
        if post.channel == channel.id and not post.deleted and (not before or post.id < before)
    ]
    return Result(body=[board.shape(post) for post in posts[:limit]])


def edit(asked: Asked) -> Result:
    """Change a message of the bot's own."""
    asked.channel()
    post = _post(asked)
    if post.author is not asked.front.world.bot:
        raise Refusal(403, 50005, "Cannot edit a message authored by another user")
    content = check(asked.body.text("content")) if "content" in asked.body else post.content
    components = tuple(asked.body.items("components")) if "components" in asked.body else None
    if asked.body.fields:
        asked.front.board.edit(post, content, components)
    return Result(body=asked.front.board.shape(post))


def delete(asked: Asked) -> Result:
    """Take a message of the bot's own away."""
    asked.channel()
    post = _post(asked)
    if post.author is not asked.front.world.bot:
        raise Refusal(403, 50013, "Missing Permissions")
    asked.front.board.delete(post)
    return NOTHING


def type_(asked: Asked) -> Result:
    """The bot is typing."""
    asked.front.board.typing.append(asked.channel("send_messages").id)
    return NOTHING


def react(asked: Asked) -> Result:
    """Put an emoji under a message."""
    asked.channel("read_message_history", "add_reactions")
    return _reacted(asked, removed=False)


def unreact(asked: Asked) -> Result:
    """Take an emoji of the bot's away."""
    asked.channel("read_message_history")
    return _reacted(asked, removed=True)


def _reacted(asked: Asked, *, removed: bool) -> Result:
    post, emoji, world = _post(asked), asked.names["emoji"], asked.front.world
    _check_emoji(asked, emoji)
    reaction = Reaction(channel=post.channel, message=post.id, emoji=emoji, removed=removed)
    asked.front.board.reactions.append(reaction)
    name, _, custom = emoji.partition(":")
    shape: Json = {
        "user_id": str(world.bot.id),
        "channel_id": str(post.channel),
        "message_id": str(post.id),
        "emoji": {"id": custom or None, "name": name},
        "burst": False,
        "type": 0,
    }
    guild = world.channels[post.channel].guild
    if guild is not None:
        shape["guild_id"] = str(guild)
    event = "MESSAGE_REACTION_REMOVE" if removed else "MESSAGE_REACTION_ADD"
    asked.front.gateway.tell(event, shape, Intent.GUILD_REACTIONS if guild else Intent.DIRECT_REACTIONS)
    return NOTHING


def _check_emoji(asked: Asked, emoji: str) -> None:
    """A character that is one (more or less), or `name:id` of an emoji of some guild that the bot is in."""
    _, _, custom = emoji.partition(":")
    known = {str(id_) for guild in asked.front.world.guilds.values() for id_ in guild.emojis}
    if custom not in known if custom else emoji.isascii():
        raise Refusal(400, 10014, "Unknown Emoji")


ROUTES = (
    Route("POST", "/channels/{channel}/messages", write),
    Route("GET", "/channels/{channel}/messages", history),
    Route("GET", "/channels/{channel}/messages/{message}", read),
    Route("PATCH", "/channels/{channel}/messages/{message}", edit),
    Route("DELETE", "/channels/{channel}/messages/{message}", delete),
    Route("POST", "/channels/{channel}/typing", type_),
    Route("PUT", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", react),
    Route("DELETE", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", unreact),
)
