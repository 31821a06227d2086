"""Kinds of charts that several figures are made of."""
