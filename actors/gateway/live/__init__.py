"""A real account on Discord: everything that knows discord.py, and nothing that decides."""
