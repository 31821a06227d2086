"""Words where spaces do not say what one is."""
