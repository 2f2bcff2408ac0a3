"""One stay, from joining to leaving: who is here, who may be heard, and how it ends."""
