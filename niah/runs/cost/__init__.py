"""What runs cost: prices, estimates, budgets."""
