"""What is checked at a user's wish, with no model asked."""
