"""Commands that plan, make, merge and report runs."""
