"""The question set over four chapters of Project Gutenberg books, with the chapters cut out of local copies.

    python -m tests.bench.gutenberg_questions CORPORA OUT

CORPORA is a folder with mysterious-island.txt, lorna-doone.txt, mysteries-of-udolpho.txt and dariel.txt; OUT
gets gutenberg.jsonl and, beside it, gutenberg.documents.jsonl. The chapters are nowhere in this repository.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

QUESTIONS = Path(__file__).with_name("gutenberg.jsonl")

# By document: book, how its chapters are headed, the chapter's heading (its first occurrence), and a title.
CHAPTERS = {
    "gutenberg/mysterious-island-1-13": (
        "mysterious-island",
        r"^Chapter \d+$",
        "Chapter 13",
        "The Mysterious Island, I 13",
    ),
    "gutenberg/lorna-doone-10": ("lorna-doone", r"^CHAPTER [IVXL]+$", "CHAPTER X", "Lorna Doone, 10"),
    "gutenberg/udolpho-1-5": (
        "mysteries-of-udolpho",
        r"^CHAPTER [IVXL]+$",
        "CHAPTER V",
        "The Mysteries of Udolpho, I 5",
    ),
    "gutenberg/dariel-1": ("dariel", r"^CHAPTER [IVXL]+$", "CHAPTER I", "Dariel, 1"),
}


def write_question_set(corpora: Path, out: Path) -> Path:
    """Write the questions and their documents; returns the questions' path."""
    out.mkdir(parents=True, exist_ok=True)
    documents = [
        {"id": name, "title": title, "text": chapter(corpora / f"{book}.txt", pattern, heading)}
        for name, (book, pattern, heading, title) in CHAPTERS.items()
    ]
    lines = "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
    (out / "gutenberg.documents.jsonl").write_text(lines, encoding="utf-8")
    (out / "gutenberg.jsonl").write_bytes(QUESTIONS.read_bytes())
    return out / "gutenberg.jsonl"


def chapter(book: Path, pattern: str, heading: str) -> str:
    """The chapter under the first such heading, as it stands in the book, up to the next one's."""
    text = book.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    headings = list(re.finditer(pattern, text, re.MULTILINE))
    first = next(place for place, match in enumerate(headings) if match[0] == heading)
    return text[headings[first].start() : headings[first + 1].start()].strip() + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(write_question_set(Path(sys.argv[1]), Path(sys.argv[2])))
