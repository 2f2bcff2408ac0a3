"""A Discord of ours on 127.0.0.1 that an unmodified client can live in."""
