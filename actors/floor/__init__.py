"""Whose turn it is, and when to stop talking."""
