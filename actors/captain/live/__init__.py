"""The captain's mind where there is a model: it is asked step by step, and does nothing by itself."""
