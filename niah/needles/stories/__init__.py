"""Stories: events in order, and questions that are answered by following them (bAbI, 1502.05698)."""

from niah.needles.stories import people, relations
from niah.needles.stories.world import TASKS

__all__ = ["TASKS", "people", "relations"]
