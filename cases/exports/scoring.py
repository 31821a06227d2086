"""How much of what was asked for an answer names: the share of elements, each by its name or an alias.

Written by niah beside the cases it exported; it needs nothing of niah. niah's own judge reads more into an
answer (hedging, corrections, wrong items, other spellings): for its verdicts, run the suite with niah.
"""

import re
import unicodedata
from pathlib import Path


def plain(text):
    """Words only, in lower case, with one space around each."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return " " + " ".join(re.findall(r"\w+", text)) + " "


def share_named(answer, elements):
    """0 to 1: how many of the elements, lists of spellings, the answer holds as whole words."""
    said = plain(answer)
    return sum(any(plain(name) in said for name in names) for names in elements) / max(1, len(elements))


def cases(**_):
    """The cases, for lm-eval."""
    from datasets import load_dataset

    return load_dataset("json", data_files={"test": str(Path(__file__).with_name("cases.jsonl"))})


def process_results(doc, results):
    """One answer's score, for lm-eval."""
    return {"share_named": share_named(results[0], doc["elements"])}
