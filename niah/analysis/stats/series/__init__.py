"""Values night by night: their levels, and how much each is like the last."""
