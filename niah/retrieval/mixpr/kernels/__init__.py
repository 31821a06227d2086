"""The loops of MixPR, compiled."""
