"""Which tokenizer a provider's model has, by litellm's names ("openai/gpt-4o-mini").

``owner/name`` of the Hugging Face hub looks the same. The first part decides: it is a provider if it is one
of those below, spelled so, and an owner otherwise. ("huggingface/openai/whisper-tiny" asks the hub for a
name that a provider hides.)
"""

from __future__ import annotations

from niah.errors import UserError
from niah.text.tokenizers.vocabularies import ENCODINGS

_OPENAI = frozenset({"openai", "azure", "text-completion-openai"})
_ANTHROPIC = frozenset({"anthropic"})
# Their models' names begin with a provider themselves.
_GATEWAYS = frozenset({"openrouter"})
# Providers of litellm that publish no tokenizer, or serve models of many makers. Not here: those that are
# also owners of tokenizers on the hub ("databricks", "cerebras").
_OTHERS = frozenset(
    {"ai21", "azure_ai", "bedrock", "cloudflare", "codestral", "cohere", "cohere_chat", "dashscope"}
    | {"deepinfra", "deepseek", "fireworks_ai", "gemini", "github", "groq", "hosted_vllm", "litellm_proxy"}
    | {"llamafile", "lm_studio", "mistral", "moonshot", "nvidia_nim", "ollama", "ollama_chat", "perplexity"}
    | {"replicate", "sagemaker", "sambanova", "together_ai", "vertex_ai", "vllm", "volcengine", "watsonx"}
    | {"xai"}
)
TOKENIZER_PROVIDERS = _OPENAI | _ANTHROPIC | _GATEWAYS | _OTHERS

CLAUDE = "claude"
_HARMONY = "o200k_harmony"  # o200k_base with more special tokens: plain text is the same


def tokenizer_of(model: str) -> str:
    """A key of ``ENCODINGS``, or ``CLAUDE``.

    Args:
        model: "provider/model", with one of ``TOKENIZER_PROVIDERS``.

    Raises:
        UserError: the provider's tokenizer, or this model's, is not known or not at hand.
    """
    provider, _, rest = model.partition("/")
    if provider in _GATEWAYS:
        inner = rest.partition("/")[0]
        if inner in _OPENAI | _ANTHROPIC:
            return tokenizer_of(rest)
    if provider in _OPENAI:
        return _of_openai(model, rest.rpartition("/")[2])  # azure puts a region in front
    if provider in _ANTHROPIC and rest.startswith("claude"):
        return CLAUDE
    raise UserError(
        f"no tokenizer for {model!r}: niah knows of none that {provider} has published.",
        "Give the model's tokenizer.json by its path, or its name on the Hugging Face hub (owner/name).",
    )


def _of_openai(model: str, bare: str) -> str:
    from tiktoken.model import encoding_name_for_model

    try:
        encoding = encoding_name_for_model(bare)
    except KeyError:
        encoding = ""
    names = {theirs: ours for ours, theirs in ENCODINGS.items()} | {_HARMONY: "o200k"}
    if encoding not in names:
        problem = (
            f"its encoding {encoding} is not at hand" if encoding else "tiktoken does not know this model"
        )
        raise UserError(
            f"no tokenizer for {model!r}: {problem}.",
            "Use 'o200k' (GPT-4o and all since) or 'cl100k' (GPT-4, GPT-3.5, embeddings).",
        )
    return names[encoding]
