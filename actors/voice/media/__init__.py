"""The media process: a Discord call's voice lines, keys, ears and mouth, away from the house."""
