"""Metrics: numbers from 0 to 1 for free and multiple-choice answers, without an LLM."""

from __future__ import annotations

from niah.judges.metrics.choices import parse_choice
from niah.judges.metrics.metric import METRICS, Metric, find_metric

__all__ = ["METRICS", "Metric", "find_metric", "parse_choice"]
