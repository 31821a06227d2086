"""A report on paper: one PDF, made without a browser."""
