"""Conversations: one ask comes several times among near ones, and one reply is asked for (MRCR)."""
