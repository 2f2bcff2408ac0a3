"""Instruments that try to make him fall, and keep what they found."""
