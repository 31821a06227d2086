from pathlib import Path

import pytest

from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import ConfigError, UnknownName
from niah.text.tokenizer import count, get_tokenizer


def test_the_question_stands_after_the_context() -> None:
    prompt = load_prompt("u-niah").render("CONTEXT", "QUESTION?")
    assert prompt.index("CONTEXT") < prompt.index("QUESTION?")


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
@pytest.mark.parametrize("context", ["One. Two.", "One; two", '"Quoted."', "2024 ended."])
def test_p_counts_merges_at_both_joints(tokenizer: str, context: str) -> None:
    encode, template = get_tokenizer(tokenizer), load_prompt("u-niah")
    whole = count(encode, template.render(context, "Why?"))
    assert prompt_tokens(template, "Why?", context, context, encode) == whole - count(encode, context)


def test_braces_in_texts_are_only_text() -> None:
    assert "{{ 7 * 7 }}" in load_prompt("u-niah").render("{{ 7 * 7 }}", "{% raw %}?")


def test_a_template_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.jinja"
    path.write_text("{# version: 3 #}\n{{ question }}\n{{ context }}")
    template = load_prompt(str(path))
    assert (template.name, template.version) == ("mine", "3")
    assert template.render("C", "Q") == "Q\nC"


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


def test_a_template_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.jinja"
    path.write_bytes(b"\xff\xfe{{ context }}{{ question }}")
    with pytest.raises(ConfigError, match=r"bad\.jinja: is not UTF-8 text"):
        load_prompt(str(path))


def test_templates_are_sandboxed(tmp_path: Path) -> None:
    path = tmp_path / "evil.jinja"
    path.write_text("{{ context }}{{ question.__class__.__mro__ }}{{ question }}")
    with pytest.raises(ConfigError):
        load_prompt(str(path))


def test_an_unknown_template_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'u-niah'"):
        load_prompt("u-nia")
