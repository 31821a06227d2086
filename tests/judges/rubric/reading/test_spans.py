from __future__ import annotations

import pytest

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.reading.spans import Spans, mentions_in_any, mentions_inside, without_spans

MENTIONS = [Mention(name, True, start, start + 2) for name, start in (("a", 0), ("b", 5), ("c", 9))]


@pytest.mark.parametrize(("offset", "inside"), [(0, False), (2, True), (4, True), (6, False), (8, True)])
def test_ranges_that_overlap_hold_what_any_of_them_holds(offset: int, inside: bool) -> None:
    assert (offset in Spans([(8, 9), (2, 4), (3, 6)])) is inside


def test_a_stretch_is_covered_from_end_to_end() -> None:
    spans = Spans([(2, 4), (4, 6), (8, 8)])
    assert spans.cover(2, 6)
    assert not spans.cover(1, 6)
    assert not spans.cover(5, 7)
    assert 8 not in spans


def test_mentions_are_inside_where_they_begin() -> None:
    assert [mention.name for mention in mentions_inside(MENTIONS, (1, 9))] == ["b"]
    assert [mention.name for mention in mentions_in_any(MENTIONS, [(0, 1), (9, 10)])] == ["a", "c"]


def test_what_is_taken_out_leaves_every_other_place_as_it_was() -> None:
    assert without_spans("one\ntwo three", [(8, 13), (0, 5)]) == "   \n wo      "
    assert without_spans("one", []) == "one"
