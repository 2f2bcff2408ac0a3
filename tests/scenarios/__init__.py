"""The bundled scenarios, each a play for `clankie rehearse`."""
