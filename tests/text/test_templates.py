"""Templates that strangers wrote: what a prompt needs works, and what never ends is refused soon."""

from __future__ import annotations

import time

import pytest
from jinja2 import TemplateError

from niah.cases.prompts import _environment as prompt_environment
from niah.text.templates import LONGEST_TEXT

VALUES = {
    "town": "Ely",
    "names": ("Ada", "Bo", "Cy"),
    "nought": 0,
    "big": "lorem ipsum" * 90_000,
    "many": ["x"] * 5000,
}


def filled(source: str) -> str:
    """What a prompt template, which has more filters than a family's, says of ``VALUES``."""
    return prompt_environment().render(source, VALUES)


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
        ("{% raw %}{{ town }}{% endraw %}{# {{ 1 / 0 }} #}", "{{ town }}"),
    ],
)
def test_what_prompts_need(source: str, text: str) -> None:
    assert filled(source) == text


LOOPS = "{% for i in many %}{% for j in many %}{{ nought or '' }}{% endfor %}{% endfor %}"


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
    begun = time.process_time()
    with pytest.raises(TemplateError, match=problem):
        filled(source)
    assert time.process_time() - begun < 5  # under 0.1 as a rule; without bounds some would take years
