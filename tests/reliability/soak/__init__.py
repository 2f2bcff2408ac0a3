"""A hundred hours of room life on a quick clock and half an hour in real time: nothing may grow."""
