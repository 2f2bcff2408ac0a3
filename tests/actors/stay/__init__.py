"""The stay, by its own rules and by its shell."""
