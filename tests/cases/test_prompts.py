from pathlib import Path

import pytest

from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import CaseError, ConfigError
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
            template.check_options(options)
        else:
            with pytest.raises(CaseError, match=f"prompt '{name}' .* Take a prompt"):
                template.check_options(options)


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
