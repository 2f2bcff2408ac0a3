"""Seats in the local room for whoever has a browser: his voice comes in, and everybody else's goes out."""

from actors.console.live_room.seats import Seats

__all__ = ["Seats"]
