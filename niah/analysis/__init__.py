"""Pure functions over tables of trials."""
