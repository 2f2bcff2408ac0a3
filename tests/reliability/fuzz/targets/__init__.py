"""Everything that reads what others write, each with its usual surroundings."""
