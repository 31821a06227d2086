"""Trying requests again: for how long, what an endpoint asks for, and the attempts themselves."""
