from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.judges.rubric.normalise import normalise, spaced, strip_reasoning, tidy


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crimson-Essence", "crimson essence"),
        ("crimson_essence", "crimson essence"),
        ("crimson\u2011essence", "crimson essence"),
        ("crim\u00adson", "crimson"),
        ("**bold**, _slanted_ and `code`", "bold, slanted and code"),
        ("# Head", "head"),
        ("- item", "item"),
        ("[gold mist](http://x.y)", "gold mist"),
        ("23 °C [passage 14].", "23 °c."),
        ("Reed [Sources 3, 7 and 12]; [42]", "reed; [42]"),
        ("“Curly” it’s", "curly it's"),
        ("ﬁgs", "figs"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("salt &amp; pepper", "salt  and  pepper"),
        ("<answer>x</answer>", " x "),
        ("~~olives~~ figs", "  figs"),
        ("\\boxed{42}", "42"),
        (r"$1.75\,\text{kg}$", "1.75 kg"),
        (r"\boxed{1.75~\mathrm{kg}}", "1.75 kg"),
        (r"\boxed{\textbf{\emph{34}}}", "34"),
        (r"$23{,}518$ and $23\,518$ and 23,\!518", "23518 and 23518 and 23518"),
        (r"$19{:}05$", "19:05"),
        (r"62\,\%", "62 %"),
        (r"\texttt{RELAY\_MASTER\_OFF}", "relay master off"),
        (r"$41^{\circ}\mathrm{C}$", "41°c"),
        (r"\cancel{34} 17", "  17"),
        (r"\frac{3}{4}", r"\frac{3}{4}"),
        (r"C:\new\~1 and C:\{4}", r"c:\new\~1 and c:{4}"),
    ],
)
def test_one_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("48,213", "48213"),
        ("1,234,567", "1234567"),
        ("48_213", "48213"),
        ("48\u202f213", "48213"),
        ("48’213", "48213"),
        ("48,213, 77,121", "48213, 77121"),
        ("48213,77121", "48213,77121"),
        ("4,82", "4,82"),
        ("1,2,3", "1,2,3"),
        ("3.14", "3.14"),
    ],
)
def test_thousands_separators(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. figs\n2. ham\n3. cheese", "figs\nham\ncheese"),
        ("1) figs\n2) ham", "figs\nham"),
        ("742. The code", "742. the code"),
        ("742.", "742."),
        ("1. a\n\nThen:\n1. b\n2. c", "a\n\nthen:\nb\nc"),
    ],
)
def test_list_numbers_go_only_where_they_count(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>a</think>b", "b"),
        ("<THINK>a</THINK>b<thinking>c</thinking>d", "bd"),
        ("[THINK]a[/THINK]b", "b"),
        ("a</think>b", "b"),
        ("b<think>a", "b"),
        ("I think <b>so</b>", "I think <b>so</b>"),
    ],
)
def test_reasoning_is_stripped(text: str, expected: str) -> None:
    assert strip_reasoning(text) == expected


@given(st.text())
def test_spacing_keeps_every_offset(text: str) -> None:
    tidied = tidy(text)
    assert len(spaced(tidied)) == len(tidied)
    assert "-" not in normalise(text)


@given(st.text(alphabet="abcXYZ é-_'’“”*`\n.,1234567890"))
def test_case_is_gone(text: str) -> None:
    assert normalise(text.upper()) == normalise(text.lower())


@given(st.text("aBz,.;!?()' \n").filter(lambda text: "   " not in text))
def test_plain_text_is_tidied_as_any_other(text: str) -> None:
    assert tidy(text) == tidy(f"{text}\N{SOFT HYPHEN}")
