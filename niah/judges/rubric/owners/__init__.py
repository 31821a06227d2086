"""Whose the things are that an answer names beside what was asked for."""
