"""Score heatmaps: per reader, as a sheet, as a matrix."""
