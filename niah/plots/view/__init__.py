"""Pages of ``niah view`` that no report has: a folder's runs, and what stands in the way of a page."""
