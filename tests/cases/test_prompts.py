from pathlib import Path

import pytest

from niah.cases.prompts import load_prompt, prompt_names, prompt_tokens
from niah.errors import CaseError, ConfigError
from niah.text.tokenizer import count, get_tokenizer

OPTIONS = ("the red one", "the blue one", "neither")


@pytest.mark.parametrize("name", prompt_names())
def test_the_question_stands_after_the_context(name: str) -> None:
    template = load_prompt(name)
    options = () if name in ("dos-rag-qa", "summary") else OPTIONS
    prompt = template.render("CONTEXT", "QUESTION?", options)
    places = [prompt.index(text) for text in ("CONTEXT", "QUESTION?", *options)]
    assert places == sorted(places)
    assert template.version.isdigit()


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
            template.check_options(options)
        else:
            with pytest.raises(CaseError, match=f"prompt '{name}' .* Take a prompt"):
                template.check_options(options)


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
@pytest.mark.parametrize("context", ["One. Two.", "One; two", '"Quoted."', "2024 ended."])
def test_p_counts_merges_at_both_joints(tokenizer: str, context: str) -> None:
    encode, template = get_tokenizer(tokenizer), load_prompt("u-niah")
    whole = count(encode, template.render(context, "Why?"))
    assert prompt_tokens(template, "Why?", context, context, encode) == whole - count(encode, context)
    whole = count(encode, template.render(context, "Why?", OPTIONS))
    tokens = prompt_tokens(template, "Why?", context, context, encode, OPTIONS)
    assert tokens == whole - count(encode, context)


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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{% for i in range(9999) %}{% endfor %}", "'call' is nothing for a template here"),
        ("{{ 'x' * 10 ** 10 }}", "is nothing for a template here"),
        ("{{ 'x' * 9999999999 }}", "'mul' is nothing"),
    ],
)
def test_a_template_that_would_not_end_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "endless.jinja"
    path.write_text(f"{{{{ context }}}}{{{{ question }}}}{text}")
    with pytest.raises(ConfigError, match=rf"endless\.jinja: is not a valid template: .*{problem}"):
        load_prompt(str(path))
