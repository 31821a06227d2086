"""Names of needles in another script: "Осрин Танделл", "オスリン・タンデル" for Osrin Tandell."""
