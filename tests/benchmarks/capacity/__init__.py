"""How many people one media process hears, and how many stays one machine carries."""
