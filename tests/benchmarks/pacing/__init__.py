"""Whether he speaks in time, and what it costs, beside discord.py's own player and bare C."""
