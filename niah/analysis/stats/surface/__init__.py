"""A surface of scores over context length and depth, and how depths may differ on it."""
