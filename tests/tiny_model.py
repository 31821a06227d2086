"""A model of sentence-transformers with random weights, as small as can be."""

from __future__ import annotations

from pathlib import Path

from niah.weights import ensure_weights


def save_tiny_model(path: Path) -> Path:
    """A BERT of one layer and 32 positions as transformers saves it: no modules.json, no prompts."""
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    torch.manual_seed(0)
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    BertModel(BertConfig(max_position_embeddings=32, **shape)).save_pretrained(path)
    special = {f"{kind}_token": f"[{kind.upper()}]" for kind in ("unk", "sep", "pad", "cls", "mask")}
    tokenizer = str(ensure_weights("minilm") / "tokenizer.json")
    PreTrainedTokenizerFast(tokenizer_file=tokenizer, **special).save_pretrained(path)
    return path
