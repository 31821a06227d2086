"""What a night is compared with, and which nights are accepted."""
