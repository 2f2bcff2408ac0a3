"""One link to the sound of one room: microphones in, his voice out."""
