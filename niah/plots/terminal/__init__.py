"""What terminals show."""
