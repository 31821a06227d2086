"""Templates that strangers wrote: what a sentence needs works, and what never ends is refused soon."""

from __future__ import annotations

import time

import pytest
from jinja2 import TemplateError

from niah.cases.prompts import _environment as prompt_environment
from niah.text.bounded_templates import LONGEST_TEXT, MOST_STEPS
from niah.text.templates import fill_slots, slots_in

VALUES = {"town": "Ely", "names": ("Ada", "Bo", "Cy"), "nought": 0, "big": "lorem ipsum" * 30_000}


def filled(source: str) -> str:
    """What a prompt template, which has more filters than a family's, says of ``VALUES``."""
    return prompt_environment().render(source, VALUES)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ town }} and {{ town.upper() }}", "Ely and ELY"),
        ("{% for n in names %}{{ loop.index }}{{ n }}{{ ' ' if not loop.last }}{% endfor %}", "1Ada 2Bo 3Cy"),
        ("{% for name in names if name != 'Bo' %}{{ name }}{% else %}none{% endfor %}", "AdaCy"),
        ("{% for i in range(3) %}{{ 'ABC'[i] }}{% endfor %}", "ABC"),
        ("{% if 'l' in town and town is defined and other is not defined %}yes{% endif %}", "yes"),
        ("{{ 2 * 3 + 10 // 4 - 7 % 5 }} {{ 1 / 4 }} {{ -nought }}", "6 0.25 0"),
        ("{{ names | join(', ') | upper }} {{ names | length }} {{ names | first }}", "ADA, BO, CY 3 Ada"),
        ("{{ 'a-b' | replace('-', '+') }} {{ 'a-b'.replace('-', ' ').title() }}", "a+b A B"),
        ("{{ names[1:] | sort | reverse | list }}", "['Cy', 'Bo']"),
        ("{{ names }}{{ town[:2] }}{{ 'x' + 'y' }}", "('Ada', 'Bo', 'Cy')Elxy"),
        ("{% raw %}{{ town }}{% endraw %}{# {{ 1 / 0 }} #}", "{{ town }}"),
    ],
)  # fmt: skip
def test_what_sentences_need(source: str, text: str) -> None:
    assert filled(source) == text


NESTED = (
    "{% for i in range(99999) %}{% for j in range(99999) %}{{ 0 * (i + j) or '' }}{% endfor %}{% endfor %}"
)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (NESTED, f"its loops go round more than {MOST_STEPS:,} times"),
        ("{% for i in range(10 ** 12) %}{% endfor %}", "'pow' is nothing for a template here"),
        ("{% for i in range(999999999) %}{% endfor %}", "Range too big"),
        ("{{ 'x' * 10000000000 }}", r"\* is for two numbers, and here is a str"),
        ("{{ [0] * 10000000000 }}", r"\* is for two numbers, and here is a list"),
        ("{{ '%9999999999d' % 1 }}", "% is for two numbers"),
        ("{{ 10 ** 10 ** 10 }}", "'pow' is nothing"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "is nested too deep"),
        ("{{ " + "-" * 5000 + "1 }}", "is nested too deep"),
        ("{{ 1" + " + 1" * 5000 + " }}", "is nested too deep"),
        ("{{ " + "7" * 5000 + " }}", "has a number of too many digits"),
        ("{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}", "'macro' is nothing"),
        ("{% include 'x' %}", "'include' is nothing"),
        ("{% extends 'x' %}", "'extends' is nothing"),
        ("{% import 'x' as y %}", "'import' is nothing"),
        ("{% block a %}{% endblock %}", "'block' is nothing"),
        ("{% filter upper %}x{% endfilter %}", "'filter' is nothing"),
        ("{% set x = 1 %}{{ x }}", "'set' is nothing"),
        ("{{ [" + "big.upper(), " * 999 + "1] | length }}", "letters on the way"),
        ("{{ [" + "big[1:], " * 999 + "1] | length }}", "letters on the way"),
        ("{{ [" + "big ~ 1, " * 999 + "1] | length }}", "letters on the way"),
        ("{{ [" + "(big | list), " * 99 + "1] | length }}", "letters on the way"),
        ("{{ big.replace('', big) }}{{ big | replace('o', big) }}", "makes a text of more than"),
        ("{{ names | join(big) }}{{ range(9999) | join(big) }}", "makes a text of more than"),
        ("{% for i in range(9999) %}{{ big }}{% endfor %}", "makes a text of more than"),
        ("{% for i in big %}{% endfor %}", "loops go round more than"),
        ("{% for i in names recursive %}{{ loop(names) }}{% endfor %}", "'for' is nothing"),
        ("{% with x = 1 %}{% endwith %}", "'with' is nothing"),
        ("{{ {'a': 1} }}", "'dict' is nothing"),
        ("{{ 'x'.ljust(9999999999) }}", "calls something else than range"),
        ("{{ 'x'.format() }}", "calls something else than range"),
        ("{{ lipsum(n=99999) }}", "calls something else than range"),
        ("{{ names.append('x') }}", "calls something else than range"),
        ("{{ 'x' | center(9999999999) }}", "No filter named 'center'"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ town.__class__ }}", "unsafe"),
        ("{{ town.upper }}", "is no text"),
        ("{{ town + 1 }}", r"\+ is for two numbers, and here is a str"),
        ("{{ nowhere }}", "'nowhere' is undefined"),
        ("{{ nowhere + 1 }}", "'nowhere' is undefined"),
        ("x" * (LONGEST_TEXT + 1), "is too long"),
        ("{{ town }}" * 50_000, "is too long"),
    ],
)  # fmt: skip
def test_what_would_not_end_is_refused_soon(source: str, problem: str) -> None:
    begun = time.process_time()
    with pytest.raises(TemplateError, match=problem):
        filled(source)
    assert time.process_time() - begun < 10  # under 0.1 as a rule; without bounds some would take years


def test_a_family_has_filters_of_its_own_and_the_same_bounds() -> None:
    assert fill_slots("{{ fruit | a }} {{ fruit | capital }}", {"fruit": "apple"}) == "an apple Apple"
    with pytest.raises(TemplateError, match="No filter named 'upper'"):
        fill_slots("{{ fruit | upper }}", {"fruit": "apple"})
    with pytest.raises(TemplateError, match="is nothing for a template here"):
        slots_in("{% macro m() %}{% endmacro %}")


def test_one_template_leaves_nothing_less_to_the_next() -> None:
    source = "{% for i in range(1000) %}{{ i }}{% endfor %}"
    assert len({filled(source) for _ in range(MOST_STEPS // 1000 + 5)}) == 1
