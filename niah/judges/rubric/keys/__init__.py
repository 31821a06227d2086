"""Which key an answer gives each value to."""
