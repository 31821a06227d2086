"""What an endpoint says of itself, before it is asked anything."""
