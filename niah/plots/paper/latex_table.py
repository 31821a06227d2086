"""Tables for papers: LaTeX of the package booktabs, no wider than a page's text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from niah.analysis.tables.table import Table
from niah.plots.table_columns import Column, columns_of, in_parts, key_count, shared_columns
from niah.plots.table_words import TOO_FEW, note_of

_ROOM, _GAP = 92, 2.4
"""Characters of a text 6.5 in wide in ten points, a letter being five wide; and between columns."""

_SMALL_ROOM, _SMALL_GAP = 102, 1.8
"""The same in nine points, with less between columns."""

_PROSE, _POINTS = 20, 4.7
"""Characters of a line in a column of words, where there is little room, and how wide each is."""


def as_latex(table: Table) -> str:
    """A ``table`` for a paper that uses the package booktabs: its title as caption, its note below.

    One that is too wide for a page's text is set smaller, with long names in lines, and leaves out what
    nobody knows, bounds that say nothing in any row, and what all rows share, which its caption says; what is
    still too wide becomes several, each with the columns that name the rows.
    """
    columns = columns_of(table)
    shared, parts, untold = "", [columns], ""
    narrow = sum(column.most for column in columns) + _GAP * (len(columns) - 1) > _ROOM
    if narrow:
        vague = [column for column in columns if set(column.cells) == {TOO_FEW}]
        if vague:
            untold = f"Left out: {' and '.join(column.head for column in vague)}, too few in all rows. "
        shared, rest = shared_columns([column for column in columns if column not in vague])
        columns = rest or columns
        widths = [float(min(column.most, _broken_at(column))) for column in columns]
        places = in_parts(widths, key_count(columns), _SMALL_ROOM, _SMALL_GAP)
        parts = [[columns[place] for place in part] for part in places]
    caption = f"{table.title} ({shared})" if shared else table.title
    made = [r"% \usepackage{booktabs}"]
    for place, part in enumerate(parts):
        numbered = f"{caption}, part {place + 1} of {len(parts)}" if len(parts) > 1 else caption
        label = f"tab:{table.name}" + (f"-{place + 1}" if place else "")
        note = untold + note_of(table) if place == len(parts) - 1 else ""
        made += _table(part, numbered, label, note, narrow=narrow)
    return "\n".join([*made, ""])


def _table(columns: Sequence[Column], caption: str, label: str, note: str, *, narrow: bool) -> list[str]:
    rows = zip(*(column.cells for column in columns), strict=True)
    formats = "".join(_format(column, narrow=narrow) for column in columns)
    return [
        r"\begin{table}",
        r"  \centering",
        *([r"  \small\setlength{\tabcolsep}{4pt}"] if narrow else []),
        rf"  \caption{{{_escaped(caption)}}}",
        rf"  \label{{{label}}}",
        rf"  \begin{{tabular}}{{{formats}}}",
        r"    \toprule",
        f"    {_line_of_cells(map(_head, columns))}",
        r"    \midrule",
        *(f"    {_line_of_cells(map(_escaped, row))}" for row in rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        *([rf"  \par\smallskip\footnotesize {_escaped(note)}"] if note else []),
        r"\end{table}",
    ]


def _broken_at(column: Column) -> int:
    """Characters of a line of its cells, where there is little room: numbers and single words stay whole."""
    return max(column.least, _PROSE)


def _format(column: Column, *, narrow: bool) -> str:
    if column.numeric:
        return "r"
    if narrow and column.most > _broken_at(column):
        return rf"p{{{_broken_at(column) * _POINTS:.0f}pt}}"
    return "l"


def _head(column: Column) -> str:
    """In a line for each word where its cells are narrower: ``Column.most`` reckons so."""
    words = column.head.split(" ")
    if len(words) == 1 or max(map(len, (*column.cells, ""))) >= len(column.head):
        return _escaped(column.head)
    lines = r"\\".join(map(_escaped, words))
    return rf"\shortstack[{'r' if column.numeric else 'l'}]{{{lines}}}"


_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$", "±": r"$\pm$"}
    | {"≤": r"$\le$", "≥": r"$\ge$", "×": r"$\times$", "→": r"$\to$", "–": "--"}
)


def _escaped(text: str) -> str:
    return " ".join(text.split()).translate(_LATEX)


def _line_of_cells(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"
