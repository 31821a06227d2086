"""What chat templates add, counted in the models' own tokens."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

from niah.text.chat_template import chat_template_tokens

TEMPLATE = """
{%- if messages[0].role not in ['user', 'system'] %}{{ raise_exception('who is that?') }}{% endif %}
{{- bos_token }}
{%- for message in messages %}
    {%- set words = message['content'].split(' ') %}
    {{- '<|' + message.role + '|>' + message.content + '<|end|>' }}
    {%- if loop.index > 9 %}{% break %}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}
"""


def folder_with(folder: Path, template: str | None) -> str:
    """A tokenizer of Hugging Face's, every letter a token, and its configuration."""
    letters = {letter: number for number, letter in enumerate(pre_tokenizers.ByteLevel.alphabet())}
    tokenizer = Tokenizer(models.BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<|user|>", "<|assistant|>", "<|end|>"]
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in special])
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"bos_token": {"content": "<s>"}, "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return str(folder)


def test_templates_by_hand(tmp_path: Path) -> None:
    # <s> <|user|> ... <|end|> <|assistant|>
    assert chat_template_tokens(folder_with(tmp_path, TEMPLATE)) == 4
    # llama.cpp's server reports 33 tokens for "Say hello.", which are 3.
    assert chat_template_tokens("smollm2") == 30


@pytest.mark.parametrize(
    "template",
    [
        None,
        "{{ messages[0].content",
        "{{ raise_exception('no') }}",
        "says nothing of the message",
        "{{ messages[0].content }}{{ 'x' * 10 ** 10 }}",
        "{{ messages[0].content }}{% for i in range(9 ** 9) %}{% endfor %}",
        "{% set x = namespace(n='ab') %}{% for i in range(40) %}{% set x.n = x.n + x.n %}{% endfor %}",
    ],
)
def test_a_template_that_cannot_be_filled_in_is_not_counted(template: str | None, tmp_path: Path) -> None:
    began = time.monotonic()
    assert chat_template_tokens(folder_with(tmp_path, template)) is None
    assert time.monotonic() - began < 60
