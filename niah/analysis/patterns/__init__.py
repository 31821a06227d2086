"""Error patterns found in trials (u-niah, section 5.2.4), with thresholds, effects and tests."""

from niah.analysis.patterns.find import find_patterns
from niah.analysis.patterns.pattern import Dependence, Pattern

__all__ = ["Dependence", "Pattern", "find_patterns"]
