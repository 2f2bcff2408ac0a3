"""Which request is answered by what."""

from tests.loopback.discord.rest import Route
from tests.loopback.discord.routes import account, commands, guilds, messages, rooms

ROUTES: tuple[Route, ...] = (
    *account.ROUTES,
    *commands.ROUTES,
    *guilds.ROUTES,
    *messages.ROUTES,
    *rooms.ROUTES,
)
