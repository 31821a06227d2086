"""A report on paper: one PDF, made without a browser, and tables in LaTeX."""
