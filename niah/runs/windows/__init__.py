"""How many tokens readers hold, and what is longer."""
