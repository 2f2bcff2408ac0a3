"""One folder for each actor: it thinks in one file, listens in another and touches the world in a third."""
