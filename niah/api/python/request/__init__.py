"""From the arguments of ``niah.run`` and ``niah.plan`` to the run that they mean."""
