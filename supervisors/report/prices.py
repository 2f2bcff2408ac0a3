"""What a stay has cost, by model, in the operator's own prices where he has given them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from actors.costs import Bill, CostSettings, Spent, total, unpriced

NO_PRICES = CostSettings()


def costs(bill: Bill, settings: CostSettings) -> Iterator[str]:
    """A table, and what is missing in it."""
    if not bill:
        yield "<p class=none>Nothing is on record of what providers were asked to do."
        return
    yield '<div class=wide tabindex=0 role=group aria-label="Cost"><table class=costs><thead><tr>'
    yield "<th scope=col>model<th scope=col class=n>tokens read<th scope=col class=n>of them cached"
    yield "<th scope=col class=n>tokens written<th scope=col class=n>sound written down"
    yield f"<th scope=col class=n>characters spoken<th scope=col class=n>{escape(settings.currency)}<tbody>"
    for spent in bill:
        yield _row(spent, settings)
    if settings.prices:
        yield "<tfoot><tr><th scope=row>together<td class=n colspan=5>"
        yield f"<td class=n>{total(bill, settings.prices):,.4f}"
    yield "</table></div>"
    missing = unpriced(bill, settings.prices)
    if missing:
        names = ", ".join(escape(model) for model in dict.fromkeys(missing))
        yield f"<p class=none>Without a price: {names}. Give them in [costs.prices] of a --config."


def _row(spent: Spent, settings: CostSettings) -> str:
    price = settings.prices.get(spent.model)
    amount = "nothing" if spent.provider == "local" else "–" if price is None else f"{spent.cost(price):,.4f}"
    minutes = f"{spent.audio_ms / 60_000:,.1f} min" if spent.audio_ms else ""
    cells = (
        f"{spent.input_tokens:,}" if spent.input_tokens else "",
        f"{spent.cached_tokens:,}" if spent.cached_tokens else "",
        f"{spent.output_tokens:,}" if spent.output_tokens else "",
        minutes,
        f"{spent.characters:,}" if spent.characters else "",
        amount,
    )
    model = f"{escape(spent.model)} <small>{escape(spent.provider)}</small>"
    return f"<tr><th scope=row>{model}" + "".join(f"<td class=n>{cell}" for cell in cells)
