"""The account at the door: who is where, who writes, and where he himself is."""
