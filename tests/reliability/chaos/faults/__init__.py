"""Everything that can go wrong in an evening, and how it is brought about."""
