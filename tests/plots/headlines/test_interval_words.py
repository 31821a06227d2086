from niah.analysis.stats.interval import Interval
from niah.plots.headlines.interval_words import lead_words


def test_a_lead_that_is_the_same_in_all_clusters_has_no_interval() -> None:
    assert lead_words(Interval(0.0, 0.0, 0.0, 12, 6), signed=True) == "+0.0 (all 6 clusters alike)"
    assert lead_words(Interval(-9.0, -9.0, -9.0, 12, 6)) == "-9.0 (all 6 clusters alike)"
    assert lead_words(Interval(0.5, 0.25, 0.75, 12, 6)) == "0.5 (95 %: 0.2 to 0.8)"
    assert lead_words(Interval(0.0, 0.0, 0.0, 12, 4)) == "0.0"
