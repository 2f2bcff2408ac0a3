"""The captain's mind behind an address."""
