"""The figures of a report, one a module; ``niah.plots.registry`` draws them all."""
