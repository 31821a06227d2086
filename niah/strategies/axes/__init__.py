"""What a strategy that retrieves is made of."""
