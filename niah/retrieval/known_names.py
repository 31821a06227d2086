"""Names that retrievers and rerankers go by: niah's own, short ones, litellm's providers."""

from __future__ import annotations

from niah.retrieval.sources import RETRIEVERS

OWN = tuple(RETRIEVERS.own)

BASELINES = ("first", "last", "random")
"""Those of them that rank chunks without reading any: what a retriever is compared with."""

SHORT = {
    "arctic": "Snowflake/snowflake-arctic-embed-m-v1.5",
    "contriever": "facebook/contriever",
}

# Those of litellm's providers that embed. "huggingface" is left out: its inference service shares its name
# with the hub, and "snowflake" its name with a hub owner.
PROVIDERS = (
    *("azure", "azure_ai", "bedrock", "cohere", "databricks", "deepinfra", "fireworks_ai", "gemini"),
    *("github", "hosted_vllm", "infinity", "jina_ai", "litellm_proxy", "lm_studio", "mistral", "nebius"),
    *("nvidia_nim", "ollama", "openai", "openai_like", "openrouter", "sagemaker", "together_ai"),
    *("vertex_ai", "volcengine", "voyage", "watsonx", "xinference"),
)

RERANKING_PROVIDERS = (
    *("azure_ai", "bedrock", "cohere", "deepinfra", "fireworks_ai", "hosted_vllm", "infinity", "jina_ai"),
    *("litellm_proxy", "nvidia_nim", "together_ai", "voyage", "watsonx"),
)
"""Those of litellm's providers that rerank."""
