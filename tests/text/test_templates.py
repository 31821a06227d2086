"""Slots of templates: what is found without Jinja2 is what Jinja2 finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from jinja2 import TemplateSyntaxError

from niah.text.templates import _parsed_slots, slots_in

PIECES = st.sampled_from(
    [
        *("The ferry to ", " left.\n", "{", "}", "%", "{#", "#}", " | ", "a b", "{% raw %}", "{% endraw %}"),
        *("{{ town }}", "{{ town | capital }}", "{{ town | a }}", "{{town}}", "{{ range }}", "{{ self }}"),
        *(
            "{{ true }}",
            "{{ none }}",
            "{{ not }}",
            "{{ is }}",
            "{{ town_2 }}",
            "{{ town | upper }}",
            "{{ _ }}",
        ),
        *("{% if town %}", "{% endif %}", "{% set ship = town %}", "{{ ship }}", "{{ town }}" * 300),
    ]
)


def outcome(source: str, *, by_jinja: bool) -> frozenset[str] | str:
    try:
        return _parsed_slots(source) if by_jinja else slots_in(source)
    except TemplateSyntaxError as error:
        return str(error)


@given(st.lists(PIECES, max_size=6).map("".join))
def test_slots_are_those_that_jinja_finds(source: str) -> None:
    assert outcome(source, by_jinja=False) == outcome(source, by_jinja=True)
