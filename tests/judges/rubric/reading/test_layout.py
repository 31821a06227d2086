from __future__ import annotations

from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.layout import Layout, read_layout

ANSWER = """\
# Found

- figs
  - from Smyrna
- **olives**

Not needed:
basil

| item | needed |
| --- | --- |
| figs | yes |

So: \\boxed{figs}"""


def layout_of(answer: str) -> tuple[str, Layout]:
    tidied = tidy(answer)
    return tidied, read_layout(answer, tidied)


def test_every_line_has_the_kind_that_its_marks_tell() -> None:
    _, layout = layout_of(ANSWER)
    kinds = [line.kind for line in layout.lines if line.kind != "blank"]
    assert kinds == [
        *("heading", "bullet", "bullet", "bullet", "label", "text"),
        *("row", "rule", "row", "text"),
    ]


def test_bold_and_boxed_text_is_found_where_it_stands_once_the_marks_are_gone() -> None:
    tidied, layout = layout_of(ANSWER)
    assert [tidied[slice(*span)] for span in layout.bold] == ["olives"]
    assert [tidied[slice(*span)] for span in layout.boxed] == ["figs"]


def test_the_cells_of_a_table_are_told_apart() -> None:
    tidied, layout = layout_of(ANSWER)
    (table,) = layout.tables()
    cells = [[tidied[slice(*cell)].strip() for cell in row.cells] for row in table]
    assert cells == [["item", "needed"], ["figs", "yes"]]


def test_a_label_leads_in_its_paragraph_and_a_bullet_what_is_below_it() -> None:
    tidied, layout = layout_of(ANSWER)
    label = next(number for number, line in enumerate(layout.lines) if line.kind == "label")
    assert tidied[slice(*layout.block_below(label))].strip() == "basil"
    assert tidied[slice(*layout.branch_below(2))].strip() == "from smyrna"


def test_lists_and_tables_are_ranges_of_their_own() -> None:
    tidied, layout = layout_of(ANSWER)
    assert [tidied[slice(*span)].split()[0] for span in layout.lists] == ["figs", ","]


def test_a_paragraph_goes_on_to_the_next_blank_line_and_not_past_a_heading() -> None:
    _, layout = layout_of("Answer:\n\none\ntwo\n\nthree\n\n# Notes\nfour")
    assert layout.paragraph_below(0) == 3
    assert layout.paragraph_below(2) == 3
    assert layout.paragraph_below(5) == 5
