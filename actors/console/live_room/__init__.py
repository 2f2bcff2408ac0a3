"""Seats in the local room for whoever has a browser: a websocket each, with his voice in and the others' out."""

from actors.console.live_room.seats import Seats

__all__ = ["Seats"]
