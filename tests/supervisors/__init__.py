"""The supervision that everything else relies on, tested first."""
