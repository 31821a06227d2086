"""The deterministic judge: elements, wrong elements, doubt."""
