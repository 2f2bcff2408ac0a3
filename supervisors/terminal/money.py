"""What a stay cost, in the words of the page."""

from __future__ import annotations

from actors.console.report import StayCosts


def cost(costs: StayCosts) -> str:
    """For example "0.0213 EUR"; in words where nobody was asked, or nobody who charges."""
    if not costs.bill and not costs.amount:
        return "nothing yet"
    if all(spent.provider == "local" for spent in costs.bill) and not costs.amount:
        return "nothing: all local"
    return f"{costs.amount:.{4 if costs.amount < 1 else 2}f} {costs.currency}"
