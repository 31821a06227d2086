"""From a case to its context: placement, layout, rendering."""
