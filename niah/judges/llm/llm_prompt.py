"""What an LLM judge is asked: fixed instructions, and everything else as one JSON object. Pure.

Nothing that comes from a model or a data set stands in the instructions, nor in the schema of the reply,
which providers paste into their prompts. As data it cannot pose as anything else: in JSON strings, every
character that is not ASCII or not printable is escaped (zero-width characters, bidi overrides, halves of
characters, NUL), and so are those that JSON, code fences and chat templates are built of. That last matters:
an endpoint that renders a template and then tokenises the whole (llama.cpp does) would make real control
tokens of an answer's ``<|im_end|>`` or ``[/INST]``.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from string import ascii_uppercase

from niah.cases.sample import AnswerKey
from niah.judges.references import with_elements
from niah.judges.rubric.normalise import strip_reasoning

# A changed text is a new file with a new number: verdicts under one version were asked for alike.
VERSION = "u-niah-1"

# Of an answer's order the instructions say that it is free.
_IN_ORDER = "\n(The order is part of the answer. An element out of its place is a wrong one.)"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_STRUCTURAL = re.compile(r"[<>\[\]{}|`&]")


@cache
def instructions() -> str:
    """The fixed instructions (rubric: u-niah paper, section 3.1.3; self-doubt: section 5.2.2)."""
    file = Path(__file__).parent / "prompts" / f"{VERSION}.md"
    return file.read_text(encoding="utf-8").rstrip("\n")


@cache
def digest() -> str:
    """SHA-256 of the instructions, which shows a text that was changed without a new number."""
    return hashlib.sha256(instructions().encode()).hexdigest()


def data(answer: str, key: AnswerKey, refused: str = "") -> str:
    """The JSON object to judge by, in printable ASCII.

    The answer comes last, so that the answers of one needle set share a prefix, and without what the reader
    thought aloud, which no judge judges.

    Args:
        answer: the reader's.
        key: what was asked.
        refused: why the judge's last reply was not accepted; "" the first time.
    """
    # Most that imports this module asks no judge, and the rules take half a second to import.
    from niah.judges.rubric.elements.answer_names import wrong_elements

    key = with_elements(key)
    options = "".join(
        f"\n{ascii_uppercase[n]} or [[{n + 1}]]: {option}" for n, option in enumerate(key.options)
    )
    fields: dict[str, object] = {
        "question": key.question + options + (_IN_ORDER if key.ordered else ""),
        "reference_answer": key.answer,
        "elements": [
            {"name": element.name, "aliases": element.aliases} | ({"key": element.key} if element.key else {})
            for element in key.elements
        ],
        "wrong_elements": list(dict.fromkeys(element.name for element in wrong_elements(key))),
        "answer": strip_reasoning(answer),
    }
    return _inert(json.dumps(fields | ({"refused": refused} if refused else {}), ensure_ascii=True))


def _inert(json_text: str) -> str:
    """The same JSON, with the characters inside its strings escaped that mean something outside of them."""
    return _STRING.sub(lambda string: _STRUCTURAL.sub(_escaped, string[0]), json_text)


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
