"""The tools of others: each of the operator's servers is kept at arm's length, and alive."""
