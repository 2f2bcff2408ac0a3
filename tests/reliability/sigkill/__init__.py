"""He is killed at any moment of a busy evening and run again, and nothing of it may be wrong afterwards."""
