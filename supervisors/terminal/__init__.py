"""`clankie console`: the whole house on one screen of a terminal, drawn from what the window shows."""
