"""Stories: events told in order, and questions that are answered by following them (bAbI, 1502.05698)."""
