"""Which lines a footnote speaks of."""

from __future__ import annotations

import pytest

from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.layout import read_layout
from niah.judges.rubric.reading.structure.footnotes import footnotes


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("Sable¹\nTallow\n\n¹ sank in May", ["sable1"]),
        ("- Sable*\n- Tallow\n\n*sank in May", ["sable"]),
        ("Sable [1]\nTallow†.\n† sank in May", ["tallow†."]),
        ("| Sable¹ | 4 |\n|---|---|\n| Tallow¹ | 5 |\n\n¹ both sank", 2),
        ("* Sable\n* Tallow", []),
        ("Sable¹\nTallow", []),
        ("¹ sank in May\nSable¹", []),
    ],
)
def test_a_footnote_knows_the_lines_above_that_refer_to_it(answer: str, lines: list[str] | int) -> None:
    tidied = tidy(answer)
    found = [line for _, above in footnotes(answer, read_layout(answer, tidied)) for line in above]
    if isinstance(lines, int):
        assert len(found) == lines
    else:
        assert [tidied[start:end] for start, end in found] == lines
