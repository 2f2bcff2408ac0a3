"""The slow mind."""
