"""What chat templates add, counted in the models' own tokens."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from gguf import GGUFWriter
from tokenizers import pre_tokenizers

from niah.text.tokenizer import chat_template_tokens

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


def model_with(file: Path, template: str) -> str:
    """A GGUF file without weights, every letter a token."""
    special = ["<s>", "<|user|>", "<|assistant|>", "<|end|>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    writer = GGUFWriter(file, "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([*special, *letters, "ab"])
    writer.add_token_types([3] * len(special) + [1] * (len(letters) + 1))
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(0)
    writer.add_chat_template(template)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return str(file)


def test_templates_by_hand(tmp_path: Path) -> None:
    # <s> <|user|> ... <|end|> <|assistant|>
    assert chat_template_tokens(model_with(tmp_path / "a.gguf", TEMPLATE)) == 4
    # llama.cpp's server reports 33 tokens for "Say hello.", which are 3.
    assert chat_template_tokens("smollm2") == 30


@pytest.mark.parametrize(
    "template",
    [
        "{{ messages[0].content",
        "{{ raise_exception('no') }}",
        "says nothing of the message",
        "{{ messages[0].content }}{{ 'x' * 10 ** 10 }}",
        "{{ messages[0].content }}{% for i in range(9 ** 9) %}{% endfor %}",
        "{% set x = namespace(n='ab') %}{% for i in range(40) %}{% set x.n = x.n + x.n %}{% endfor %}",
    ],
)
def test_a_template_that_cannot_be_filled_in_is_not_counted(template: str, tmp_path: Path) -> None:
    began = time.monotonic()
    assert chat_template_tokens(model_with(tmp_path / "a.gguf", template)) is None
    assert time.monotonic() - began < 60
