"""What models cost: the price of each, the table that prices come from, and what a call took."""
