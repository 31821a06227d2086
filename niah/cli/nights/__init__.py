"""Commands that compare runs, night by night."""
