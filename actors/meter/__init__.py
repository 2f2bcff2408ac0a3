"""The meter: how often, how fast and for how much, in numbers that name nobody."""
