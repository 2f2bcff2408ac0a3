"""The page in a real browser, before a house that is played, and before the real one."""
