"""Prompts and templates: what they need works, and what never ends is refused soon."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import TemplateError

from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import CaseError, ConfigError
from niah.text.sandbox import LONGEST_TEXT
from niah.text.templates import fill_slots
from niah.text.tokenizer import count, get_tokenizer

OPTIONS = ("the red one", "the blue one", "neither")


@pytest.mark.parametrize(
    ("name", "free", "choice"),
    [
        ("u-niah", True, True),
        ("lc-vs-rag", True, True),
        ("dos-rag-qa", True, False),
        ("summary", True, False),
        ("dos-rag-mcq", False, True),
    ],
)
def test_which_questions_a_prompt_can_ask(name: str, free: bool, choice: bool) -> None:
    template = load_prompt(name)
    for options, fits in (((), free), (OPTIONS, choice)):
        if fits:
            assert all(option in template.render("", "Why?", options) for option in options)
        else:
            with pytest.raises(CaseError, match=rf"prompt '{name}' .* (Mend|Take a prompt)"):
                template.frame("Why?", options)


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
@pytest.mark.parametrize("context", ["One. Two.", "One; two", '"Quoted."', "2024 ended."])
def test_p_counts_merges_at_both_joints(tokenizer: str, context: str) -> None:
    encode, template = get_tokenizer(tokenizer), load_prompt("u-niah")
    whole = count(encode, template.render(context, "Why?"))
    tokens = prompt_tokens("u-niah", tokenizer, "Why?", context, context)
    assert tokens == whole - count(encode, context)
    whole = count(encode, template.render(context, "Why?", OPTIONS))
    tokens = prompt_tokens("u-niah", tokenizer, "Why?", context, context, OPTIONS)
    assert tokens == whole - count(encode, context)


@pytest.mark.parametrize(
    "text",
    [
        "{{ question }}",
        "{{ context }}",
        "{{ context }}{{ context }}{{ question }}",
        "{{ oops",
        "{{ 1 / 0 }}{{ context }}{{ question }}",
        "{% include 'x' %}{{ context }}{{ question }}",
    ],
)
def test_a_template_that_cannot_work_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jinja"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"bad\.jinja"):
        load_prompt(str(path))


VALUES = {
    "town": "Ely",
    "names": ("Ada", "Bo", "Cy"),
    "nought": 0,
    "big": "lorem ipsum" * 90_000,
    "many": ["x"] * 5000,
    "two": ("x" * (LONGEST_TEXT - 1), "y"),
}


def filled(source: str) -> str:
    """What a template says of ``VALUES``."""
    return fill_slots(source, VALUES)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for n in names %}{{ loop.index }}{{ n }}{{ ' ' if not loop.last }}{% endfor %}", "1Ada 2Bo 3Cy"),
        ("{% for name in names if name != 'Bo' %}{{ name }}{% else %}none{% endfor %}", "AdaCy"),
        ("{% for name in names %}{{ 'ABC'[loop.index0] }}{% endfor %}", "ABC"),
        ("{{ names[2] }}-{{ town }}{{ 1 }}", "Cy-Ely1"),
        ("{% if 'l' in town and town is defined and other is not defined %}yes{% endif %}", "yes"),
        ("{{ names | join(', ') | upper }} {{ names | length }} {{ names | first }}", "ADA, BO, CY 3 Ada"),
        ("{{ names | sort | reverse | list }}{{ names }}", "['Cy', 'Bo', 'Ada']('Ada', 'Bo', 'Cy')"),
        ("{{ many | list | length }}" * 500, "5000" * 500),  # all the work that may be
        ("{{ big" + " | upper" * 16 + " | length }} {{ two | join | length }}", "990000 4000000"),
        ("{% raw %}{{ town }}{% endraw %}{# {{ 1 / 0 }} #}", "{{ town }}"),
    ],
)
def test_what_prompts_need(source: str, text: str) -> None:
    assert filled(source) == text


LOOPS = "{% for i in many %}{% for j in many %}{{ nought or '' }}{% endfor %}{% endfor %}"


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (LOOPS, "loops and filters do too much"),
        ("{% for i in many %}{{ big }}{% endfor %}", "makes a text of more than"),
        ("{{ many | join(big) }}", "makes a text of more than"),
        ("{{ big ~ big }}", "'concat' is nothing"),
        ("{{ big" + " | upper" * 99 + " }}", "loops and filters do too much"),
        ("{{ big | list | length }}" * 9, "loops and filters do too much"),
        ("{{ big | replace('o', big) }}", "No filter named 'replace'"),
        ("{{ town.upper() }}", "'call' is nothing"),
        ("{% set x = 1 %}{{ x }}", "'set' is nothing"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "cannot be read|nested"),
        ("{{ " + "7" * 5000 + " }}", "cannot be read .*digits"),
        ("{% if 1 %}" * 500 + "{% endif %}" * 500, "cannot be read|nested"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "'macro' is nothing"),
        ("{% include 'x' %}", "'include' is nothing"),
        ("{{ town.__class__ }}", "unsafe"),
        ("x" * (LONGEST_TEXT + 1), "is too long"),
    ],
)
def test_what_would_not_end_is_refused_soon(source: str, problem: str) -> None:
    with pytest.raises(TemplateError, match=problem):
        filled(source)
