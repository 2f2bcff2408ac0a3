"""A captain who does what he is asked to in so many words, once, and says that it is done."""

from __future__ import annotations

import json
from pathlib import Path

from supervisors.rehearsal.stage import Overrides
from tests.loopback.openai.responses_asked import CaptainAsked, CaptainReply
from tests.reliability.sigkill import deeds
from tests.reliability.sigkill.moments import BOOKED, ROTATE_MIB, SERVER, Stage


def thinks(asked: CaptainAsked) -> CaptainReply:
    """See CaptainBrain; of several orders of one turn each is carried out."""
    words = [one.text("request").split()[-2:] for one in asked.requests]
    wanted = [(pair[0], pair[1]) for pair in words if len(pair) == 2]
    if asked.outputs:
        return CaptainReply(text=f"That is done: {', '.join(name for _, name in wanted)}.")
    return CaptainReply(calls=tuple(_call(kind, name) for kind, name in wanted))


def _call(kind: str, name: str) -> tuple[str, str]:
    if kind == "pay":
        return f"{SERVER}__{deeds.TOOL}", json.dumps({"what": name})
    if kind == "thread":
        return "create_thread", json.dumps({"name": name})
    return "send_text_update", json.dumps({"text": f"{BOOKED} {name}"})


def tables(book: Path) -> Overrides:
    """What he is configured with, beside what every night has."""
    server = {**deeds.table(book), "tier": "everyone", "confirm": "never"}
    return {
        "captain": {"mcp": {SERVER: server}},
        "evidence": {"transcripts": True, "rotate_mib": ROTATE_MIB},
    }


def effects(stage: Stage) -> list[str]:
    """Everything that was done by order so far, by name: paid, booked, and threads."""
    posts = [post.content.split() for post in stage.evening.discord.posts]
    booked = [words[1] for words in posts if words[:1] == [BOOKED]]
    channels = stage.evening.guild.state.channels.values()
    return [
        *deeds.done(stage.book),
        *booked,
        *(one.name for one in channels if one.name.startswith("thread-")),
    ]
