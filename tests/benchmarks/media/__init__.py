"""Media processes: how they stop, are born, die, and what they and the stays around them weigh."""
