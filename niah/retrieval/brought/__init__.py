"""What a user brings of their own: a Python function or an HTTP service, asked about one context at once."""
